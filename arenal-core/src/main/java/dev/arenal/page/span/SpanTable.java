package dev.arenal.page.span;

import dev.arenal.os.CarrierLock;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers for spans, so that lists of buffers are lists of numbers: a reference that is written
 * into an old array costs a memory fence in some collectors.
 */
public final class SpanTable {
  /** Mostly taken with the lock of a heap held; nothing is taken after it. */
  final CarrierLock lock = new CarrierLock();

  /** Written under the lock; an element never changes while its number is in use. */
  private volatile @Nullable Span[] spans = new @Nullable Span[16];

  /** Numbers that are free; a stack. Guarded by the lock, as all below. */
  private int[] free = new int[16];

  private int freeCount;
  private int numberCount;

  /** Gives a span its number; where the Java heap is full, nothing has changed. */
  public void add(Span span) {
    lock.lock();
    try {
      if (freeCount == 0 && numberCount == spans.length) {
        // Space for all numbers to come free: that must not need the heap.
        int[] longer = Arrays.copyOf(free, 2 * numberCount);
        spans = Arrays.copyOf(spans, 2 * numberCount);
        free = longer;
      }
      span.id = freeCount > 0 ? free[--freeCount] : numberCount++;
      spans[span.id] = span;
    } finally {
      lock.unlock();
    }
  }

  /** Its number may be another's from now on; no effect if it has none. */
  public void remove(Span span) {
    lock.lock();
    try {
      if (span.id >= 0) {
        spans[span.id] = null;
        free[freeCount++] = span.id;
        span.id = -1;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The span with that number; null if the calling thread has not heard of it yet. */
  public @Nullable Span getRacy(int id) {
    @Nullable Span[] known = spans;
    return id < known.length ? known[id] : null;
  }
}
