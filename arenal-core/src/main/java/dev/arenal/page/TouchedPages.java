package dev.arenal.page;

import dev.arenal.os.OperatingSystem;
import dev.arenal.touch.TouchPiece;
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
   * The next piece of a page of {@link #heap}, either whole granules or a part of one; null if
   * there is none.
   */
  @Nullable TouchPiece next(long mostBytes) {
    while (index < heaps.size()) {
      TouchPiece piece = nextOf(heaps.get(index), mostBytes);
      if (piece != null) {
        cursor = piece.address() + piece.sizeBytes();
        return piece;
      }
      index++;
      cursor = 0;
    }
    return null;
  }

  /** Where the last piece belongs. */
  LockedHeap heap() {
    return heaps.get(index);
  }

  private @Nullable TouchPiece nextOf(LockedHeap heap, long mostBytes) {
    heap.lock.lock();
    try {
      for (int i = heap.pages.positionAt(cursor); i < heap.pages.count(); i++) {
        HeapPage page = heap.pages.get(i);
        int first = cursor <= page.memory.address ? 0 : page.unitAt(cursor);
        int from = page.nextKept(first, page.countUnits);
        if (from < page.countUnits) {
          int to = page.nextDiscarded(from, page.countUnits);
          return piece(page.addressOf(from), page.addressOf(to), mostBytes);
        }
      }
      return null;
    } finally {
      heap.unlock();
    }
  }

  /** Cut so that huge pages fit into it, or stay out of it. */
  private static TouchPiece piece(long from, long to, long mostBytes) {
    boolean isWhole = (from & (GRANULE_BYTES - 1)) == 0 && to - from >= GRANULE_BYTES;
    long end =
        isWhole
            ? from + (Math.min(to - from, Math.max(mostBytes, GRANULE_BYTES)) & -GRANULE_BYTES)
            : Math.min(to, (from & -GRANULE_BYTES) + GRANULE_BYTES);
    return new TouchPiece(from, end - from);
  }

  /** Touches what of the piece is in a page of the heap and has not gone back. */
  int touch(LockedHeap heap, TouchPiece piece, Toucher toucher) {
    long at = piece.address();
    long end = at + piece.sizeBytes();
    while (at < end) {
      heap.lock.lock();
      try {
        heap.awaitNoneLeaving();
        int position = heap.pages.positionAt(at);
        if (position == heap.pages.count()) {
          return 0;
        }
        HeapPage page = heap.pages.get(position);
        at = Math.max(at, page.memory.address);
        long stepEnd = Math.min(Math.min(end, at + STEP_BYTES), endAddress(page));
        if (at < stepEnd) {
          int error = touchKept(page, page.unitAt(at), page.unitAtOrAfter(stepEnd), toucher);
          if (error < 0) {
            return error;
          }
          at = stepEnd;
        }
      } finally {
        heap.unlock();
      }
    }
    return 0;
  }

  private int touchKept(HeapPage page, int first, int end, Toucher toucher) {
    int at = page.nextKept(first, end);
    while (at < end) {
      int to = page.nextDiscarded(at, end);
      keepHolesOpen(page, at, to);
      int error = toucher.touch(page.addressOf(at), (long) (to - at) << page.unitShift);
      if (error < 0) {
        return error;
      }
      at = page.nextKept(to, end);
    }
    return 0;
  }

  /** A huge page would back what has gone back around it. */
  private void keepHolesOpen(HeapPage page, int from, int to) {
    if (isHuge && page.discardedUnits() != 0) {
      long start = page.addressOf(from) & -GRANULE_BYTES;
      long end = (page.addressOf(to) + GRANULE_BYTES - 1) & -GRANULE_BYTES;
      if (page.isDiscarded(page.unitAt(start), page.unitAt(end))) {
        var _ = os.adviseHuge(start, end - start, false);
      }
    }
  }

  private static long endAddress(HeapPage page) {
    return page.memory.address + page.memory.sizeBytes;
  }
}
