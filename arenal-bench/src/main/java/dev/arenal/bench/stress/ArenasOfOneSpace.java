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
 * Two threads open, fill and close arenas of one space. Hazard: chunks are split, merged or
 * discarded by one thread while the other takes them, and one arena loses or shares its memory.
 *
 * <p>Run: {@code "-Dstress.args=-t ArenasOfOneSpace -m quick"}, see the package.
 */
public final class ArenasOfOneSpace {
  private ArenasOfOneSpace() {}

  /** Small enough to share a granule, with pieces that are split from one chunk. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Each found its blocks as it left them.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Memory was not zeroed, or changed by the other.")
  @State
  public static class Tiny {
    private static final long BLOCK_BYTES = 64;

    @Actor
    public void one(II_Result result) {
      result.r1 = openFillClose(1, BLOCK_BYTES);
    }

    @Actor
    public void two(II_Result result) {
      result.r2 = openFillClose(2, BLOCK_BYTES);
    }
  }

  /** Larger than the reserve: what one thread leaves goes back to the kernel at once. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Each found its blocks as it left them.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Memory was not zeroed, or changed by the other.")
  @State
  public static class Large {
    private static final long BLOCK_BYTES = 320 * 1024;

    @Actor
    public void one(II_Result result) {
      result.r1 = openFillClose(1, BLOCK_BYTES);
    }

    @Actor
    public void two(II_Result result) {
      result.r2 = openFillClose(2, BLOCK_BYTES);
    }
  }

  private static int openFillClose(long word, long blockBytes) {
    try (ElasticArena arena = StressSpace.openConfined()) {
      MemorySegment a = arena.allocate(blockBytes, 8);
      MemorySegment b = arena.allocate(blockBytes, 8);
      boolean zeroed = StressSpace.holds(a, 0) && StressSpace.holds(b, 0);
      StressSpace.fill(a, word);
      StressSpace.fill(b, -word);
      boolean kept = StressSpace.holds(a, word) && StressSpace.holds(b, -word);
      return zeroed && kept ? 1 : 0;
    }
  }
}
