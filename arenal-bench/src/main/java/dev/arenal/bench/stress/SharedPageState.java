package dev.arenal.bench.stress;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread takes a piece of a shared medium page, uses it and frees it, while another thread
 * retires the page. Hazards: the page is given back while the piece is in use (in ZGC that was
 * JDK-8386128), or twice, or never. This is the protocol of the package-private {@code SharedPage}
 * with a counter for the memory: top, references and "retired" in one word.
 *
 * <p>Results: 0 if the first thread was refused, 1 if it used its piece while the page was there, 2
 * if it used what was given back already; and how often the page was given back.
 *
 * <p>Run: {@code "-Dstress.args=-t SharedPageState -m quick"}, see the package.
 */
public final class SharedPageState {
  private static final long RETIRED = Long.MIN_VALUE;
  private static final int TOP_SHIFT = 31;
  private static final long REFERENCES = (1L << TOP_SHIFT) - 1;
  private static final long BUMP = (1L << TOP_SHIFT) + 1;

  private static final int REFUSED = 0;
  private static final int USED = 1;
  private static final int USED_WHAT_IS_GONE = 2;

  private SharedPageState() {}

  /** What happens to the memory of a page. */
  abstract static class Page {
    private final AtomicInteger countGivenBack = new AtomicInteger();

    final int use() {
      return countGivenBack.get() == 0 ? USED : USED_WHAT_IS_GONE;
    }

    final void giveBack() {
      countGivenBack.incrementAndGet();
    }

    final int countGivenBack() {
      return countGivenBack.get();
    }
  }

  /** One word, as it is. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Retired first, by whom it goes back.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Used first, and gone once after that.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Used what was gone, or not given back once.")
  @State
  public static class Shipped extends Page {
    private final AtomicLong state = new AtomicLong();

    @Actor
    public void allocateAndFree(II_Result result) {
      long seen = state.get();
      while (true) {
        if (seen < 0) {
          result.r1 = REFUSED;
          return;
        }
        long witness = state.compareAndExchange(seen, seen + BUMP);
        if (witness == seen) {
          break;
        }
        seen = witness;
      }
      result.r1 = use();
      long now = state.addAndGet(-1);
      if (now < 0 && (now & REFERENCES) == 0) {
        giveBack();
      }
    }

    @Actor
    public void retire() {
      long before = state.getAndUpdate(word -> word | RETIRED);
      if ((before & REFERENCES) == 0) {
        giveBack();
      }
    }

    @Arbiter
    public void check(II_Result result) {
      result.r2 = countGivenBack();
    }
  }

  /** What it is not: the top bumped first, the reference taken afterwards, in two words. */
  @JCStressTest
  @Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Retired first.")
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Used first.")
  @Outcome(
      id = {"1, 2", "2, 2"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: retired between the two, the page goes back under the piece, and twice.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class TwoWords extends Page {
    private final AtomicInteger countReferences = new AtomicInteger();
    private final AtomicInteger top = new AtomicInteger();

    @Actor
    public void allocateAndFree(II_Result result) {
      int seen = top.get();
      if (seen < 0 || !top.compareAndSet(seen, seen + 1)) {
        result.r1 = REFUSED;
        return;
      }
      countReferences.incrementAndGet();
      result.r1 = use();
      if (countReferences.decrementAndGet() == 0 && top.get() < 0) {
        giveBack();
      }
    }

    @Actor
    public void retire() {
      top.getAndUpdate(word -> word | Integer.MIN_VALUE);
      if (countReferences.get() == 0) {
        giveBack();
      }
    }

    @Arbiter
    public void check(II_Result result) {
      result.r2 = countGivenBack();
    }
  }
}
