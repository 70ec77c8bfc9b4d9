package dev.arenal.page;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads find no current medium page and want a piece each. Hazards: one goes without, or both
 * bring a page and one is undone.
 *
 * <p>This drives {@link MediumHeap} over a real supply. Results: whether each thread got its piece,
 * and whether a page was undone.
 *
 * <p>Run: {@code "-Dstress.args=-t MediumRefill -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class MediumRefill {
  private MediumRefill() {}

  /** A heap without a page, and the piece of each thread. */
  abstract static class Heap {
    private final MediumHeap heap;
    private final long pieceBytes;
    private @Nullable PageBuffer one;
    private @Nullable PageBuffer two;

    /** Pages of 2 MiB, for that many pieces. */
    Heap(int piecesPerPage, boolean isSynchronized) {
      this.pieceBytes = 2 * StressPages.MIB / piecesPerPage;
      this.heap = StressPages.mediumHeap(2 * StressPages.MIB, isSynchronized);
    }

    final int allocateOne() {
      one = heap.allocate(pieceBytes, 1, true);
      return one == null ? 0 : 1;
    }

    final int allocateTwo() {
      two = heap.allocate(pieceBytes, 1, true);
      return two == null ? 0 : 1;
    }

    /** Gives all back, and says whether a page was undone. */
    final int finish() {
      int undone = StressPages.undone(heap);
      close(one);
      close(two);
      heap.giveBackSpares();
      return undone;
    }

    private static void close(@Nullable PageBuffer buffer) {
      if (buffer != null) {
        buffer.close();
      }
    }
  }

  /** As it is: one thread at a time, and a thread that has waited looks again. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "A piece each, of one page.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "One went without, or a page was undone.")
  @State
  public static class Synchronized extends Heap {
    public Synchronized() {
      super(2, true);
    }

    @Actor
    public void first(III_Result result) {
      result.r1 = allocateOne();
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = allocateTwo();
    }

    @Arbiter
    public void check(III_Result result) {
      result.r3 = finish();
    }
  }

  /** The baseline of {@code ./arenal medium}: no thread goes without, but pages are undone. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "One was faster.")
  @Outcome(
      id = "1, 1, 1",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: a page was taken for nothing.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "One went without.")
  @State
  public static class Unsynchronized extends Heap {
    public Unsynchronized() {
      super(2, false);
    }

    @Actor
    public void first(III_Result result) {
      result.r1 = allocateOne();
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = allocateTwo();
    }

    @Arbiter
    public void check(III_Result result) {
      result.r3 = finish();
    }
  }

  /**
   * The same where a page is as large as a piece: no thread goes without, since it is bumped
   * before.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "A page each.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "One went without.")
  @State
  public static class BumpedFirst extends Heap {
    public BumpedFirst() {
      super(1, false);
    }

    @Actor
    public void first(III_Result result) {
      result.r1 = allocateOne();
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = allocateTwo();
    }

    @Arbiter
    public void check(III_Result result) {
      result.r3 = finish();
    }
  }

  /**
   * The broken variant: published first, so that another thread may take the last piece of it. A
   * model of these lines alone, since their order is inside a method of {@link MediumHeap}.
   */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Went well.")
  @Outcome(
      id = {"0, 1", "1, 0"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: one went without.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class PublishedFirst {
    private final AtomicReference<@Nullable AtomicInteger> current = new AtomicReference<>();

    /** A page is the number of its pieces. */
    @SuppressWarnings("ReferenceEquality") // a page is what it is by identity
    private int allocate() {
      AtomicInteger page = current.get();
      if (page != null && page.getAndDecrement() > 0) {
        return 1;
      }
      AtomicInteger added = new AtomicInteger(1);
      AtomicInteger witness = current.compareAndExchange(page, added);
      AtomicInteger now = witness == page || witness == null ? added : witness;
      return now.getAndDecrement() > 0 ? 1 : 0;
    }

    @Actor
    public void first(II_Result result) {
      result.r1 = allocate();
    }

    @Actor
    public void second(II_Result result) {
      result.r2 = allocate();
    }
  }
}
