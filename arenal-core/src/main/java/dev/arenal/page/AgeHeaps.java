package dev.arenal.page;

import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.SearchDepth;
import dev.arenal.page.span.SizeClasses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The heaps for buffers of one age: small ones in stripes, one for medium buffers, one for large
 * ones.
 */
@SuppressWarnings("ReferenceEquality") // of heaps
final class AgeHeaps {
  private static final int HOMES = 1 << 10;

  final PageContext context;

  /** For buffers up to 8 KiB; apart, since their runs pin a page that ranges would leave. */
  private final SmallHeap[] slots;

  /** For larger ones. */
  private final SmallHeap[] ranges;

  /** The stripe of each thread, by its number; racy, since any stripe is right. */
  private final byte[] homes = new byte[HOMES];

  private final @Nullable MediumHeap medium;
  private final LargeHeap large;
  private final long largestMediumBytes;

  /**
   * Heaps without a page.
   *
   * @param age its ordinal
   * @param firstOwner number of the first heap; one for each of {@link #heaps}
   */
  AgeHeaps(PageContext context, int age, long capacityBytes, int firstOwner) {
    this.context = context;
    int stripeCount = stripeCount(capacityBytes);
    slots = new SmallHeap[stripeCount];
    ranges = new SmallHeap[stripeCount];
    for (int i = 0; i < stripeCount; i++) {
      slots[i] = new SmallHeap(context, firstOwner + i, age);
      ranges[i] = new SmallHeap(context, firstOwner + stripeCount + i, age);
    }
    for (int i = 0; i < HOMES; i++) {
      homes[i] = (byte) i;
    }
    long mediumPageBytes = MediumHeap.pageBytes(capacityBytes);
    largestMediumBytes = MediumHeap.largestBytes(mediumPageBytes);
    int owner = firstOwner + 2 * stripeCount;
    medium = mediumPageBytes == 0 ? null : new MediumHeap(context, owner, age, mediumPageBytes);
    large = new LargeHeap(context, medium == null ? owner : owner + 1, age);
  }

  /**
   * As many as there are processors, in powers of two; fewer where a page for each would be more
   * than a twentieth of the capacity, after ZGC's rule for small pages.
   */
  private static int stripeCount(long capacityBytes) {
    long most = Math.max(1, capacityBytes / 20 / PageSupply.GRANULE_BYTES);
    long wanted = Math.min(Runtime.getRuntime().availableProcessors(), most);
    return (int) Long.highestOneBit(wanted);
  }

  /**
   * A buffer, or null where there is no room.
   *
   * @param mayGrow whether another page may be taken
   */
  @Nullable PageBuffer allocate(long sizeBytes, long alignmentBytes, boolean mayGrow) {
    if (isSmall(sizeBytes, alignmentBytes)) {
      return allocateSmall(sizeBytes, alignmentBytes, mayGrow);
    } else if (medium != null
        && sizeBytes <= largestMediumBytes
        && alignmentBytes <= SmallHeap.LARGEST_BYTES) {
      return medium.allocate(sizeBytes, alignmentBytes, mayGrow);
    }
    return large.allocate(sizeBytes, mayGrow); // each page of its own begins at a granule
  }

  /** Whether it belongs into a small page. */
  static boolean isSmall(long sizeBytes, long alignmentBytes) {
    return Math.max(sizeBytes, alignmentBytes) <= SmallHeap.LARGEST_BYTES;
  }

  /** Whether a buffer of that size may lie in a hole of a page. */
  boolean mayUseHoles(long sizeBytes) {
    return sizeBytes <= Math.max(SmallHeap.LARGEST_BYTES, largestMediumBytes);
  }

  /**
   * The bytes that a buffer of that size takes in its own heap, with no more than its natural
   * alignment.
   */
  long takenBytes(long sizeBytes) {
    if (sizeBytes <= SizeClasses.LARGEST_BYTES) {
      return SizeClasses.slotBytes(SizeClasses.of((int) sizeBytes));
    } else if (sizeBytes <= Math.max(SmallHeap.LARGEST_BYTES, largestMediumBytes)) {
      return Racks.rangeBytes(sizeBytes);
    }
    return LargeHeap.pageBytes(sizeBytes);
  }

  private SmallHeap[] stripesFor(long sizeBytes, long alignmentBytes) {
    return SizeClasses.alignedBytes(sizeBytes, alignmentBytes) <= SizeClasses.LARGEST_BYTES
        ? slots
        : ranges;
  }

  /**
   * A range of a small page that is committed in a stripe whose lock is free, or null. Most of them
   * are, and the way to it is not far down the stack. Of slots, racks have fetched what there is.
   */
  @Nullable PageBuffer allocateCommitted(long sizeBytes, long alignmentBytes) {
    SmallHeap[] stripes = stripesFor(sizeBytes, alignmentBytes);
    SmallHeap heap = stripes == slots ? null : tryLockOne(stripes);
    return heap == null
        ? null
        : allocateUnlocking(heap, sizeBytes, alignmentBytes, SearchDepth.COMMITTED);
  }

  /** The same for a magazine; see {@link SmallHeap#takeCommitted}. */
  void takeCommitted(int sizeClass, Magazine magazine, int most) {
    SmallHeap heap = tryLockOne(slots);
    if (heap == null) {
      return;
    }
    try {
      heap.takeCommitted(sizeClass, magazine, most);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      heap.supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      heap.lock.unlock();
      heap.drainIfFree();
    }
  }

  private @Nullable PageBuffer allocateSmall(long sizeBytes, long alignmentBytes, boolean mayGrow) {
    SmallHeap[] stripes = stripesFor(sizeBytes, alignmentBytes);
    SmallHeap heap = tryLockOne(stripes);
    PageBuffer buffer =
        heap == null
            ? null
            : allocateUnlocking(heap, sizeBytes, alignmentBytes, SearchDepth.COMMITTED);
    // A lock that is taken may be that of a thread without a processor: of all that have room, one
    // whose lock is free comes first. But no page is taken to save a wait.
    if (buffer == null) {
      buffer =
          allocateElsewhere(stripes, heap, sizeBytes, alignmentBytes, SearchDepth.COMMITTED, false);
    }
    if (buffer != null) {
      return buffer;
    }
    if (heap == null) {
      heap = ownOf(stripes);
      buffer = allocateIn(heap, sizeBytes, alignmentBytes, SearchDepth.COMMITTED, true);
    }
    // Free memory of other stripes and of medium pages is taken before another page: the sum over
    // stripes and sizes stays constant in a program, not each of them (ADR 0014).
    if (buffer == null) {
      buffer =
          allocateElsewhere(stripes, heap, sizeBytes, alignmentBytes, SearchDepth.COMMITTED, true);
    }
    if (buffer == null && heap.mayHave(sizeBytes, alignmentBytes, SearchDepth.DISCARDED)) {
      buffer = allocateIn(heap, sizeBytes, alignmentBytes, SearchDepth.DISCARDED, true);
    }
    if (buffer == null) {
      buffer =
          allocateElsewhere(stripes, heap, sizeBytes, alignmentBytes, SearchDepth.DISCARDED, true);
    }
    return buffer != null || !mayGrow
        ? buffer
        : allocateIn(heap, sizeBytes, alignmentBytes, SearchDepth.NEW_PAGE, true);
  }

  /** The lock is held, and not afterwards. */
  private static @Nullable PageBuffer allocateUnlocking(
      SmallHeap heap, long sizeBytes, long alignmentBytes, SearchDepth depth) {
    PageBuffer buffer;
    try {
      buffer = heap.allocate(sizeBytes, alignmentBytes, depth);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      heap.supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      heap.lock.unlock();
      heap.drainIfFree();
    }
    return buffer;
  }

  /** The stripe of the thread, or another free one; locked. Null if all are taken. */
  private @Nullable SmallHeap tryLockOne(SmallHeap[] stripes) {
    SmallHeap heap = ownOf(stripes);
    return heap.lock.tryLock() ? heap : tryLockAnother(stripes);
  }

  private SmallHeap ownOf(SmallHeap[] stripes) {
    return stripes[homes[home()] & (stripes.length - 1)];
  }

  private static int home() {
    return (int) Thread.currentThread().threadId() & (HOMES - 1);
  }

  /**
   * The first stripe that no thread has, which is the thread's from now on, so that threads that
   * run at a time come to have different ones.
   */
  private @Nullable SmallHeap tryLockAnother(SmallHeap[] stripes) {
    int own = homes[home()];
    for (int i = 1; i < stripes.length; i++) {
      SmallHeap heap = stripes[(own + i) & (stripes.length - 1)];
      if (heap.lock.tryLock()) {
        homes[home()] = (byte) (own + i);
        return heap;
      }
    }
    SmallHeap heap = stripes[own & (stripes.length - 1)];
    return heap.acquire(false) ? heap : null;
  }

  /** Waits for locks only if it may. */
  private @Nullable PageBuffer allocateElsewhere(
      SmallHeap[] stripes,
      @Nullable SmallHeap own,
      long sizeBytes,
      long alignmentBytes,
      SearchDepth depth,
      boolean mayWait) {
    PageBuffer buffer = null;
    for (SmallHeap heap : stripes) {
      if (buffer == null && heap != own && heap.mayHave(sizeBytes, alignmentBytes, depth)) {
        buffer = allocateIn(heap, sizeBytes, alignmentBytes, depth, mayWait);
      }
    }
    if (buffer == null && medium != null && sizeBytes >= MediumHeap.SMALLEST_GUEST_BYTES) {
      buffer = medium.allocateInFree(sizeBytes, alignmentBytes, depth, mayWait);
    }
    return buffer;
  }

  /** A buffer in any hole that takes it, for a request that fails otherwise. */
  @Nullable PageBuffer allocateInHole(long sizeBytes, long alignmentBytes) {
    PageBuffer buffer = null;
    if (isSmall(sizeBytes, alignmentBytes)) {
      for (int i = 0; i < 2 * slots.length && buffer == null; i++) {
        SmallHeap heap = i < slots.length ? slots[i] : ranges[i - slots.length];
        // It may have a free slot.
        buffer = allocateIn(heap, sizeBytes, alignmentBytes, SearchDepth.DISCARDED, true);
        buffer = buffer != null ? buffer : heap.allocateInHole(sizeBytes, alignmentBytes);
      }
    }
    return buffer == null && medium != null
        ? medium.allocateInFree(sizeBytes, alignmentBytes, SearchDepth.EVERYWHERE, true)
        : buffer;
  }

  private static @Nullable PageBuffer allocateIn(
      SmallHeap heap, long sizeBytes, long alignmentBytes, SearchDepth depth, boolean mayWait) {
    return heap.acquire(mayWait) ? allocateUnlocking(heap, sizeBytes, alignmentBytes, depth) : null;
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
