package dev.arenal.bench.stress;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two platform threads whose ids share an entry of the table of recent slabs, which is read and
 * written without order. Hazard: a thread takes the other one's slab.
 *
 * <p>Run: {@code "-Dstress.args=-t RecentSlab -m quick"}, see the package.
 */
public final class RecentSlab {
  private RecentSlab() {}

  /** A slab that tells by its state whose it is. */
  private static final class OwnedSlab {
    long state;
    int takers;

    OwnedSlab(long state) {
      this.state = state;
    }
  }

  /** The table as it is: an entry is believed only if the state is the id of the reader. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Each had its own.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A slab was taken by the other thread.")
  @State
  public static class Shipped {
    private @Nullable OwnedSlab entry;

    private long use(long threadId) {
      OwnedSlab slab = entry;
      if (slab == null || slab.state != threadId) {
        slab = new OwnedSlab(threadId);
        entry = slab;
      }
      slab.state = -threadId;
      slab.takers++;
      slab.state = threadId;
      return slab.takers;
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = use(1001);
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = use(2025);
    }
  }

  /** What it is not: an entry is believed if it looks available. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Went well.")
  @Outcome(
      id = {"1, 2", "2, 1", "2, 2"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: two threads used one slab.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class BelievedTooEasily {
    private @Nullable OwnedSlab entry;

    private long use(long threadId) {
      OwnedSlab slab = entry;
      if (slab == null || slab.state <= 0) {
        slab = new OwnedSlab(threadId);
        entry = slab;
      }
      slab.state = -threadId;
      slab.takers++;
      slab.state = threadId;
      return slab.takers;
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = use(1001);
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = use(2025);
    }
  }
}
