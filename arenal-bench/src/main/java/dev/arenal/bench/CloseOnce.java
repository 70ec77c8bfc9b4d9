package dev.arenal.bench;

import java.lang.foreign.Arena;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two threads close one shared JDK arena; exactly one succeeds. The promise ours must keep too. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "The first thread closed it.")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "The second thread closed it.")
@State
public class CloseOnce {
  private final Arena arena = Arena.ofShared();

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
