package dev.arenal.page;

import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.HeapPage;
import dev.arenal.page.span.SearchDepth;
import dev.arenal.page.span.SharedPage;
import dev.arenal.page.span.Span;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Medium pages of one age: all threads allocate in one current page, and in the free ranges of all
 * of them.
 *
 * <p><b>Synchronized refill.</b> When the current page is full, one thread replaces it under the
 * lock, and the others wait for it and go on in the new page. No thread waits for memory under the
 * lock.
 *
 * <p>In an experiment of the lab each thread brings a page of its own, without the lock, as in ZGC
 * before JDK-8339387. The first page is published, the others are undone; meanwhile the page cache
 * lacks them. Both variants publish a page under the lock, where a shut heap refuses it.
 */
final class MediumHeap extends RangeHeap {
  /** Below that, units of 4 KiB waste too much. */
  static final long SMALLEST_GUEST_BYTES = 32 << 10;

  private static final int UNIT_BYTES = HeapPage.MEDIUM_UNIT_BYTES;

  /** Among the holes of so many pages the best is taken: large buffers need them to fit well. */
  private static final int PAGES_COMPARED = 8;

  /** Largest size of a page. */
  private final long pageBytes;

  /** Replaced under the lock, together with the books; read without it. */
  private volatile @Nullable SharedPage current;

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
      buffer = allocateUnlocking(units, alignment, sizeBytes, SearchDepth.COMMITTED);
    }
    if (buffer == null) {
      buffer = bump(current, units, alignment, sizeBytes);
    }
    return buffer != null ? buffer : refill(units, alignment, sizeBytes, mayGrow);
  }

  private @Nullable PageBuffer refill(int units, int alignment, long sizeBytes, boolean mayGrow) {
    var _ = acquire(true);
    try {
      drain();
      if (!serves()) {
        return null;
      }
      PageBuffer buffer = allocateRange(units, alignment, sizeBytes, SearchDepth.COMMITTED);
      if (buffer == null) {
        // Another thread may have brought a page while we waited.
        buffer = bump(current, units, alignment, sizeBytes);
      }
      if (buffer == null) {
        buffer = allocateRange(units, alignment, sizeBytes, SearchDepth.DISCARDED);
      }
      if (buffer != null || !mayGrow) {
        return buffer;
      }
      if (context.isRefillSynchronized()) {
        return allocateInNew(units, alignment, sizeBytes);
      }
    } finally {
      lock.unlock();
      drainIfFree();
    }
    return allocateInNew(units, alignment, sizeBytes); // in the experiment of the lab
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
    return mayHave(units, depth) && acquire(mayWait)
        ? allocateUnlocking(units, unitsOf(alignmentBytes), sizeBytes, depth)
        : null;
  }

  /**
   * A buffer in a page that the thread brings, or in that of a thread that was faster. Where the
   * lock is not held, another thread may have done anything until the page is there.
   */
  private @Nullable PageBuffer allocateInNew(int units, int alignment, long sizeBytes) {
    SharedPage added = null;
    boolean isUsed = false;
    try {
      added = newPage(units);
      lock.lock();
      try {
        if (!serves()) {
          return null;
        }
        PageBuffer buffer = bump(current, units, alignment, sizeBytes);
        if (buffer == null && added != null) {
          buffer = allocateFirst(added, units, sizeBytes);
          isUsed = true;
          publish(added, sizeBytes);
        }
        return buffer;
      } catch (OutOfMemoryError e) {
        if (isUsed) { // in the books, but its first buffer is nobody's
          supply.damage.cause = e;
        }
        throw e;
      } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
        supply.damage.cause = e; // before anyone else has the lock
        throw e;
      } finally {
        lock.unlock();
        drainIfFree();
      }
    } finally {
      if (added != null && !isUsed) { // another thread was first, or the Java heap is full
        context.spans().remove(added);
        supply.undo(added.memory);
        context.stalls().signal();
      }
    }
  }

  /** Comes before the page is published, which must need no Java heap; the lock is held. */
  private PageBuffer allocateFirst(SharedPage page, int units, long sizeBytes) {
    pages.reserve(page.memory);
    boolean mustZero = isZeroed && !page.isStillZero(0);
    int from = page.bumpAtomic(units);
    return buffer(page, from, units, page.addressOf(from), sizeBytes, mustZero);
  }

  /** Makes a page with one buffer the current one, and retires the one before; the lock is held. */
  private void publish(SharedPage added, long firstBytes) {
    pages.add(added);
    sizeOfPagesBytes.addAndGet(added.memory.sizeBytes);
    var _ = bumpedBytes.addAndGet(firstBytes);
    SharedPage old = current;
    current = added;
    if (old != null) {
      retire(old);
    }
    topAtLastCycle = -1;
    publishLongest();
  }

  private @Nullable SharedPage newPage(int units) {
    // Any that takes the largest buffer will do if the cache has it: no call into the kernel.
    long least = Math.max(PageSupply.GRANULE_BYTES, pageBytes >> 3);
    PageMemory memory = supply.tryTakeCached(PageKind.MEDIUM, least, pageBytes, owner);
    if (memory == null) {
      // A thirty-second part of what this heap has, in powers of two: a new page is committed as a
      // whole, before anything is given back for it, and a large one is pinned too easily (ADR
      // 0054). Near the end of the capacity a smaller page is better than none.
      long part = Long.highestOneBit(Math.max(1, sizeOfPagesBytes.get() >> 5));
      long wanted = Math.clamp(part, least, pageBytes);
      long leastNew = Math.max(PageSupply.GRANULE_BYTES, (long) units * UNIT_BYTES);
      memory = supply.tryTakeHalving(PageKind.MEDIUM, wanted, leastNew, owner);
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

  private @Nullable PageBuffer bump(
      @Nullable SharedPage page, int units, int alignment, long sizeBytes) {
    int from = page == null ? -1 : page.bumpAtomic(units, alignment);
    if (page == null || from < 0) {
      return null;
    }
    int gap = SharedPage.gap(from, alignment);
    try {
      boolean mustZero = isZeroed && !page.isStillZero(from);
      long address = page.addressOf(from + gap); // the gap comes back with its units
      PageBuffer buffer = buffer(page, from, gap + units, address, sizeBytes, mustZero);
      var _ = bumpedBytes.addAndGet(sizeBytes);
      return buffer;
    } catch (OutOfMemoryError e) { // of the Java heap
      returnPiece(page, from, from + gap + units);
      throw e;
    }
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

  private void giveBackShared(HeapPage page) {
    sizeOfPagesBytes.addAndGet(-page.memory.sizeBytes);
    giveBack(page);
  }

  /** The page is no longer current: the range above its top is free; the lock is held. */
  private void retire(SharedPage page) {
    int top = page.retire();
    if (top < 0) {
      giveBackShared(page);
    } else if (top < page.unitCount) {
      noteHole((long) (page.unitCount - top) << page.unitShift);
      page.give(top, page.unitCount);
      pages.update(page);
    }
    publishLongest();
  }

  /** Memory above the top of the current page is free too. */
  @Override
  void tally(PageTally tally) {
    super.tally(tally);
    tally.freeBytes += bytesAboveTheTop();
  }

  /** Of the current page. */
  long bytesAboveTheTop() {
    SharedPage page = current;
    return page != null ? (long) (page.unitCount - page.topVolatile()) << page.unitShift : 0;
  }

  @Override
  void takeBack(Span span, int from, int count) {
    takeUnits((SharedPage) span.page(), from, from + count);
  }

  /** Units that were in use before; the lock is held. */
  private void takeUnits(SharedPage page, int from, int to) {
    var _ = page.markDirty(from, to);
    noteHole((long) (to - from) << page.unitShift);
    restore(page, from, to);
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
    SharedPage page = current;
    topAtLastCycle = page == null ? -1 : page.topVolatile();
  }

  /** A current page in which nothing was allocated for a cycle is current no more. */
  @Override
  void giveBackSpares(boolean evenSinceCycle) {
    SharedPage page = current;
    if (page != null && (evenSinceCycle || page.topVolatile() == topAtLastCycle)) {
      current = null;
      retire(page);
    }
  }

  @Override
  public void restore(HeapPage page, int from, int to) {
    page.give(from, to);
    SharedPage shared = (SharedPage) page;
    if (shared.release()) {
      giveBackShared(shared);
    } else {
      restartIfUnused(shared);
      pages.update(shared);
    }
    publishLongest();
  }

  @Override
  long allocatedBytesRacy() {
    return super.allocatedBytesRacy() + bumpedBytes.get();
  }

  @Override
  long usedBytesRacy() {
    return super.usedBytesRacy() + bumpedBytes.get();
  }
}
