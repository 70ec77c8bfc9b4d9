package dev.arenal.page;

import static java.util.Objects.requireNonNull;

import dev.arenal.page.span.Span;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A cycle halves the racks and empties those that are not in use from then on, while a thread that
 * has found one of them frees a buffer. Hazard: it puts the buffer there afterwards, where no
 * thread looks.
 *
 * <p>This drives {@link Racks}; the result is how often the buffer is there afterwards: at hand, or
 * free in its heap.
 *
 * <p>Run: {@code "-Dstress.args=-t RackHalving -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class RackHalving {
  /** About as long as a cycle takes. */
  private static final int SPINS = 20;

  private RackHalving() {}

  /** Two racks of which one was enough, and a buffer. */
  abstract static class TwoRacks extends RackGrowth.OwnRacks {
    private final PageBuffer buffer;
    private final Span span;

    TwoRacks() {
      super(1);
      racks.get(0).lockWaiting();
      buffer = requireNonNull(fromRack());
      span = buffer.span();
      racks.get(0).lock = 0;
      racks.empty();
      racks.beginCycle(); // a thread has found none free
      if (racks.count() != 2) {
        throw new AssertionError("racks=" + racks.count());
      }
    }

    /** As {@link Racks#keep} does, for a thread whose rack is the last one, and which is slow. */
    final void keep() {
      Rack rack = racks.get(racks.count() - 1);
      for (int i = 0; i < SPINS; i++) {
        Thread.onSpinWait();
      }
      if (!rack.tryLock()) {
        LockedHeap.of(span).free(buffer);
      } else if (!rack.put(buffer, false)) {
        throw new AssertionError("no room in the rack");
      }
    }

    final void halve() {
      racks.beginCycle();
    }

    /** The next cycle looks into those racks again. */
    final int shippedCount() {
      racks.beginCycle();
      return count();
    }

    /** As above, but those that are not in use are given up. */
    final int inUseCount() {
      return count();
    }

    private int count() {
      int count = span.isInUse(Magazine.from(buffer.piece), 1) ? 0 : 1;
      for (int i = 0; i < racks.count(); i++) {
        count += racks.get(i).countRacy(buffer.magazine);
      }
      return count;
    }
  }

  /** As it is: racks that are not in use are there, and are emptied once more. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "It is there once.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Lost, or there twice.")
  @State
  public static class Shipped extends TwoRacks {
    @Actor
    public void free() {
      keep();
    }

    @Actor
    public void cycle() {
      halve();
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = shippedCount();
      giveAllBack();
    }
  }

  /** The broken variant: racks that are not in use any more are emptied once, and forgotten. */
  @JCStressTest
  @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "Went well.")
  @Outcome(id = "0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "The hazard: it is lost.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class GivenUp extends TwoRacks {
    @Actor
    public void free() {
      keep();
    }

    @Actor
    public void cycle() {
      halve();
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = inUseCount();
      giveAllBack();
    }
  }
}
