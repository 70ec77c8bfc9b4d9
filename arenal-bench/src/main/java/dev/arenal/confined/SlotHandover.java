package dev.arenal.confined;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two virtual threads want the same slot of the pool of confined arenas. Hazards: both get it, or
 * the second one sees what the first one wrote.
 *
 * <p>This drives {@link Slab} and its native memory. Actors of jcstress are platform threads, which
 * never come to a slot by themselves, so they do with it what {@code SharedSlots} and {@code
 * SlabArena} do.
 *
 * <p>Run: {@code "-Dstress.args=-t SlotHandover -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class SlotHandover {
  private static final long REFUSED = -1;
  private static final long SECRET = 42;
  private static final long KEY = Slab.AVAILABLE_TO_ALL;

  private SlotHandover() {}

  /** A free slot. */
  abstract static class Slot {
    final Slab slab = StressSlabs.take(Slab.AVAILABLE_TO_ALL);

    /** Looks for what is there, and writes something else. */
    final long use() {
      long seen = StressSlabs.get(slab);
      StressSlabs.put(slab, SECRET);
      return seen;
    }
  }

  /** One that was not zeroed when its arena was closed. */
  abstract static class AbandonedSlot extends Slot {
    AbandonedSlot() {
      slab.set(-KEY);
      StressSlabs.put(slab, SECRET);
      slab.abandonedTop = slab.address + Long.BYTES;
    }
  }

  /** A slot as it is: compare-and-set to take it, zero, then a release store to give it back. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, -1", "-1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "The thread that gets it sees zero.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "One saw the other's data, or neither got it.")
  @State
  public static class Shipped extends Slot {
    private long takeAndRelease() {
      if (!slab.tryAcquireVolatile()) {
        return REFUSED;
      }
      long seen = use();
      slab.release(slab.address, slab.address + Long.BYTES, slab.key);
      return seen;
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = takeAndRelease();
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = takeAndRelease();
    }

    @Arbiter
    public void finish() {
      StressSlabs.giveBack(slab);
    }
  }

  /**
   * A slot whose arena was closed and could not release it, since stack or heap ended there: one of
   * both recovers it, and it is zero then.
   */
  @JCStressTest
  @Outcome(
      id = {"0, -1", "-1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "The thread that recovers it sees zero.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Old data, or both have it, or neither.")
  @State
  public static class Abandoned extends AbandonedSlot {
    private long recover() {
      return slab.tryRecover() ? use() : REFUSED;
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = recover();
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = recover();
    }

    @Arbiter
    public void finish() {
      StressSlabs.giveBack(slab);
    }
  }

  /** The broken variant of recovering: a check, and then the rest, without a lock around both. */
  @JCStressTest
  @Outcome(
      id = {"0, -1", "-1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "Went well.")
  @Outcome(
      id = {"0, 0", "0, 42", "42, 0"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: both have it.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class RecoveredByBoth extends AbandonedSlot {
    private long recover() {
      if (slab.abandonedTop == 0) {
        return REFUSED;
      }
      StressSlabs.put(slab, 0);
      slab.abandonedTop = 0;
      return use();
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = recover();
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = recover();
    }

    @Arbiter
    public void finish() {
      StressSlabs.giveBack(slab);
    }
  }

  /** The broken variant: given back first, zeroed afterwards. */
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
  public static class ZeroedTooLate extends Slot {
    private long takeAndRelease() {
      if (!slab.tryAcquireVolatile()) {
        return REFUSED;
      }
      long seen = use();
      slab.setRelease(KEY);
      StressSlabs.put(slab, 0);
      return seen;
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = takeAndRelease();
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = takeAndRelease();
    }

    @Arbiter
    public void finish() {
      StressSlabs.giveBack(slab);
    }
  }

  /** Another broken variant: checked and then taken, in two steps. */
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
  public static class CheckedThenTaken extends Slot {
    private long takeAndRelease() {
      if (!slab.isAvailable()) {
        return REFUSED;
      }
      slab.acquirePlain(KEY);
      long seen = use();
      StressSlabs.put(slab, 0); // its release would notice
      slab.setRelease(KEY);
      return seen;
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = takeAndRelease();
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = takeAndRelease();
    }

    @Arbiter
    public void finish() {
      StressSlabs.giveBack(slab);
    }
  }
}
