package dev.arenal.page;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads take from a rack in which one buffer is at hand, or one puts it there while the other
 * one takes. Hazard: both get it.
 *
 * <p>This drives a {@link Rack}; the result is, for each thread, whether it has got the buffer: 1,
 * or 2 with another address than the one that was put.
 *
 * <p>Run: {@code "-Dstress.args=-t RackLock -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class RackLock {
  private RackLock() {}

  /** A rack, and a heap with a buffer. */
  abstract static class OneRack {
    private final SmallHeap heap = StressPages.smallHeap();
    private final PageBuffer buffer = StressPages.allocate(heap);
    private final long address = buffer.segment().address();
    private final Rack rack = StressPages.rack(heap);

    OneRack(boolean isFilled) {
      if (isFilled) {
        put();
      }
    }

    final void put() {
      StressPages.put(rack, buffer);
    }

    final int takeShipped() {
      return result(StressPages.take(rack, heap));
    }

    /** As above, but without the lock. */
    final int takeWithoutTheLock() {
      return result(StressPages.takeWithoutTheLock(rack, heap));
    }

    final void takeBack() {
      StressPages.takeBack(heap, buffer);
    }

    private int result(@Nullable PageBuffer taken) {
      if (taken == null) {
        return 0;
      }
      return taken.segment().address() == address ? 1 : 2;
    }
  }

  /** As it is. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "One of them has it.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Both, or neither.")
  @State
  public static class Shipped extends OneRack {
    /** With a buffer. */
    public Shipped() {
      super(true);
    }

    @Actor
    public void first(II_Result result) {
      result.r1 = takeShipped();
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = takeShipped();
    }

    @Arbiter
    public void end(II_Result result) {
      takeBack();
    }
  }

  /** One puts it there. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "Put after the other one looked, or before.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Another buffer.")
  @State
  public static class PutAndTake extends OneRack {
    /** Without a buffer. */
    public PutAndTake() {
      super(false);
    }

    @Actor
    public void first(II_Result result) {
      put();
      result.r1 = 0;
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = takeShipped();
    }

    @Arbiter
    public void end(II_Result result) {
      takeBack();
    }
  }

  /** The broken variant: without locks. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0"},
      expect = Expect.ACCEPTABLE,
      desc = "Went well.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "The hazard: both have it.")
  @Outcome(
      id = {"1, 2", "2, 1"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: one has an entry that is none, since the count has changed meanwhile.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class NoLock extends OneRack {
    /** With a buffer. */
    public NoLock() {
      super(true);
    }

    @Actor
    public void first(II_Result result) {
      result.r1 = takeWithoutTheLock();
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = takeWithoutTheLock();
    }

    @Arbiter
    public void end(II_Result result) {
      takeBack();
    }
  }
}
