package dev.arenal.page.span;

import dev.arenal.page.granule.PageMemory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A medium page, which all threads share: where the next buffer begins, how many there are, and
 * whether it still is the current page, in one word.
 *
 * <p>One word, so that no thread can be about to take a piece of a page that another one is giving
 * back: a thread that takes a piece holds a reference from the same instant. ZGC had the two apart,
 * and a page could be retired while another thread was still allocating in it (JDK-8386128).
 */
public final class SharedPage extends HeapPage {
  private static final long RETIRED = Long.MIN_VALUE;
  private static final int TOP_SHIFT = 31;
  private static final long REFERENCE = 1;
  private static final long REFERENCES = (1L << TOP_SHIFT) - 1;

  /**
   * Bit 63: retired; bits 31 to 62: units below the top; bits 0 to 30: references.
   *
   * <p>No field with a {@code VarHandle}: its first use links it, which wants Java heap, and may be
   * where units have been given back already.
   */
  private final AtomicLong state = new AtomicLong();

  /** Units from here on have not been handed out since the memory was zero. */
  private volatile int zeroFrom;

  /** Nothing in it yet; all units count as used until they are given back. */
  public SharedPage(SpanOwner owner, PageMemory memory, long osPageBytes) {
    super(owner, memory, MEDIUM_UNIT_BYTES, osPageBytes);
    takeAll();
    zeroFrom = memory.isZero ? 0 : unitCount;
  }

  /**
   * Takes the next units and a reference.
   *
   * @return the first unit, or -1 if there is no room above the top or the page is retired
   */
  public int bumpAtomic(int units) {
    return bumpAtomic(units, 1);
  }

  /** The same, with as many more before them as make them aligned; returns the first of those. */
  public int bumpAtomic(int units, int alignmentUnits) {
    long seen = state.get();
    while (true) {
      int top = top(seen);
      int taken = gap(top, alignmentUnits) + units;
      if (seen < 0 || top + taken > unitCount) {
        return -1;
      }
      long witness = state.compareAndExchange(seen, seen + ((long) taken << TOP_SHIFT) + REFERENCE);
      if (witness == seen) {
        return top;
      }
      seen = witness;
    }
  }

  /** Units from there up to the next aligned one. */
  public static int gap(int from, int alignmentUnits) {
    return -from & (alignmentUnits - 1);
  }

  @Override
  public void retainPart() {
    if (!retain()) { // retired pages with nothing in them are not in the index
      throw new AssertionError("INV-MEDIUM-1 page in the index is nobody's: " + this);
    }
  }

  /**
   * Takes a reference, for a buffer in a free range.
   *
   * @return false if the page is retired and its last buffer is gone: it is not ours any more
   */
  boolean retain() {
    long seen = state.get();
    while (true) {
      if (seen < 0 && (seen & REFERENCES) == 0) {
        return false;
      }
      long witness = state.compareAndExchange(seen, seen + REFERENCE);
      if (witness == seen) {
        return true;
      }
      seen = witness;
    }
  }

  /**
   * Drops a reference.
   *
   * @return whether it was the last one of a retired page: the caller gives the page back, and no
   *     other one does
   */
  public boolean release() {
    long now = state.addAndGet(-REFERENCE);
    return now < 0 && (now & REFERENCES) == 0;
  }

  /**
   * No buffer is taken above the top from now on.
   *
   * @return the top, or -1 if there is no buffer in the page: the caller gives it back then
   */
  public int retire() {
    long before;
    do {
      before = state.get();
      if (before < 0) {
        throw new IllegalStateException("page is already retired: " + this);
      }
    } while (!state.compareAndSet(before, before | RETIRED));
    return (before & REFERENCES) == 0 ? -1 : top(before);
  }

  /**
   * Begins at the bottom again if there is no buffer in the page.
   *
   * @return whether it did; all units count as used then
   */
  public boolean restartIfUnused() {
    long seen = state.get();
    if (seen < 0 || seen == 0 || (seen & REFERENCES) != 0) {
      return false;
    }
    // Pairs with isStillZero: a thread that bumps after the exchange sees this.
    zeroFrom = Math.max(zeroFrom, top(seen));
    return state.compareAndSet(seen, 0);
  }

  /** Whether units that {@link #bumpAtomic} returned are known to be zero. */
  public boolean isStillZero(int from) {
    return from >= zeroFrom;
  }

  boolean isRetiredVolatile() {
    return state.get() < 0;
  }

  /** The first unit that was never handed out since it began. */
  public int topVolatile() {
    return top(state.get());
  }

  int referencesVolatile() {
    return (int) (state.get() & REFERENCES);
  }

  private static int top(long state) {
    return (int) ((state & Long.MAX_VALUE) >>> TOP_SHIFT);
  }
}
