package dev.arenal.confined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.conformance.Contents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Arenas are opened, used and closed at every depth just before the stack ends, in interpreted and
 * in compiled code: no slab is lost or shared, none is handed out that is not zero.
 */
@Timeout(120)
@SuppressWarnings({"restricted", "InfiniteRecursion"})
final class PooledStackEndTest {
  private static final long STACK_BYTES = 256 << 10;

  /** How far above the end of the stack the calls begin: so many bits of frames. */
  private static final int CLOSE_TO_THE_END = 10;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyDepth_losesNothing(boolean isVirtual) throws Exception {
    dive(isVirtual, 300);
  }

  @Tag("soak")
  @Test
  @Timeout(3600)
  void everyDepth_losesNothing_forLong() throws Exception {
    dive(false, 30_000);
    dive(true, 30_000);
  }

  private static void dive(boolean isVirtual, int diveCount) throws Exception {
    Diver diver = new Diver(diveCount);
    Throwable[] thrown = new Throwable[1];
    Runnable body =
        () -> {
          try {
            diver.run();
          } catch (Throwable e) {
            thrown[0] = e;
          }
        };
    Thread thread =
        isVirtual ? Thread.ofVirtual().start(body) : new Thread(null, body, "diver", STACK_BYTES);
    if (!isVirtual) {
      thread.start();
    }
    thread.join();
    if (thrown[0] != null) {
      throw new AssertionError("a dive failed: " + diver, thrown[0]);
    }
    assertThat(diver.overflowCount).isEqualTo(diveCount);
    assertThat(diver.doneCount).isPositive();
    assertThat(diver.startedCount).isGreaterThan(diver.doneCount);
  }

  /** The work of one thread. */
  private static final class Diver {
    private final Random random = new Random(14);
    private final int diveCount;
    private final Arena[] opened = new Arena[2];
    private int deepest;
    private int overflowCount;
    private int startedCount;
    private int doneCount;
    private int lostCount;
    private int doubtfulCount;

    Diver(int diveCount) {
      this.diveCount = diveCount;
    }

    void run() {
      // A class of the JDK whose initialisation ends with the stack can never be used again.
      for (int i = 0; i < 10; i++) {
        use(i);
      }
      doneCount = 0;
      startedCount = 0;
      try (Arena bystander = PooledArena.ofConfined()) {
        MemorySegment stamped = bystander.allocate(64).fill((byte) 0x5A);
        int pooled = pooledCount(stamped);
        for (int i = 0; i < diveCount; i++) {
          overflow();
          assertThat(Contents.mismatch(stamped, (byte) 0x5A)).isEqualTo(-1);
          closeAll();
          doubtfulCount = countInDoubt();
          lostCount = pooled - pooledCount(stamped) - doubtfulCount;
          assertThat(lostCount).as("lost in dive %d, in doubt %d", i, doubtfulCount).isZero();
        }
      }
    }

    private void overflow() {
      deepest = 0;
      int variant = random.nextInt();
      try {
        descend(0, variant, Integer.MAX_VALUE);
      } catch (StackOverflowError e) {
        // now it is known where the end is
      }
      try {
        descend(0, variant, deepest - random.nextInt(1 << random.nextInt(CLOSE_TO_THE_END)));
      } catch (StackOverflowError e) {
        overflowCount++;
      }
    }

    private void descend(int depth, int variant, int from) {
      deepest = depth;
      if (depth >= from) {
        use(depth);
      }
      if ((variant >>> (depth & 31) & 1) == 0) {
        descend(depth + 1, variant, from);
      } else {
        descendWider(depth + 1, variant, from, depth, depth);
      }
    }

    private long descendWider(int depth, int variant, int from, long a, long b) {
      descend(depth, variant, from);
      return a + b;
    }

    private void use(int depth) {
      startedCount++;
      Arena first = PooledArena.ofConfined();
      opened[0] = first;
      try (first) {
        fill(first.allocate(8 + depth % 300), (byte) 1);
        Arena second = PooledArena.ofConfined();
        opened[1] = second;
        try (second) {
          fill(second.allocate(100, 64), (byte) 2);
          fill(first.allocate(16), (byte) 3);
        }
      }
      doneCount++;
    }

    private static void fill(MemorySegment block, byte value) {
      if (Contents.mismatch(block, (byte) 0) != -1) {
        throw new AssertionError("not zero: sizeBytes=" + block.byteSize());
      }
      var _ = block.fill(value);
    }

    /** A close that did not even begin has left its arena open; the JDK's would be, too. */
    private void closeAll() {
      for (Arena arena : opened) {
        if (arena.scope().isAlive()) {
          arena.close();
        }
      }
    }

    /** Slabs that are lost, but known to be. */
    private static int countInDoubt() {
      List<Slab> slabs =
          Thread.currentThread().isVirtual() ? SharedSlots.all() : Slabs.ofCurrentThread();
      return (int) slabs.stream().filter(slab -> slab.isInDoubt && slab.get() < 0).count();
    }

    /** How many arenas this thread could have open now whose memory is of a slab. */
    private static int pooledCount(MemorySegment other) {
      List<Arena> arenas = new ArrayList<>();
      Set<Long> addresses = new HashSet<>();
      int count = 0;
      boolean isVirtual = Thread.currentThread().isVirtual();
      for (int i = 0; i < ThreadSlabs.MAX_COUNT_SLABS; i++) {
        Arena arena = PooledArena.ofConfined();
        arenas.add(arena);
        MemorySegment block = arena.allocate(Pool.SLAB_BYTES);
        assertThat(Contents.mismatch(block, (byte) 0)).isEqualTo(-1);
        assertThat(addresses.add(block.address())).isTrue();
        assertThat(block.address()).isNotEqualTo(other.address());
        count += isVirtual ? 0 : isOfASlab(block) ? 1 : 0;
      }
      arenas.forEach(Arena::close);
      return isVirtual ? freeSlotCount() : count;
    }

    private static boolean isOfASlab(MemorySegment block) {
      return Slabs.isIn(Slabs.ofCurrentThread(), block);
    }

    /** Slots that no arena has. */
    private static int freeSlotCount() {
      return (int) SharedSlots.all().stream().filter(slot -> slot.get() >= 0).count();
    }

    @Override
    public String toString() {
      return "inDoubt="
          + doubtfulCount
          + ", overflows="
          + overflowCount
          + ", started="
          + startedCount
          + ", done="
          + doneCount
          + ", lost="
          + lostCount;
    }
  }
}
