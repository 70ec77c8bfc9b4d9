package dev.arenal.bench.stress;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/**
 * Two threads find the shared medium page full and want a piece each. Hazards: one goes without, or
 * both bring a page and one is undone. This is the refill of the package-private {@code MediumHeap}
 * with counters for pages.
 *
 * <p>Results: how many pieces each thread got, and how many pages were undone.
 *
 * <p>Run: {@code "-Dstress.args=-t MediumRefill -m quick"}, see the package.
 */
public final class MediumRefill {
  private MediumRefill() {}

  /** A page with that many pieces. */
  private static final class Page {
    private final int countPieces;
    private final AtomicInteger top = new AtomicInteger();

    Page(int countPieces) {
      this.countPieces = countPieces;
    }

    boolean bump() {
      int seen = top.get();
      while (seen < countPieces) {
        int witness = top.compareAndExchange(seen, seen + 1);
        if (witness == seen) {
          return true;
        }
        seen = witness;
      }
      return false;
    }
  }

  /** A heap whose current page is full. */
  abstract static class Heap {
    private final AtomicReference<@Nullable Page> current = new AtomicReference<>();
    private final AtomicInteger countUndone = new AtomicInteger();
    private final int piecesPerPage;

    Heap(int piecesPerPage) {
      this.piecesPerPage = piecesPerPage;
    }

    /** Bumps in the current page, or replaces it by one that is bumped before it is published. */
    final int allocateShared() {
      Page page = current.get();
      if (page != null && page.bump()) {
        return 1;
      }
      Page fresh = new Page(piecesPerPage);
      boolean isMine = fresh.bump();
      while (true) {
        Page witness = current.compareAndExchange(page, fresh);
        if (witness == page) {
          return isMine ? 1 : 0;
        }
        if (witness != null && witness.bump()) {
          countUndone.incrementAndGet();
          return 1;
        }
        page = witness;
      }
    }

    /** The same with a page that is published first. */
    final int allocatePublishedFirst() {
      Page page = current.get();
      if (page != null && page.bump()) {
        return 1;
      }
      Page fresh = new Page(piecesPerPage);
      Page witness = current.compareAndExchange(page, fresh);
      Page now = witness == page || witness == null ? fresh : witness;
      return now.bump() ? 1 : 0;
    }

    final int countUndone() {
      return countUndone.get();
    }
  }

  /** As it is: one thread at a time, who waits looks again. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "A piece each, of one page.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "One went without, or a page was undone.")
  @State
  public static class Synchronized extends Heap {
    private final ReentrantLock lock = new ReentrantLock();

    public Synchronized() {
      super(2);
    }

    @Actor
    public void first(III_Result result) {
      result.r1 = allocate();
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = allocate();
    }

    @Arbiter
    public void check(III_Result result) {
      result.r3 = countUndone();
    }

    private int allocate() {
      lock.lock();
      try {
        return allocateShared();
      } finally {
        lock.unlock();
      }
    }
  }

  /** The baseline of {@code ./arenal medium}: nobody goes without, but pages are undone. */
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
      super(2);
    }

    @Actor
    public void first(III_Result result) {
      result.r1 = allocateShared();
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = allocateShared();
    }

    @Arbiter
    public void check(III_Result result) {
      result.r3 = countUndone();
    }
  }

  /**
   * The same where a page is as large as a piece: nobody goes without, since it is bumped before.
   */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "A page each.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "One went without.")
  @State
  public static class BumpedFirst extends Heap {
    public BumpedFirst() {
      super(1);
    }

    @Actor
    public void first(III_Result result) {
      result.r1 = allocateShared();
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = allocateShared();
    }

    @Arbiter
    public void check(III_Result result) {
      result.r3 = countUndone();
    }
  }

  /** What it is not: published first, so that another thread may take the last piece of it. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = Expect.ACCEPTABLE, desc = "Went well.")
  @Outcome(
      id = {"0, 1, 0", "1, 0, 0"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: one went without.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class PublishedFirst extends Heap {
    public PublishedFirst() {
      super(1);
    }

    @Actor
    public void first(III_Result result) {
      result.r1 = allocatePublishedFirst();
    }

    @Actor
    public void second(III_Result result) {
      result.r2 = allocatePublishedFirst();
    }

    @Arbiter
    public void check(III_Result result) {
      result.r3 = countUndone();
    }
  }
}
