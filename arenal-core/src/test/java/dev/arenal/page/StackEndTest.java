package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The real end of the stack, met by each operation at every depth before it, in compiled code. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class StackEndTest {
  private static final long MIB = 1 << 20;
  private static final long STACK_BYTES = 512 << 10;

  /** Each operation some times; a round takes half a second where the machine is busy. */
  private static final int ROUNDS = 48;

  private static final int OPERATIONS = 8;

  private final Budget budget = Budget.unlimited("stack");
  private int damagedCount;
  private int endCount;

  /** The call at the end of the stack. */
  private @Nullable Supplier<@Nullable PageBuffer> operation;

  private @Nullable IllegalStateException lastRefusal;

  /** The buffer that it returned; a field, since a call would meet the end of the stack again. */
  private @Nullable PageBuffer last;

  /** Frames of different sizes, so that the end comes at each of the places. */
  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private int descend(int depth, long a, long b) {
    try {
      return descend(depth + 1, b, a) + 1;
    } catch (StackOverflowError e) {
      endCount++;
      runOperation();
      return 0;
    }
  }

  /** Once more from each frame on the way up, as long as the stack is at its end. */
  private void runOperation() {
    Supplier<@Nullable PageBuffer> known = operation;
    if (known != null) {
      try {
        last = known.get();
      } catch (IllegalStateException e) {
        lastRefusal = e;
      }
      operation = null; // it came through
    }
  }

  @Test
  void eachOperation_atTheEndOfTheStack() throws Exception {
    run(ROUNDS);
  }

  @Test
  @Tag("soak")
  @Timeout(value = 3600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void eachOperation_atTheEndOfTheStack_thousandsOfTimes() throws Exception {
    run(100 * ROUNDS);
  }

  private void run(int rounds) throws Exception {
    for (int round = 0; round < rounds; round++) {
      CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
      int number = round;
      Thread thread =
          new Thread(
              null,
              () -> {
                try {
                  oneRound(number);
                  done.complete(null);
                } catch (Throwable e) {
                  done.completeExceptionally(e);
                }
              },
              "stack",
              STACK_BYTES);
      thread.start();
      var _ = done.get(60, TimeUnit.SECONDS);
      thread.join();
    }
    assertThat(budget.committedBytes()).isZero();
    assertThat(endCount).isGreaterThanOrEqualTo(rounds);
    assertThat(damagedCount).as("nearly all have stack enough").isLessThan(rounds / 40);
  }

  private void oneRound(int round) {
    PageAllocator pages =
        PageAllocator.builder("stack")
            .capacityBytes(64 * MIB)
            .budget(budget)
            .checked(round % OPERATIONS == 7 && round % 3 != 0)
            .build();
    fillRacks(pages);
    Arena arena = round / OPERATIONS % 2 == 0 ? pages.openSharedArena() : pages.openConfinedArena();
    for (long size : new long[] {16, 5000, 100_000, 3 * MIB}) {
      arena.allocate(size).fill((byte) 1);
    }
    List<PageBuffer> live = new ArrayList<>();
    for (long size : new long[] {16, 5000, 100_000, 3 * MIB}) {
      PageBuffer buffer = pages.allocate(size, PageAge.SHORT_LIVED);
      Noise.write(buffer.segment(), (int) size);
      live.add(buffer);
    }
    PageBuffer victim = pages.allocate(round % 2 == 0 ? 64 : 50_000, PageAge.LONG_LIVED);
    last = null;
    lastRefusal = null;
    operation = operationOf(round, pages, victim, arena);
    var _ = descend(0, round, 1);
    boolean isDamaged = pages.state().isDamaged();
    if (isDamaged) {
      damagedCount++;
    } else {
      assertThat(round % OPERATIONS == 3 ? null : lastRefusal).isNull();
      pages.state().verify();
    }
    for (PageBuffer buffer : live) {
      assertThat(Noise.mismatch(buffer.segment(), (int) buffer.sizeBytes())).isEqualTo(-1);
      buffer.close();
    }
    if (last != null) {
      assertThat(Noise.firstNonZero(last.segment())).isEqualTo(-1);
      last.close();
    }
    if (round % OPERATIONS != 3) {
      victim.close();
    } else {
      closeIfOpen(victim);
    }
    if (arena.scope().isAlive()) {
      arena.close();
    }
    pages.close();
  }

  private static Supplier<@Nullable PageBuffer> operationOf(
      int round, PageAllocator pages, PageBuffer victim, Arena arena) {
    return switch (round % OPERATIONS) {
      case 0 -> () -> pages.allocate(48, PageAge.SHORT_LIVED);
      case 1 -> () -> pages.allocate(200_000, PageAge.LONG_LIVED);
      case 2 -> () -> pages.allocate(4 * MIB, PageAge.SHORT_LIVED);
      case 3 ->
          () -> {
            victim.close();
            return null;
          };
      case 4 ->
          () -> {
            var _ = pages.trim();
            return null;
          };
      case 5 ->
          () -> {
            var _ = pages.report();
            return null;
          };
      case 6 -> () -> pages.allocate(8000, PageAge.LONG_LIVED);
      default ->
          () -> {
            arena.close(); // many operations, none of which may ask for the stack again
            return null;
          };
    };
  }

  /** So that much goes back to the heaps at once. */
  private static void fillRacks(PageAllocator pages) {
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      buffers.add(
          pages.allocate(100 + 2000L * i, i % 2 == 0 ? PageAge.SHORT_LIVED : PageAge.LONG_LIVED));
    }
    buffers.forEach(PageBuffer::close);
  }

  private static void closeIfOpen(PageBuffer buffer) {
    try {
      buffer.close();
    } catch (IllegalStateException e) {
      assertThat(e).hasMessageStartingWith("buffer is already closed: ");
    }
  }
}
