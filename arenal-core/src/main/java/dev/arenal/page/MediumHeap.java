package dev.arenal.page;

import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.HeapPage;
import dev.arenal.page.span.SearchDepth;
import dev.arenal.page.span.SharedPage;
import dev.arenal.page.span.Span;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Medium pages of one age: all threads allocate in one current page, and in the free ranges of all
 * of them.
 *
 * <p><b>Synchronized refill.</b> When the current page is full, one thread replaces it under the
 * lock, and the others wait for it and go on in the new page. Where each brings a page of its own
 * and one is taken, as ZGC did before JDK-8339387, the others are undone, and on their way they
 * have emptied the page cache. No thread waits for memory under the lock.
 */
final class MediumHeap extends RangeHeap {
  /** Below that, units of 4 KiB waste too much. */
  static final long SMALLEST_GUEST_BYTES = 32 << 10;

  private static final int UNIT_BYTES = HeapPage.MEDIUM_UNIT_BYTES;

  /** Among the holes of so many pages the best is taken: large buffers need them to fit well. */
  private static final int PAGES_COMPARED = 8;

  /** Largest size of a page. */
  private final long pageBytes;

  /** Replaced by compare-and-exchange, since the unsynchronized refill holds no lock. */
  private final AtomicReference<@Nullable SharedPage> current = new AtomicReference<>();

  /** Of buffers that were bumped without the lock. To count creates nothing. */
  private final AtomicLong bumpedBytes = new AtomicLong();

  private int topAtLastCycle = -1;

  /** Of all pages in the index. */
  private final AtomicLong sizeOfPagesBytes = new AtomicLong();

  /**
   * No page yet.
   *
   * @param pageBytes size of a page; an eighth of it is the largest buffer
   */
  MediumHeap(PageContext context, int owner, int age, long pageBytes) {
    super(context, owner, age, UNIT_BYTES, PAGES_COMPARED);
    this.pageBytes = pageBytes;
  }

  /** The size of a page for that capacity: 3.125 %, from 4 to 32 MiB; 0 if there are none. */
  static long pageBytes(long capacityBytes) {
    long wanted = Long.highestOneBit(Math.max(1, capacityBytes >> 5));
    return wanted < 4 << 20 ? 0 : Math.min(wanted, 32 << 20);
  }

  /** The largest buffer for that size of pages. */
  static long largestBytes(long pageBytes) {
    return pageBytes >> 3;
  }

  /** A buffer; null where there is no room. Takes the lock if it has to. */
  @Nullable PageBuffer allocate(long sizeBytes, long alignmentBytes, boolean mayGrow) {
    int units = unitsOf(sizeBytes);
    int alignment = unitsOf(alignmentBytes);
    PageBuffer buffer = null;
    if (mayHave(units, SearchDepth.COMMITTED) && lock.tryLock()) {
      // Holes first; but no thread waits for them while the current page has room.
      try {
        drain();
        buffer =
            serves() ? allocateRange(units, alignment, sizeBytes, SearchDepth.COMMITTED) : null;
      } finally {
        lock.unlock();
        drainIfFree();
      }
    }
    if (buffer == null) {
      buffer = bump(current.get(), units, alignment, sizeBytes);
    }
    if (buffer != null) {
      return buffer;
    }
    return context.isRefillSynchronized()
        ? refillSynchronized(units, alignment, sizeBytes, mayGrow)
        : refillUnsynchronized(units, alignment, sizeBytes, mayGrow);
  }

  private @Nullable PageBuffer refillSynchronized(
      int units, int alignment, long sizeBytes, boolean mayGrow) {
    acquire();
    try {
      drain();
      if (!serves()) {
        return null;
      }
      PageBuffer buffer = allocateRange(units, alignment, sizeBytes, SearchDepth.COMMITTED);
      if (buffer == null) {
        // Another thread may have brought a page while we waited.
        buffer = bump(current.get(), units, alignment, sizeBytes);
      }
      if (buffer == null) {
        buffer = allocateRange(units, alignment, sizeBytes, SearchDepth.DISCARDED);
      }
      return buffer != null ? buffer : allocateShared(units, alignment, sizeBytes, mayGrow);
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /**
   * A buffer in a free range, also a small one that has no room elsewhere; null if there is none.
   */
  @Nullable PageBuffer allocateInFree(
      long sizeBytes, long alignmentBytes, SearchDepth depth, boolean mayWait) {
    if (sizeBytes > pageBytes) {
      return null; // and its units may be more than an int
    }
    int units = unitsOf(sizeBytes);
    int alignment = unitsOf(alignmentBytes);
    if (!mayHave(units, depth) || !acquire(mayWait)) {
      return null;
    }
    try {
      drain();
      return serves() ? allocateRange(units, alignment, sizeBytes, depth) : null;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /** The earlier algorithm of ZGC: the baseline of the lab. */
  private @Nullable PageBuffer refillUnsynchronized(
      int units, int alignment, long sizeBytes, boolean mayGrow) {
    lock.lock();
    try {
      drain();
      PageBuffer buffer =
          serves() ? allocateRange(units, alignment, sizeBytes, SearchDepth.DISCARDED) : null;
      if (buffer != null || !serves()) {
        return buffer;
      }
    } finally {
      lock.unlock();
      drainIfFree();
    }
    return allocateShared(units, alignment, sizeBytes, mayGrow);
  }

  /** Bumps in the current page, and replaces it if it is full. */
  private @Nullable PageBuffer allocateShared(
      int units, int alignment, long sizeBytes, boolean mayGrow) {
    SharedPage page = current.get();
    PageBuffer buffer = bump(page, units, alignment, sizeBytes);
    if (buffer != null || !mayGrow) {
      return buffer;
    }
    SharedPage added = null;
    boolean isPublished = false;
    try {
      added = newPage(units);
      if (added == null) {
        return null;
      }
      reserveFor(added);
      // Before it is published: then the winner has its piece for certain.
      boolean mustZero = isZeroed && !added.isStillZero(0);
      PageBuffer first =
          bufferBehind(added, added.bumpAtomic(units), 0, units, sizeBytes, mustZero);
      while (true) {
        SharedPage witness = current.compareAndExchange(page, added);
        if (witness == page) {
          isPublished = true;
          var _ = bumpedBytes.addAndGet(sizeBytes);
          replace(page, added);
          return first;
        }
        buffer = bump(witness, units, alignment, sizeBytes);
        if (buffer != null) {
          return buffer;
        }
        page = witness;
      }
    } finally {
      if (added != null && !isPublished) { // another thread was first, or the Java heap is full
        context.spans().remove(added);
        supply.undo(added.memory);
      }
    }
  }

  /** A page that has been published must need no Java heap to be enrolled. */
  private void reserveFor(SharedPage page) {
    lock.lock();
    try {
      pages.reserve(page.memory);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  private @Nullable SharedPage newPage(int units) {
    // Any that takes the largest buffer will do if the cache has it: no call into the kernel.
    long least = Math.max(PageSupply.GRANULE_BYTES, pageBytes >> 3);
    PageMemory memory = supply.tryTakeCached(PageKind.MEDIUM, least, pageBytes, owner);
    // Near the end of the capacity a smaller page is better than none.
    for (long sizeBytes = wantedPageBytes();
        memory == null && sizeBytes >= PageSupply.GRANULE_BYTES && sizeBytes >= bytesOf(units);
        sizeBytes >>= 1) {
      memory = supply.tryTake(PageKind.MEDIUM, sizeBytes, owner);
    }
    if (memory == null) {
      return null;
    }
    try {
      SharedPage page = new SharedPage(this, memory, context.osPageBytes());
      context.spans().add(page);
      return page;
    } catch (Throwable e) { // the Java heap is full
      supply.giveBack(memory, owner);
      throw e;
    }
  }

  private static long bytesOf(int units) {
    return (long) units * UNIT_BYTES;
  }

  /**
   * A sixteenth of what this heap has, in powers of two: where there is little, a page of 32 MiB is
   * pinned too easily, and its unused rest is a large part of the whole.
   */
  private long wantedPageBytes() {
    long wanted = Long.highestOneBit(Math.max(1, sizeOfPagesBytes.get() >> 4));
    return Math.clamp(wanted, Math.max(PageSupply.GRANULE_BYTES, pageBytes >> 3), pageBytes);
  }

  private @Nullable PageBuffer bump(
      @Nullable SharedPage page, int units, int alignment, long sizeBytes) {
    int from = page == null ? -1 : page.bumpAtomic(units, alignment);
    if (page == null || from < 0) {
      return null;
    }
    int gap = SharedPage.gap(from, alignment);
    try {
      boolean mustZero = isZeroed && !page.isStillZero(from);
      PageBuffer buffer = bufferBehind(page, from, gap, units, sizeBytes, mustZero);
      var _ = bumpedBytes.addAndGet(sizeBytes);
      return buffer;
    } catch (OutOfMemoryError e) { // of the Java heap
      returnPiece(page, from, from + gap + units);
      throw e;
    }
  }

  /**
   * Of so many units behind a gap, which comes back with them.
   *
   * @param from where the gap begins
   */
  private PageBuffer bufferBehind(
      SharedPage page, int from, int gap, int units, long sizeBytes, boolean mustZero) {
    long address = page.addressOf(from + gap);
    return buffer(page, from, gap + units, address, sizeBytes, mustZero);
  }

  private void returnPiece(SharedPage page, int from, int to) {
    lock.lock();
    try {
      takeUnits(page, from, to);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /** A page has become the current one in place of another; puts both into the books. */
  private void replace(@Nullable SharedPage old, SharedPage added) {
    lock.lock();
    try {
      enroll(added);
      if (old != null) {
        retire(old);
      }
      topAtLastCycle = -1;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /** A buffer of a page may be freed before the thread that brought the page gets the lock. */
  private void enroll(SharedPage page) {
    if (!page.isIndexed()) {
      pages.add(page);
      sizeOfPagesBytes.addAndGet(page.memory.sizeBytes);
    }
  }

  private void giveBackShared(HeapPage page) {
    sizeOfPagesBytes.addAndGet(-page.memory.sizeBytes);
    giveBack(page);
  }

  /** The page is no longer current: the range above its top is free; the lock is held. */
  private void retire(SharedPage page) {
    enroll(page);
    int top = page.retire();
    if (top < 0) {
      giveBackShared(page);
    } else if (top < page.unitCount) {
      page.give(top, page.unitCount);
      pages.update(page);
    }
    publishLongest();
  }

  @Override
  PageKind kind() {
    return PageKind.MEDIUM;
  }

  /** Memory above the top of the current page is free too. */
  @Override
  void tally(PageTally tally) {
    super.tally(tally);
    tally.addFree(bytesAboveTheTop());
  }

  /** Of the current page, if it is in the books. */
  long bytesAboveTheTop() {
    SharedPage page = current.get();
    return page != null && page.isIndexed()
        ? (long) (page.unitCount - page.topVolatile()) << page.unitShift
        : 0;
  }

  @Override
  void takeBack(Span span, int from, int count) {
    takeUnits((SharedPage) span.page(), from, from + count);
  }

  /** Units that were in use before; the lock is held. */
  private void takeUnits(SharedPage page, int from, int to) {
    enroll(page);
    var _ = page.markDirty(from, to);
    page.give(from, to);
    if (page.release()) {
      giveBackShared(page);
    } else {
      restartIfUnused(page);
      pages.update(page);
    }
    publishLongest();
  }

  /** An unused current page begins anew, if all that was handed out of it is there. */
  private static void restartIfUnused(SharedPage page) {
    boolean isWhole = page.usedUnits() == page.unitCount - page.topVolatile();
    if (isWhole && page.discardedUnits() == 0 && page.restartIfUnused()) {
      page.takeAll();
    }
  }

  // ---- giving memory back while survivors pin a page ----

  @Override
  void beginCycle() {
    super.beginCycle();
    SharedPage page = current.get();
    topAtLastCycle = page == null ? -1 : page.topVolatile();
  }

  /** A current page in which nothing was allocated for a cycle is current no more. */
  @Override
  void giveBackSpares(boolean evenSinceCycle) {
    SharedPage page = current.get();
    if (page != null
        && (evenSinceCycle || page.topVolatile() == topAtLastCycle)
        && current.compareAndSet(page, null)) {
      retire(page);
    }
  }

  @Override
  public void restore(HeapPage page, int from, int to) {
    page.give(from, to);
    if (((SharedPage) page).release()) {
      giveBackShared(page);
    } else {
      pages.update(page);
    }
    publishLongest();
  }

  @Override
  long allocatedBytesOpaque() {
    return super.allocatedBytesOpaque() + bumpedBytes.get();
  }

  @Override
  long usedBytesOpaque() {
    return super.usedBytesOpaque() + bumpedBytes.get();
  }
}
