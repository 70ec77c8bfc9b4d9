package dev.arenal.page.span;

import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread takes a piece of a shared medium page, uses it and frees it, while another thread
 * retires the page, or begins it anew. Hazards: the page is given back while the piece is in use
 * (in ZGC that was JDK-8386128), or twice, or never; a piece is cut twice; a piece that was used is
 * taken for zero.
 *
 * <p>This drives {@link SharedPage}. Its memory is on paper: that a page goes back is counted.
 *
 * <p>Run: {@code "-Dstress.args=-t SharedPageState -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class SharedPageState {
  private static final long OS_PAGE_BYTES = 4096;
  private static final int REFUSED = 0;
  private static final int USED = 1;
  private static final int USED_WHAT_IS_GONE = 2;

  private static final SpanOwner NOBODY =
      new SpanOwner() {
        @Override
        public void restore(HeapPage page, int from, int to) {
          throw new AssertionError("nothing was collected here: " + page);
        }

        @Override
        public void restoreSlots(Run run, int from, int to) {
          throw new AssertionError("nothing was collected here: " + run);
        }
      };

  private SharedPageState() {}

  /** A page of 2 MiB on paper, known to be zero. */
  private static SharedPage sharedPage() {
    PageMemory memory = new PageMemory(PageKind.MEDIUM, 1L << 40, 0, 1, 0);
    memory.isZero = true;
    return new SharedPage(NOBODY, memory, OS_PAGE_BYTES);
  }

  /** The events in the life of a page's memory. */
  abstract static class Counted {
    private final AtomicInteger givenBackCount = new AtomicInteger();

    final int use() {
      return givenBackCount.get() == 0 ? USED : USED_WHAT_IS_GONE;
    }

    final void giveBack() {
      givenBackCount.incrementAndGet();
    }

    final int givenBackCount() {
      return givenBackCount.get();
    }
  }

  /**
   * The page as it is. Results: 0 if the first thread was refused, 1 if it used its piece while the
   * page was there, 2 if it used what was given back already; and how often that was.
   */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Retired first, by whom it goes back.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Used first, and gone once after that.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Used what was gone, or not given back once.")
  @State
  public static class Shipped extends Counted {
    private final SharedPage page = sharedPage();

    @Actor
    public void allocateAndFree(II_Result result) {
      if (page.bumpAtomic(1) < 0) {
        result.r1 = REFUSED;
        return;
      }
      result.r1 = use();
      if (page.release()) {
        giveBack();
      }
    }

    @Actor
    public void retire() {
      if (page.retire() < 0) {
        giveBack();
      }
    }

    @Arbiter
    public void check(II_Result result) {
      result.r2 = givenBackCount();
    }
  }

  /** A buffer in a free range: the reference is taken by another method, {@code retain}. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Gone first: not ours any more.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Used first, and gone once after that.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Used what was gone, or not given back once.")
  @State
  public static class InFreeRange extends Counted {
    private final SharedPage page = sharedPage();

    public InFreeRange() {
      var _ = page.bumpAtomic(1);
      var _ = page.retire();
    }

    @Actor
    public void allocateAndFree(II_Result result) {
      if (!page.retain()) {
        result.r1 = REFUSED;
        return;
      }
      result.r1 = use();
      if (page.release()) {
        giveBack();
      }
    }

    @Actor
    public void freeTheLast() {
      if (page.release()) {
        giveBack();
      }
    }

    @Arbiter
    public void check(II_Result result) {
      result.r2 = givenBackCount();
    }
  }

  /**
   * An unused page of which four units have been handed out begins anew. Results: the first unit of
   * the piece, and ten if it began anew, one more if the piece is taken for zero.
   */
  @JCStressTest
  @Outcome(id = "0, 10", expect = Expect.ACCEPTABLE, desc = "Anew, and the piece has been used.")
  @Outcome(id = "4, 1", expect = Expect.ACCEPTABLE, desc = "Bumped first: a piece that is zero.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cut twice, or taken for zero.")
  @State
  public static class Restart {
    private final SharedPage page = sharedPage();
    private int isZero;
    private int isAnew;

    public Restart() {
      var _ = page.bumpAtomic(4);
      var _ = page.release();
    }

    @Actor
    public void allocate(II_Result result) {
      result.r1 = page.bumpAtomic(1);
      isZero = page.isStillZero(result.r1) ? 1 : 0;
    }

    @Actor
    public void restart() {
      isAnew = page.restartIfUnused() ? 10 : 0;
    }

    @Arbiter
    public void check(II_Result result) {
      result.r2 = isAnew + isZero;
    }
  }

  /**
   * The broken variant: the top bumped first, the reference taken afterwards, in two words. A
   * model, since the one word is what {@link SharedPage} is.
   */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Retired first.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Used first.")
  @Outcome(
      id = {"1, 2", "2, 2"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: retired between the two, the page goes back under the piece, and twice.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class TwoWords extends Counted {
    private final AtomicInteger referenceCount = new AtomicInteger();
    private final AtomicInteger top = new AtomicInteger();

    @Actor
    public void allocateAndFree(II_Result result) {
      int seen = top.get();
      if (seen < 0 || !top.compareAndSet(seen, seen + 1)) {
        result.r1 = REFUSED;
        return;
      }
      referenceCount.incrementAndGet();
      result.r1 = use();
      if (referenceCount.decrementAndGet() == 0 && top.get() < 0) {
        giveBack();
      }
    }

    @Actor
    public void retire() {
      top.getAndUpdate(word -> word | Integer.MIN_VALUE);
      if (referenceCount.get() == 0) {
        giveBack();
      }
    }

    @Arbiter
    public void check(II_Result result) {
      result.r2 = givenBackCount();
    }
  }

  /**
   * Another broken variant: a check whether it is retired, and a reference taken afterwards, in two
   * steps of {@link SharedPage}.
   */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Retired first.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Used first.")
  @Outcome(
      id = "2, 1",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: it goes between the look and the reference.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class LookedAtFirst extends Counted {
    private final SharedPage page = sharedPage();

    @Actor
    public void allocateAndFree(II_Result result) {
      if (page.isRetiredVolatile()) {
        result.r1 = REFUSED;
        return;
      }
      var _ = page.retain(); // whatever it says
      result.r1 = use();
      if (page.release()) {
        giveBack();
      }
    }

    @Actor
    public void retire() {
      if (page.retire() < 0) {
        giveBack();
      }
    }

    @Arbiter
    public void check(II_Result result) {
      result.r2 = givenBackCount();
    }
  }
}
