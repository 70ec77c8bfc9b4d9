package dev.arenal.bench.stress;

import dev.arenal.elastic.ElasticArena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * One thread allocates from a shared arena while another closes it and at once opens the next,
 * which gets the same memory. Hazard: a block is handed out, or written to, after its memory has
 * gone to the next arena.
 *
 * <p>Run: {@code "-Dstress.args=-t AllocateVersusClose -m quick"}, see the package.
 */
public final class AllocateVersusClose {
  private AllocateVersusClose() {}

  /** The arena has room: its bump pointer is moved without a lock. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Allocated and written before the end.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Refused: the arena is closed.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The next arena's block is not its own.")
  @State
  public static class FastPath extends Succession {
    public FastPath() {
      var _ = arena.allocate(8);
    }

    @Actor
    public void allocate(II_Result result) {
      result.r1 = allocateAndWrite();
    }

    @Actor
    public void close(II_Result result) {
      result.r2 = closeAndSucceed();
    }
  }

  /** The arena has no memory yet: it takes a chunk while it is closed. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Allocated and written before the end.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Refused: the arena is closed.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The next arena's block is not its own.")
  @State
  public static class FirstBlock extends Succession {
    @Actor
    public void allocate(II_Result result) {
      result.r1 = allocateAndWrite();
    }

    @Actor
    public void close(II_Result result) {
      result.r2 = closeAndSucceed();
    }
  }

  /** An arena that is closed and followed by another. */
  abstract static class Succession {
    private static final long BLOCK_BYTES = 64;

    final ElasticArena arena = StressSpace.openShared();

    final int allocateAndWrite() {
      try {
        MemorySegment block = arena.allocate(BLOCK_BYTES, 8);
        StressSpace.fill(block, -1);
        return 1;
      } catch (IllegalStateException closed) {
        return 0;
      }
    }

    final int closeAndSucceed() {
      arena.close();
      try (ElasticArena next = StressSpace.openConfined()) {
        MemorySegment block = next.allocate(2 * BLOCK_BYTES, 8);
        boolean zeroed = StressSpace.holds(block, 0);
        StressSpace.fill(block, 2);
        return zeroed && StressSpace.holds(block, 2) ? 1 : 0;
      }
    }
  }
}
