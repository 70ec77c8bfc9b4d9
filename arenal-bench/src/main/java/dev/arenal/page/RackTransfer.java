package dev.arenal.page;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A rack fetches what another one has at hand, while a thread takes a buffer from that one. Hazard:
 * both have the buffer, or neither has it.
 *
 * <p>This drives two {@link Rack}s; the result is how many buffers there are afterwards, of two,
 * and how many of them are there twice.
 *
 * <p>Run: {@code "-Dstress.args=-t RackTransfer -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class RackTransfer {
  private RackTransfer() {}

  /** Two racks; one has two buffers of a heap. */
  abstract static class TwoRacks {
    private final SmallHeap heap = StressPages.smallHeap();
    private final PageBuffer one = StressPages.allocate(heap);
    private final PageBuffer other = StressPages.allocate(heap);
    private final Rack from = StressPages.rack(heap);
    private final Rack to = StressPages.rack(heap);
    private @Nullable PageBuffer taken;

    TwoRacks() {
      StressPages.put(from, one);
      StressPages.put(from, other);
    }

    final void moveShipped() {
      to.lockWaiting();
      if (from.tryLock()) {
        var _ = to.moveFrom(from, StressPages.INDEX);
        from.lock = 0;
      }
      to.lock = 0;
    }

    /** As above, but without the lock of the other one. */
    final void moveWithoutTheLock() {
      to.lockWaiting();
      var _ = to.moveFrom(from, StressPages.INDEX);
      to.lock = 0;
    }

    final void takeOne() {
      taken = StressPages.take(from, heap);
    }

    final void count(II_Result result) {
      Set<Long> addresses = new HashSet<>();
      int count = 0;
      for (PageBuffer buffer = taken == null ? next() : taken; buffer != null; buffer = next()) {
        var _ = addresses.add(buffer.segment().address());
        count++;
      }
      result.r1 = addresses.size();
      result.r2 = count - addresses.size();
      StressPages.takeBack(heap, one, other);
    }

    private @Nullable PageBuffer next() {
      PageBuffer buffer = StressPages.take(from, heap);
      return buffer == null ? StressPages.take(to, heap) : buffer;
    }
  }

  /** As it is: with both locks. */
  @JCStressTest
  @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Each is there once.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Lost, or there twice.")
  @State
  public static class Shipped extends TwoRacks {
    @Actor
    public void move() {
      moveShipped();
    }

    @Actor
    public void take() {
      takeOne();
    }

    @Arbiter
    public void check(II_Result result) {
      count(result);
    }
  }

  /** The broken variant: without the lock of the rack that has them. */
  @JCStressTest
  @Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Went well.")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "The hazard: lost, or there twice.")
  @State
  public static class NoLock extends TwoRacks {
    @Actor
    public void move() {
      moveWithoutTheLock();
    }

    @Actor
    public void take() {
      takeOne();
    }

    @Arbiter
    public void check(II_Result result) {
      try {
        count(result);
      } catch (IndexOutOfBoundsException e) { // the hazard as well: the count of the rack is wrong
        result.r1 = -1;
      }
    }
  }
}
