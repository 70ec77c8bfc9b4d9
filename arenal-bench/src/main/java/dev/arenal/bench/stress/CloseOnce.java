package dev.arenal.bench.stress;

import dev.arenal.elastic.ElasticArena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads close one shared arena. Exactly one must succeed: if both did, its chunks would be
 * free twice, and two later arenas would own the same memory.
 *
 * <p>Run: {@code "-Dstress.args=-t CloseOnce -m quick"}, see the package.
 */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The first thread closed it.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The second thread closed it.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Closed twice, or never.")
@State
public class CloseOnce {
  private final ElasticArena arena = StressSpace.openShared();

  public CloseOnce() {
    var _ = arena.allocate(64);
  }

  @Actor
  public void first(II_Result result) {
    result.r1 = close();
  }

  @Actor
  public void second(II_Result result) {
    result.r2 = close();
  }

  private int close() {
    try {
      arena.close();
      return 1;
    } catch (IllegalStateException alreadyClosed) {
      return 0;
    }
  }
}
