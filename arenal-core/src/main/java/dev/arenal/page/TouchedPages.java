package dev.arenal.page;

import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import dev.arenal.touch.Toucher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pretouch makes resident in pages in use: all that has not gone back to the kernel, whether
 * a buffer lies there or not.
 *
 * <p>Touched under the lock of the heap, a step at a time, since a page, or a part of it, may go
 * back to the kernel at any time else; and never while a part is on its way there, since it would
 * be resident then, or inaccessible.
 */
final class TouchedPages {
  /** So much the lock of a heap is held for: some ten microseconds, unless the kernel is slow. */
  private static final long STEP_BYTES = 256 << 10;

  private static final long GRANULE_BYTES = PageSupply.GRANULE_BYTES;

  private final OperatingSystem os;
  private final List<LockedHeap> heaps;
  private final boolean isHuge;

  /** The heap whose turn it is, and where in it; one thread at a time. */
  private int index;

  private long cursor;

  /**
   * Nothing yet.
   *
   * @param isHuge whether somebody asks for huge pages: they must not fill holes
   */
  TouchedPages(OperatingSystem os, List<LockedHeap> heaps, boolean isHuge) {
    this.os = os;
    this.heaps = heaps;
    this.isHuge = isHuge;
  }

  /**
   * Whole granules of one page.
   *
   * @param keptBytes of it that have not gone back to the kernel
   */
  record Span(LockedHeap heap, long address, long endAddress, long keptBytes) {
    boolean hasHoles() {
      return keptBytes < endAddress - address;
    }
  }

  /** What comes next; null if there is nothing. Of about that many bytes, but of one granule. */
  @Nullable Span next(long mostBytes) {
    while (index < heaps.size()) {
      Span span = nextOf(heaps.get(index), mostBytes);
      if (span != null) {
        cursor = span.endAddress;
        return span;
      }
      index++;
      cursor = 0;
    }
    return null;
  }

  private @Nullable Span nextOf(LockedHeap heap, long mostBytes) {
    heap.lock.lock();
    try {
      for (int i = heap.pages.positionAt(cursor); i < heap.pages.count(); i++) {
        Span span = spanOf(heap, heap.pages.get(i), mostBytes);
        if (span != null) {
          return span;
        }
      }
      return null;
    } finally {
      heap.lock.unlock();
      heap.drainIfFree();
    }
  }

  /** Where huge pages are asked for, either all of its granules have holes, or none has. */
  private @Nullable Span spanOf(LockedHeap heap, HeapPage page, long mostBytes) {
    long end = endAddress(page);
    long from = Math.max(cursor, page.memory.address);
    while (from < end && keptBytes(page, from) == 0) {
      from += GRANULE_BYTES;
    }
    if (from == end) {
      return null;
    }
    boolean hasHoles = keptBytes(page, from) < GRANULE_BYTES;
    end = Math.min(end, from + Math.max(mostBytes & -GRANULE_BYTES, GRANULE_BYTES));
    long to = from;
    long sumBytes = 0;
    while (to < end) {
      long keptBytes = keptBytes(page, to);
      if (keptBytes == 0 || (isHuge && hasHoles != keptBytes < GRANULE_BYTES)) {
        break;
      }
      sumBytes += keptBytes;
      to += GRANULE_BYTES;
    }
    return new Span(heap, from, to, sumBytes);
  }

  private static long keptBytes(HeapPage page, long granuleAddress) {
    int from = page.unitAt(granuleAddress);
    int to = page.unitAt(granuleAddress + GRANULE_BYTES);
    return GRANULE_BYTES - ((long) page.countDiscarded(from, to) << page.unitShift);
  }

  /** Touches what of it is in a page of the heap and has not gone back. */
  int touch(Span span, Toucher toucher) {
    LockedHeap heap = span.heap;
    long at = span.address;
    while (at < span.endAddress) {
      heap.lock.lock();
      try {
        if (!heap.awaitNoneLeaving()) {
          return -Errno.EAGAIN;
        }
        int position = heap.pages.positionAt(at);
        if (position == heap.pages.count()) {
          return 0;
        }
        HeapPage page = heap.pages.get(position);
        at = Math.max(at, page.memory.address);
        long stepEnd = Math.min(Math.min(span.endAddress, at + STEP_BYTES), endAddress(page));
        if (at < stepEnd) {
          // Holes that it had before are known once for each granule; others may come at any time.
          if (isHuge && (!span.hasHoles() || (at & (GRANULE_BYTES - 1)) == 0)) {
            keepHolesOpen(page, at);
          }
          int error = touchKept(page, at, stepEnd, toucher);
          if (error < 0) {
            return error;
          }
          at = stepEnd;
        }
      } finally {
        heap.lock.unlock();
        heap.drainIfFree();
      }
    }
    return 0;
  }

  /** A unit may be larger than a step, and is in holes as a whole only. */
  private static int touchKept(HeapPage page, long from, long to, Toucher toucher) {
    int end = page.unitAtOrAfter(to);
    int at = page.nextKept(page.unitAt(from), end);
    while (at < end) {
      int next = page.nextDiscarded(at, end);
      long start = Math.max(from, page.addressOf(at));
      int error = toucher.touch(start, Math.min(to, page.addressOf(next)) - start);
      if (error < 0) {
        return error;
      }
      at = page.nextKept(next, end);
    }
    return 0;
  }

  /** A huge page would fill the holes of the granule, which may have none at its turn. */
  private void keepHolesOpen(HeapPage page, long address) {
    long start = address & -GRANULE_BYTES;
    if (keptBytes(page, start) < GRANULE_BYTES) {
      var _ = os.adviseHuge(start, GRANULE_BYTES, false);
    }
  }

  private static long endAddress(HeapPage page) {
    return page.memory.address + page.memory.sizeBytes;
  }
}
