package dev.arenal.page;

import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.HeapPage;
import dev.arenal.page.span.Span;
import org.jspecify.annotations.Nullable;

/** Large pages of one age: one buffer in each. */
final class LargeHeap extends LockedHeap {
  LargeHeap(PageContext context, int owner, int age) {
    super(context, owner, age, false);
  }

  /** The page of a buffer of that size. */
  static long pageBytes(long sizeBytes) {
    return (sizeBytes + PageSupply.GRANULE_BYTES - 1) & -PageSupply.GRANULE_BYTES;
  }

  /** A buffer; null where there is no room. */
  @Nullable PageBuffer allocate(long sizeBytes, boolean mayGrow) {
    if (!mayGrow) {
      return null;
    }
    long leastBytes = Math.max(1, sizeBytes); // one of no bytes may be here for its alignment
    long pageBytes = pageBytes(leastBytes);
    PageMemory memory = supply.tryTake(PageKind.LARGE, pageBytes, owner);
    if (memory == null) {
      return null;
    }
    boolean isTaken = false;
    HeapPage page = null;
    PageBuffer buffer = null;
    try {
      page = new HeapPage(this, memory, (int) PageSupply.GRANULE_BYTES, context.osPageBytes());
      page.take(0, page.unitCount);
      context.spans().add(page);
      boolean mustZero = isZeroed && !memory.isZero;
      buffer = buffer(page, 0, 1, memory.address, sizeBytes, mustZero); // the page says how many
      isTaken = enroll(page, sizeBytes);
      return isTaken ? buffer : null;
    } finally {
      if (!isTaken && page != null && buffer != null && page.isIndexed()) {
        free(buffer); // the page got into the books before something else failed
      } else if (!isTaken) { // it is shut, or the Java heap is full
        if (page != null) {
          context.spans().remove(page);
        }
        supply.giveBack(memory, owner);
      }
    }
  }

  private boolean enroll(HeapPage page, long sizeBytes) {
    lock.lockAlone();
    try {
      if (!serves()) {
        return false;
      }
      pages.add(page);
      countAllocated(sizeBytes);
      return true;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  @Override
  void takeBack(Span span, int from, int count) {
    giveBack(span.page());
  }

  /** None, without a look at each page: there may be a hundred thousand of them. */
  @Override
  long freeBytes() {
    return 0;
  }

  @Override
  public void restore(HeapPage page, int from, int to) {
    throw new AssertionError("nothing was collected here: " + page);
  }
}
