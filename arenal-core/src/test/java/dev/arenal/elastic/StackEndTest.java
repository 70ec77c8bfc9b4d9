package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every operation of spaces and arenas is called at every depth just before the stack really ends,
 * in interpreted and compiled code, while other arenas hold stamped blocks.
 */
@Timeout(300)
final class StackEndTest {
  private static final long STACK_BYTES = 256 * 1024;

  /** So many frames before the end are tried; some 60 KiB. */
  private static final int FRAMES = 600;

  /** An operation that has come to its end so often is far enough from the end of the stack. */
  private static final int ENOUGH = 20;

  private static final int QUICK_ROUNDS = 27;
  private static final int SOAK_ROUNDS = 10_000;

  private final Budget budget = Budget.limitedTo("deep", 64 << 20);
  private final List<MemorySegment> stamped = new ArrayList<>();
  private int endCount;
  private int doneCount;
  private int damagedCount;
  private int unwound;
  private int enoughCount;
  private final @Nullable ElasticArena[] opened = new ElasticArena[FRAMES];
  private int openedCount;

  @Test
  void endOfTheStack_leavesAllInOrder_orStopsServing() throws Exception {
    run(QUICK_ROUNDS);
  }

  @Tag("soak")
  @Test
  void endOfTheStack_leavesAllInOrder_orStopsServing_forLong() throws Exception {
    run(SOAK_ROUNDS);
  }

  private void run(int roundCount) throws Exception {
    Throwable[] failure = new Throwable[1];
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                for (int round = 0; round < roundCount; round++) {
                  round(new SplittableRandom(Seeds.derive("stack", round)), round);
                }
              } catch (Throwable e) {
                failure[0] = e;
              }
            },
            "deep",
            STACK_BYTES);
    thread.start();
    thread.join();
    if (failure[0] != null) {
      throw new AssertionError(Seeds.hint(), failure[0]);
    }
    assertThat(endCount).isGreaterThan(roundCount);
    assertThat(doneCount).isGreaterThan(roundCount);
    // The stack made sure of before is enough: damage is for unforeseen calls.
    assertThat(damagedCount).isLessThanOrEqualTo(1 + roundCount / 100);
    assertThat(budget.committedBytes()).isZero();
  }

  private void round(SplittableRandom random, int round) {
    ElasticSpace space =
        ElasticSpace.builder("deep").budget(budget).reserveBytes(64 * 1024).build();
    ElasticArena confined = space.openConfined("c");
    ElasticArena shared = space.openShared("s");
    stamped.clear();
    for (int i = 0; i < 50; i++) {
      stamp(confined.allocate(1 + random.nextInt(3000)));
      stamp(shared.allocate(1 + random.nextInt(3000)));
    }
    ElasticArena target = random.nextBoolean() ? confined : shared;
    unwound = 0;
    enoughCount = 0;
    descend(operation(random, space, target, round % 9));
    checkStamps();
    if (isDamaged(space)) {
      damagedCount++;
    } else {
      for (int i = 0; i < 50; i++) {
        stamp(confined.allocate(1 + random.nextInt(5000)));
        stamp(shared.allocate(1 + random.nextInt(5000)));
      }
      space.verify();
      checkStamps();
    }
    for (ElasticArena arena : List.of(confined, shared)) {
      if (arena.scope().isAlive()) { // else a reset has met damage
        arena.close();
      }
    }
    closeOpened();
    assertThat(space.arenaCount()).isZero();
    space.close();
    assertThat(budget.committedBytes()).isZero();
  }

  private void closeOpened() {
    while (openedCount > 0) {
      ElasticArena arena = opened[--openedCount];
      if (arena != null && arena.scope().isAlive()) {
        arena.close();
      }
    }
  }

  private Runnable operation(
      SplittableRandom random, ElasticSpace space, ElasticArena target, int kind) {
    return switch (kind) {
      case 0 -> () -> stamp(target.allocate(1 + random.nextInt(10_000)));
      case 1 -> () -> stamp(target.allocate(1 + random.nextInt(300_000), 64));
      case 2 -> () -> giveBack(target);
      case 3 -> () -> openAndClose(space, random.nextInt(30_000), random.nextBoolean());
      case 4 ->
          () -> {
            openAndClose(space, 200_000, false);
            var _ = space.trim();
          };
      case 5 ->
          () -> {
            var _ = space.report(ReportDetail.values());
          };
      case 6 -> space::verify;
      case 7 ->
          () -> {
            target.reset();
            stamp(target.allocate(1 + random.nextInt(30_000)));
          };
      default ->
          () -> {
            giveBack(target);
            stamp(target.allocate(1 + random.nextInt(100)));
          };
    };
  }

  /** Goes down to the end, and calls the operation in each of the last frames on the way back. */
  @SuppressWarnings("InfiniteRecursion") // that is what it is for
  private void descend(Runnable operation) {
    try {
      descend(operation);
    } catch (StackOverflowError e) {
      endCount++;
    }
    if (unwound < FRAMES && enoughCount < ENOUGH) {
      unwound++;
      try {
        operation.run();
        doneCount++;
        enoughCount++;
      } catch (StackOverflowError e) {
        endCount++;
      } catch (IllegalStateException e) {
        String message = e.getMessage();
        if (message == null || !message.startsWith("space is damaged")) {
          throw e;
        }
      }
    }
  }

  private void openAndClose(ElasticSpace space, long sizeBytes, boolean shared) {
    ElasticArena arena = shared ? space.openShared() : space.openConfined();
    opened[openedCount++] = arena; // what cannot be closed here is closed at the end of the round
    Contents.write(arena.allocate(sizeBytes), (byte) 99);
    arena.close();
    openedCount--;
  }

  private void giveBack(ElasticArena arena) {
    for (int i = stamped.size() - 1; i >= 0; i--) {
      MemorySegment block = stamped.get(i);
      if (block.scope().equals(arena.scope())) {
        var _ = stamped.remove(i);
        arena.deallocate(block);
        return;
      }
    }
  }

  private void stamp(MemorySegment block) {
    long at = Contents.mismatchZero(block);
    if (at >= 0) {
      throw new AssertionError("not zero at " + at + ": " + block);
    }
    Contents.write(block, tag(block));
    stamped.add(block);
  }

  private void checkStamps() {
    stamped.removeIf(block -> !block.scope().isAlive()); // its arena was reset
    for (MemorySegment block : stamped) {
      assertThat(Contents.mismatch(block, tag(block))).as("%s", block).isEqualTo(-1);
    }
  }

  private static boolean isDamaged(ElasticSpace space) {
    try {
      space.verify();
      return false;
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private static byte tag(MemorySegment block) {
    return (byte) (1 + (block.address() >>> 3) % 100);
  }
}
