package dev.arenal.page;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heaps for buffers of one age: small ones in stripes, one for medium buffers, one for large
 * ones.
 */
@SuppressWarnings("ReferenceEquality") // of heaps
final class AgeHeaps {
  /** For buffers up to 8 KiB; apart, since their runs pin a page that ranges would leave. */
  private final SmallHeap[] slots;

  /** For larger ones. */
  private final SmallHeap[] ranges;

  private final @Nullable MediumHeap medium;
  private final LargeHeap large;
  private final long largestMediumBytes;

  /**
   * Heaps without a page.
   *
   * @param firstOwner number of the first heap; one for each of {@link #heaps}
   * @param countStripes a power of two
   */
  AgeHeaps(PageContext context, long capacityBytes, int firstOwner, int countStripes) {
    slots = new SmallHeap[countStripes];
    ranges = new SmallHeap[countStripes];
    for (int i = 0; i < countStripes; i++) {
      slots[i] = new SmallHeap(context, firstOwner + i);
      ranges[i] = new SmallHeap(context, firstOwner + countStripes + i);
    }
    long mediumPageBytes = MediumHeap.pageBytes(capacityBytes);
    largestMediumBytes = MediumHeap.largestBytes(mediumPageBytes);
    medium =
        mediumPageBytes == 0
            ? null
            : new MediumHeap(context, firstOwner + 2 * countStripes, mediumPageBytes);
    large = new LargeHeap(context, firstOwner + 2 * countStripes + 1);
  }

  /**
   * A buffer, or null where there is no room.
   *
   * @param mayGrow whether another page may be taken
   */
  @Nullable PageBuffer allocate(long sizeBytes, boolean mayGrow) {
    if (sizeBytes <= SmallHeap.LARGEST_BYTES) {
      return allocateSmall(sizeBytes, mayGrow);
    } else if (medium != null && sizeBytes <= largestMediumBytes) {
      return medium.allocate(sizeBytes, mayGrow);
    }
    return large.allocate(sizeBytes, mayGrow);
  }

  private @Nullable PageBuffer allocateSmall(long sizeBytes, boolean mayGrow) {
    SmallHeap[] stripes = sizeBytes <= SizeClasses.LARGEST_BYTES ? slots : ranges;
    int first = stripe() & (stripes.length - 1);
    SmallHeap heap = stripes[first];
    if (!heap.lock.tryLock()) {
      heap = lockAnother(stripes, first);
    }
    PageBuffer buffer;
    try {
      buffer = heap.allocate(sizeBytes, false);
    } finally {
      heap.unlock();
    }
    return buffer != null ? buffer : allocateElsewhere(stripes, heap, sizeBytes, mayGrow);
  }

  /** The first stripe that nobody has; one's own if somebody has each. */
  private static SmallHeap lockAnother(SmallHeap[] stripes, int first) {
    for (int i = 1; i < stripes.length; i++) {
      SmallHeap heap = stripes[(first + i) & (stripes.length - 1)];
      if (heap.lock.tryLock()) {
        return heap;
      }
    }
    SmallHeap heap = stripes[first];
    heap.lock.lock();
    return heap;
  }

  /**
   * Room that other stripes have, and what is dead in medium pages, goes before another page: the
   * sum over stripes and sizes is what stays constant in a program, not each of them (ADR 0014).
   */
  private @Nullable PageBuffer allocateElsewhere(
      SmallHeap[] stripes, SmallHeap own, long sizeBytes, boolean mayGrow) {
    PageBuffer buffer = null;
    for (SmallHeap heap : stripes) {
      if (buffer == null && heap != own && heap.mayHave(sizeBytes)) {
        buffer = allocateIn(heap, sizeBytes, false);
      }
    }
    if (buffer == null && medium != null && sizeBytes >= MediumHeap.SMALLEST_GUEST_BYTES) {
      buffer = medium.allocateInDead(sizeBytes);
    }
    return buffer != null || !mayGrow ? buffer : allocateIn(own, sizeBytes, true);
  }

  /** A buffer in any hole that takes it, for a request that fails otherwise. */
  @Nullable PageBuffer allocateInHole(long sizeBytes) {
    PageBuffer buffer = null;
    if (sizeBytes <= SmallHeap.LARGEST_BYTES) {
      for (int i = 0; i < 2 * slots.length && buffer == null; i++) {
        SmallHeap heap = i < slots.length ? slots[i] : ranges[i - slots.length];
        buffer = heap.allocateInHole(sizeBytes);
      }
    }
    return buffer == null && medium != null ? medium.allocateInDead(sizeBytes) : buffer;
  }

  private static @Nullable PageBuffer allocateIn(SmallHeap heap, long sizeBytes, boolean mayGrow) {
    heap.lock.lock();
    try {
      return heap.allocate(sizeBytes, mayGrow);
    } finally {
      heap.unlock();
    }
  }

  /** Threads with numbers in a row are spread evenly, whatever the step between them. */
  private int stripe() {
    long id = Thread.currentThread().threadId();
    return (int) ((id * 0x9E3779B97F4A7C15L) >>> 32);
  }

  /** All of them. */
  List<LockedHeap> heaps() {
    List<LockedHeap> heaps = new ArrayList<>(List.of(slots));
    heaps.addAll(List.of(ranges));
    if (medium != null) {
      heaps.add(medium);
    }
    heaps.add(large);
    return heaps;
  }
}
