package dev.arenal.bench.stress;

import dev.arenal.elastic.ElasticArena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * One thread allocates from a shared arena while another resets it and at once allocates the same
 * memory. Hazard: a thread that has moved the pointer of one round makes its segment in the next
 * one, over a block of that.
 *
 * <p>Run: {@code "-Dstress.args=-t AllocateVersusReset -m quick"}, see the package.
 */
public final class AllocateVersusReset {
  private AllocateVersusReset() {}

  /** The arena has room, and keeps it: its bump pointer is moved without a lock. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Allocated and written in one round.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Refused: that round is over.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The block of the next round is not its own.")
  @State
  public static class FastPath extends Rounds {
    public FastPath() {
      var _ = arena.allocate(8);
    }

    @Actor
    public void allocate(II_Result result) {
      result.r1 = allocateAndWrite();
    }

    @Actor
    public void reset(II_Result result) {
      result.r2 = resetAndAllocate();
    }
  }

  /** The arena has no memory yet: it takes a chunk while it is reset. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Allocated and written in one round.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Refused: that round is over.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The block of the next round is not its own.")
  @State
  public static class FirstBlock extends Rounds {
    @Actor
    public void allocate(II_Result result) {
      result.r1 = allocateAndWrite();
    }

    @Actor
    public void reset(II_Result result) {
      result.r2 = resetAndAllocate();
    }
  }

  /** The broken variant: the scope of a round beside its pointer, and read after that. */
  @JCStressTest
  @Outcome(id = "16, 1", expect = Expect.ACCEPTABLE, desc = "A block of the old round.")
  @Outcome(id = "0, 2", expect = Expect.ACCEPTABLE, desc = "The first block of the next round.")
  @Outcome(id = "32, 2", expect = Expect.ACCEPTABLE, desc = "The second block of the next round.")
  @Outcome(
      id = "16, 2",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: memory of the old round with the scope of the next one.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class ScopeReadLater {
    private static final int BLOCK_BYTES = 16;

    /** The old round has one block. */
    private final AtomicInteger top = new AtomicInteger(BLOCK_BYTES);

    private volatile int round = 1;

    /** The address of the block, and the round whose scope its segment would have. */
    @Actor
    public void allocate(II_Result result) {
      result.r1 = top.getAndAdd(BLOCK_BYTES);
      result.r2 = round;
    }

    /** And takes a block of twice that size: from 0 to 32, if no other is there. */
    @Actor
    public void reset() {
      round = 2;
      top.set(0);
      top.addAndGet(2 * BLOCK_BYTES);
    }
  }

  /** An arena that is reset, and closed with its first block of the next round. */
  abstract static class Rounds {
    private static final long BLOCK_BYTES = 64;

    final ElasticArena arena = StressSpace.openShared();

    final int allocateAndWrite() {
      try {
        MemorySegment block = arena.allocate(BLOCK_BYTES, 8);
        StressSpace.fill(block, -1);
        return 1;
      } catch (IllegalStateException over) {
        return 0;
      }
    }

    final int resetAndAllocate() {
      arena.reset();
      MemorySegment block = arena.allocate(2 * BLOCK_BYTES, 8);
      boolean zeroed = StressSpace.holds(block, 0);
      StressSpace.fill(block, 2);
      boolean isOwn = zeroed && StressSpace.holds(block, 2);
      arena.close();
      return isOwn ? 1 : 0;
    }
  }
}
