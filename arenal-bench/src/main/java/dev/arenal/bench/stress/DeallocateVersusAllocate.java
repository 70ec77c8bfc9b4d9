package dev.arenal.bench.stress;

import dev.arenal.elastic.ElasticArena;
import java.lang.foreign.MemorySegment;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * One thread gives a block of a shared arena back while another allocates, or gives back the same
 * block. Hazards: a block goes to two owners; it is handed out again with its old contents; the
 * arena loses or doubles it.
 *
 * <p>Run: {@code "-Dstress.args=-t DeallocateVersusAllocate -m quick"}, see the package.
 */
public final class DeallocateVersusAllocate {
  private static final long BLOCK_BYTES = 48;

  private DeallocateVersusAllocate() {}

  /** A block of the same size is wanted meanwhile: the old one again, or a fresh one. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "A fresh block: it came too early.")
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The block that was given back, zeroed.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Not zeroed, two owners, or a live block was touched.")
  @State
  public static class Reuse {
    private final ElasticArena arena = StressSpace.openShared();
    private final MemorySegment before = arena.allocate(BLOCK_BYTES, 8);
    private final MemorySegment block = arena.allocate(BLOCK_BYTES, 8);
    private final MemorySegment after = arena.allocate(BLOCK_BYTES, 8);
    private MemorySegment fresh = MemorySegment.NULL;
    private boolean zeroed;

    public Reuse() {
      StressSpace.fill(before, 1);
      StressSpace.fill(block, 2);
      StressSpace.fill(after, 3);
    }

    @Actor
    public void deallocate() {
      arena.deallocate(block);
    }

    @Actor
    public void allocate() {
      fresh = arena.allocate(BLOCK_BYTES, 8);
      zeroed = StressSpace.holds(fresh, 0);
      StressSpace.fill(fresh, 4);
    }

    @Arbiter
    public void check(I_Result result) {
      // One more: either the block given back or a fresh one, whichever was not taken.
      MemorySegment last = arena.allocate(BLOCK_BYTES, 8);
      boolean fine =
          zeroed
              && StressSpace.holds(last, 0)
              && StressSpace.areDisjoint(last, fresh)
              && StressSpace.holds(before, 1)
              && StressSpace.holds(after, 3)
              && StressSpace.holds(fresh, 4)
              && arena.usedBytes() == 4 * BLOCK_BYTES;
      boolean reused = fresh.address() == block.address();
      arena.close();
      result.r1 = fine ? (reused ? 2 : 1) : 0;
    }
  }

  /** Both give the same block back: one must be refused. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The first thread gave it back.")
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The second thread gave it back.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Given back twice, or not at all.")
  @State
  public static class Twice {
    private final ElasticArena arena = StressSpace.openShared();
    private final MemorySegment block = arena.allocate(BLOCK_BYTES, 8);

    @Actor
    public void one(II_Result result) {
      result.r1 = StressSpace.takesBack(arena, block) ? 1 : 0;
    }

    @Actor
    public void two(II_Result result) {
      result.r2 = StressSpace.takesBack(arena, block) ? 1 : 0;
    }

    @Arbiter
    public void close() {
      arena.close();
    }
  }
}
