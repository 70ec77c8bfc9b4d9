package dev.arenal.bench.stress;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two virtual threads want the same slot of the pool of confined arenas. Hazards: both get it, or
 * the second one sees what the first one wrote. Actors of jcstress are platform threads, which have
 * slabs of their own, so this is the protocol of {@code Slab} with a field for the memory.
 *
 * <p>Run: {@code "-Dstress.args=-t SlotHandover -m quick"}, see the package.
 */
public final class SlotHandover {
  private static final long REFUSED = -1;
  private static final long SECRET = 42;

  private SlotHandover() {}

  /** A slot as it is: compare-and-set to take it, zero, then a release store to give it back. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, -1", "-1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "Whoever gets it sees zero.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Somebody saw the other's data, or nobody got it.")
  @State
  public static class Shipped {
    private final AtomicLong state = new AtomicLong(1);
    private long memory;

    private long use() {
      if (!state.compareAndSet(1, -1)) {
        return REFUSED;
      }
      long seen = memory;
      memory = SECRET;
      memory = 0;
      state.setRelease(1);
      return seen;
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = use();
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = use();
    }
  }

  /** What it is not: given back first, zeroed afterwards. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, -1", "-1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "Went well.")
  @Outcome(
      id = {"0, 42", "42, 0"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: the other one's data.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class ZeroedTooLate {
    private final AtomicLong state = new AtomicLong(1);
    private volatile long memory;

    private long use() {
      if (!state.compareAndSet(1, -1)) {
        return REFUSED;
      }
      long seen = memory;
      memory = SECRET;
      state.setRelease(1);
      memory = 0;
      return seen;
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = use();
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = use();
    }
  }

  /** What it is not either: looked at and then taken, in two steps. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, -1", "-1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "Went well, or both had it one after the other.")
  @Outcome(
      id = {"0, 42", "42, 0"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: both have it at the same time.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class CheckedThenTaken {
    private final AtomicLong state = new AtomicLong(1);
    private volatile long memory;

    private long use() {
      if (state.get() != 1) {
        return REFUSED;
      }
      state.set(-1);
      long seen = memory;
      memory = SECRET;
      memory = 0;
      state.setRelease(1);
      return seen;
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = use();
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = use();
    }
  }
}
