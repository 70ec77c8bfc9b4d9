package dev.arenal.page;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A request that finds all racks taken doubles them, while another thread holds all of them to read
 * what is used. Hazards: a buffer comes from a rack that the reader does not hold, and goes to a
 * heap that it has not read yet, so that a buffer that is open all the time is not seen; or two
 * requests that find the same racks taken double them twice.
 *
 * <p>This drives {@link Racks}; the result is how many bytes were read, or how many racks there are
 * afterwards.
 *
 * <p>Run: {@code "-Dstress.args=-t RackGrowth -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class RackGrowth {
  private RackGrowth() {}

  /**
   * Racks over heaps of their own, of which one has a buffer that is open all the time and keeps
   * its run.
   */
  abstract static class OwnRacks {
    final AgeHeaps heaps = StressPages.heaps();
    final Racks racks;
    private final PageBuffer open = fromHeap();

    OwnRacks(int count) {
      racks =
          new Racks(
              heaps.context.spans(), false, StressPages.noSampler(), 64 * StressPages.MIB, count);
    }

    final PageBuffer fromHeap() {
      return requireNonNull(heaps.allocate(StressPages.SIZE_BYTES, 1, true));
    }

    final @Nullable PageBuffer fromRack() {
      return racks.allocate(heaps, 0, StressPages.SIZE_BYTES, 1);
    }

    /** A buffer comes, from a rack if there is one, and goes to its heap. */
    final void takeAndFree() {
      PageBuffer buffer = fromRack();
      buffer = buffer == null ? fromHeap() : buffer;
      LockedHeap.of(buffer.span()).free(buffer);
    }

    /** States that keep their page fill the Java heap. */
    final void giveAllBack() {
      racks.shut();
      LockedHeap.of(open.span()).free(open);
      heaps.heaps().forEach(LockedHeap::giveBackSpares);
    }
  }

  /**
   * One rack, for a second time: there were two, and a thread that was late has left a buffer in
   * the other one.
   */
  abstract static class OneRack extends OwnRacks {
    /** That of the buffer last. */
    private final List<LockedHeap> read = heaps.heaps().reversed();

    OneRack() {
      super(1);
      racks.get(0).lockWaiting();
      PageBuffer late = requireNonNull(fromRack());
      racks.get(0).lock = 0;
      racks.beginCycle(); // a thread has found none free
      racks.beginCycle();
      Rack other = racks.get(1);
      other.lockWaiting();
      if (racks.count() != 1 || !other.put(late, false)) {
        throw new AssertionError("racks=" + racks.count());
      }
    }

    final int readShipped() {
      return (int) racks.usedBytesOfAll(read);
    }

    /** As above, but there may come to be more racks meanwhile. */
    final int readWithoutFreezing() {
      int count = racks.count();
      for (int i = 0; i < count; i++) {
        racks.get(i).lockWaiting();
      }
      long sumBytes = racks.usedBytesRacy();
      for (int i = 0; i < read.size(); i++) {
        sumBytes += read.get(i).usedBytesRacy();
      }
      for (int i = 0; i < count; i++) {
        racks.get(i).lock = 0;
      }
      return (int) sumBytes;
    }
  }

  /** As it is. */
  @JCStressTest
  @Outcome(
      id = {"64", "128"},
      expect = Expect.ACCEPTABLE,
      desc = "The buffer that is open all the time, and the other one.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "An open buffer was not seen.")
  @State
  public static class Shipped extends OneRack {
    @Actor
    public void use() {
      takeAndFree();
    }

    @Actor
    public void read(I_Result result) {
      result.r1 = readShipped();
    }

    @Arbiter
    public void end(I_Result result) {
      giveAllBack();
    }
  }

  /** The broken variant: the number of racks is not kept as it is while all are held. */
  @JCStressTest
  @Outcome(
      id = {"64", "128"},
      expect = Expect.ACCEPTABLE,
      desc = "Went well.")
  @Outcome(
      id = "0",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: an open buffer was not seen.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class NoFreeze extends OneRack {
    @Actor
    public void use() {
      takeAndFree();
    }

    @Actor
    public void read(I_Result result) {
      result.r1 = readWithoutFreezing();
    }

    @Arbiter
    public void end(I_Result result) {
      giveAllBack();
    }
  }

  /** Two racks that are taken, and two requests: two more are enough. */
  @JCStressTest
  @Outcome(id = "4", expect = Expect.ACCEPTABLE, desc = "One of them has doubled the racks.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Both have, or neither.")
  @State
  public static class DoubledOnce extends OwnRacks {
    /** Both are taken by threads that do not run. */
    public DoubledOnce() {
      super(2);
      racks.get(0).lockWaiting();
      racks.get(1).lockWaiting();
    }

    @Actor
    public void first() {
      takeAndFree();
    }

    @Actor
    public void second() {
      takeAndFree();
    }

    @Arbiter
    public void end(I_Result result) {
      result.r1 = racks.count();
      racks.get(0).lock = 0;
      racks.get(1).lock = 0;
      giveAllBack();
    }
  }
}
