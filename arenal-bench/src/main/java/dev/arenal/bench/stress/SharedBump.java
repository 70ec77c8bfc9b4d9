package dev.arenal.bench.stress;

import dev.arenal.elastic.ElasticArena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Two threads allocate from one shared arena. Hazard: both read the same bump pointer and both move
 * it, so that two blocks lie over each other.
 *
 * <p>Run: {@code "-Dstress.args=-t SharedBump -m quick"}, see the package.
 */
public final class SharedBump {
  private SharedBump() {}

  /** The arena is open and has room: both take the fast path, a compare-and-set. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Two blocks of their own, both zeroed.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Blocks overlap, or hold what was not written there.")
  @State
  public static class FastPath extends TwoBlocks {
    public FastPath() {
      var _ = arena.allocate(8);
    }

    @Actor
    public void one() {
      first = writtenBlock(1);
    }

    @Actor
    public void two() {
      second = writtenBlock(2);
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = verdict();
    }
  }

  /** The arena has no memory yet: one takes the first chunk, the other waits or comes after. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Two blocks of their own, both zeroed.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Blocks overlap, or hold what was not written there.")
  @State
  public static class FirstBlock extends TwoBlocks {
    @Actor
    public void one() {
      first = writtenBlock(1);
    }

    @Actor
    public void two() {
      second = writtenBlock(2);
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = verdict();
    }
  }

  /** An arena and a block of each thread. */
  abstract static class TwoBlocks {
    private static final long BLOCK_BYTES = 48;
    private static final int NOT_ZEROED = -1;

    final ElasticArena arena = StressSpace.openShared();
    MemorySegment first = MemorySegment.NULL;
    MemorySegment second = MemorySegment.NULL;

    final MemorySegment writtenBlock(long word) {
      MemorySegment block = arena.allocate(BLOCK_BYTES, 8);
      StressSpace.fill(block, StressSpace.holds(block, 0) ? word : NOT_ZEROED);
      return block;
    }

    final int verdict() {
      boolean fine =
          StressSpace.areDisjoint(first, second)
              && StressSpace.holds(first, 1)
              && StressSpace.holds(second, 2);
      arena.close();
      return fine ? 1 : 0;
    }
  }
}
