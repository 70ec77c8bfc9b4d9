package dev.arenal.page;

import static java.util.Objects.requireNonNull;

import dev.arenal.guard.WatchMode;
import dev.arenal.page.span.SearchDepth;
import dev.arenal.page.span.SpanTable;
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
    private static final int SIZE_BYTES = 64;
    private static final int INDEX = 3;

    /** Of which a rack asks its limit only: one for each state would fill the Java heap. */
    private static final Racks RACKS =
        new Racks(new SpanTable(), false, new BufferSampler(WatchMode.OFF, 0, 0), 1 << 30, 4);

    private final SmallHeap heap = StressPages.smallHeap();
    private final PageBuffer one = allocate();
    private final PageBuffer other = allocate();
    private final Rack from;
    private final Rack to;
    private @Nullable PageBuffer taken;

    TwoRacks() {
      SpanTable places = heap.context.spans();
      from = new Rack(RACKS, places, false, new BufferSampler(WatchMode.OFF, 0, 0), INDEX + 1);
      to = new Rack(RACKS, places, false, new BufferSampler(WatchMode.OFF, 0, 0), INDEX + 1);
      from.make(INDEX, true, SIZE_BYTES);
      to.make(INDEX, true, SIZE_BYTES);
      put(one);
      put(other);
    }

    private PageBuffer allocate() {
      heap.lock.lock();
      try {
        return requireNonNull(heap.allocate(SIZE_BYTES, 1, SearchDepth.NEW_PAGE));
      } finally {
        heap.lock.unlock();
      }
    }

    private void put(PageBuffer buffer) {
      from.lockWaiting();
      if (!from.put(buffer, false)) {
        throw new AssertionError("no room in the rack");
      }
    }

    final void moveShipped() {
      to.lockWaiting();
      if (from.tryLock()) {
        var _ = to.moveFrom(from, INDEX);
        from.lock = 0;
      }
      to.lock = 0;
    }

    /** As above, but without the lock of the other one. */
    final void moveWithoutTheLock() {
      to.lockWaiting();
      var _ = to.moveFrom(from, INDEX);
      to.lock = 0;
    }

    final void takeOne() {
      taken = takeFrom(from);
    }

    private @Nullable PageBuffer takeFrom(Rack rack) {
      rack.lockWaiting();
      PageBuffer buffer = rack.take(heap.context, INDEX, SIZE_BYTES, 1);
      if (buffer == null) {
        rack.lock = 0;
      }
      return buffer;
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
      PageBuffer buffer = takeFrom(from);
      return buffer == null ? takeFrom(to) : buffer;
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
