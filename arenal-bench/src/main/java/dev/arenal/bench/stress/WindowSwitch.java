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
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A shared arena moves on to another stretch of memory while another thread allocates. Hazard: the
 * limit of one stretch is used with the bump pointer of the other; a block then lies beyond what
 * the arena owns, over memory of another owner.
 *
 * <p>Run: {@code "-Dstress.args=-t WindowSwitch -m quick"}, see the package.
 */
public final class WindowSwitch {
  private WindowSwitch() {}

  /** The arena as it is: pointer and limit live in one object that is replaced. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Both blocks are the arena's, and apart.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A block overlaps another or is not the arena's.")
  @State
  public static class Shipped {
    private static final long SMALL_BYTES = 48;
    private static final long LARGE_BYTES = 16 * 1024;

    private final ElasticArena arena = StressSpace.openShared();
    private final ElasticArena neighbour = StressSpace.openShared();
    private MemorySegment small = MemorySegment.NULL;
    private MemorySegment large = MemorySegment.NULL;

    public Shipped() {
      // A little room is left for small blocks; the neighbour bars the way for large ones.
      var _ = arena.allocate(SMALL_BYTES, 8);
      var _ = neighbour.allocate(LARGE_BYTES, 8);
    }

    @Actor
    public void moveOn() {
      large = arena.allocate(LARGE_BYTES, 8);
    }

    @Actor
    public void bump() {
      small = arena.allocate(SMALL_BYTES, 8);
    }

    @Arbiter
    public void check(I_Result result) {
      boolean fine =
          StressSpace.areDisjoint(small, large)
              && StressSpace.takesBack(arena, small)
              && StressSpace.takesBack(arena, large);
      neighbour.close();
      arena.close();
      result.r1 = fine ? 1 : 0;
    }
  }

  /** The broken variant: pointer and limit as two fields, set one after the other. */
  @JCStressTest
  @Outcome(id = "1000, 1016", expect = Expect.ACCEPTABLE, desc = "The last block of the old one.")
  @Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "No room seen: the slow path decides.")
  @Outcome(
      id = "16, 32",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: new pointer, old limit, a block beyond the end of its stretch.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class Broken {
    private static final long BLOCK_BYTES = 16;

    /** The old stretch ends at 1016 and has room for one more block. */
    private long top = 1000;

    private long limit = 1016;

    /** The new stretch is as large as the block that made it necessary: from 0 to 16. */
    @Actor
    public void moveOn() {
      top = 16;
      limit = 16;
    }

    @Actor
    public void bump(JJ_Result result) {
      long start = top;
      boolean fits = start + BLOCK_BYTES <= limit;
      result.r1 = fits ? start : -1;
      result.r2 = fits ? start + BLOCK_BYTES : -1;
    }
  }
}
