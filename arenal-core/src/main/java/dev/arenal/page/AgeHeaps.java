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
  private static final int HOMES = 1 << 10;

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
   * @param countStripes a power of two
   */
  AgeHeaps(PageContext context, int age, long capacityBytes, int firstOwner, int countStripes) {
    slots = new SmallHeap[countStripes];
    ranges = new SmallHeap[countStripes];
    for (int i = 0; i < countStripes; i++) {
      slots[i] = new SmallHeap(context, firstOwner + i, age);
      ranges[i] = new SmallHeap(context, firstOwner + countStripes + i, age);
    }
    for (int i = 0; i < HOMES; i++) {
      homes[i] = (byte) i;
    }
    long mediumPageBytes = MediumHeap.pageBytes(capacityBytes);
    largestMediumBytes = MediumHeap.largestBytes(mediumPageBytes);
    medium =
        mediumPageBytes == 0
            ? null
            : new MediumHeap(context, firstOwner + 2 * countStripes, age, mediumPageBytes);
    large = new LargeHeap(context, firstOwner + 2 * countStripes + 1, age);
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

  /**
   * A small buffer that is ready in the stripe of the thread, or null: what most of them are, and
   * not far down the stack.
   */
  @Nullable PageBuffer allocateReady(long sizeBytes) {
    SmallHeap heap = lockOne(sizeBytes <= SizeClasses.LARGEST_BYTES ? slots : ranges);
    PageBuffer buffer;
    try {
      buffer = heap.allocateReady(sizeBytes);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      heap.supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      heap.lock.unlock();
    }
    heap.drainIfFree();
    return buffer;
  }

  /** The same for a magazine; see {@link SmallHeap#takeReady}. */
  void takeReady(int sizeClass, Magazine magazine, int most) {
    SmallHeap heap = lockOne(slots);
    try {
      heap.takeReady(sizeClass, magazine, most);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      heap.supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      heap.lock.unlock();
    }
    heap.drainIfFree();
  }

  private @Nullable PageBuffer allocateSmall(long sizeBytes, boolean mayGrow) {
    SmallHeap[] stripes = sizeBytes <= SizeClasses.LARGEST_BYTES ? slots : ranges;
    SmallHeap heap = lockOne(stripes);
    PageBuffer buffer = allocateUnlocking(heap, sizeBytes, Room.KEPT);
    return buffer != null ? buffer : allocateElsewhere(stripes, heap, sizeBytes, mayGrow);
  }

  /** The lock is held, and not afterwards. */
  private static @Nullable PageBuffer allocateUnlocking(SmallHeap heap, long sizeBytes, Room room) {
    PageBuffer buffer;
    try {
      buffer = heap.allocate(sizeBytes, room);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      heap.supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      heap.lock.unlock();
    }
    heap.drainIfFree();
    return buffer;
  }

  /** That of the thread, if nobody has it; locked. */
  private SmallHeap lockOne(SmallHeap[] stripes) {
    int home = (int) Thread.currentThread().threadId() & (HOMES - 1);
    SmallHeap heap = stripes[homes[home] & (stripes.length - 1)];
    return heap.lock.tryLock() ? heap : lockAnother(stripes, home);
  }

  /**
   * The first stripe that nobody has, which is the thread's from now on, so that threads that run
   * at a time come to have different ones; its own if somebody has each.
   */
  private SmallHeap lockAnother(SmallHeap[] stripes, int home) {
    int own = homes[home];
    for (int i = 1; i < stripes.length; i++) {
      SmallHeap heap = stripes[(own + i) & (stripes.length - 1)];
      if (heap.lock.tryLock()) {
        homes[home] = (byte) (own + i);
        return heap;
      }
    }
    SmallHeap heap = stripes[own & (stripes.length - 1)];
    heap.acquire();
    return heap;
  }

  /**
   * Room that other stripes have, and what is dead in medium pages, goes before another page: the
   * sum over stripes and sizes is what stays constant in a program, not each of them (ADR 0014).
   */
  private @Nullable PageBuffer allocateElsewhere(
      SmallHeap[] stripes, SmallHeap own, long sizeBytes, boolean mayGrow) {
    PageBuffer buffer = allocateElsewhere(stripes, own, sizeBytes, Room.KEPT);
    if (buffer == null && own.mayHave(sizeBytes, Room.DISCARDED)) {
      buffer = allocateIn(own, sizeBytes, Room.DISCARDED);
    }
    if (buffer == null) {
      buffer = allocateElsewhere(stripes, own, sizeBytes, Room.DISCARDED);
    }
    return buffer != null || !mayGrow ? buffer : allocateIn(own, sizeBytes, Room.NEW_PAGE);
  }

  private @Nullable PageBuffer allocateElsewhere(
      SmallHeap[] stripes, SmallHeap own, long sizeBytes, Room room) {
    PageBuffer buffer = null;
    for (SmallHeap heap : stripes) {
      if (buffer == null && heap != own && heap.mayHave(sizeBytes, room)) {
        buffer = allocateIn(heap, sizeBytes, room);
      }
    }
    if (buffer == null && medium != null && sizeBytes >= MediumHeap.SMALLEST_GUEST_BYTES) {
      buffer = medium.allocateInDead(sizeBytes, room);
    }
    return buffer;
  }

  /** A buffer in any hole that takes it, for a request that fails otherwise. */
  @Nullable PageBuffer allocateInHole(long sizeBytes) {
    PageBuffer buffer = null;
    if (sizeBytes <= SmallHeap.LARGEST_BYTES) {
      for (int i = 0; i < 2 * slots.length && buffer == null; i++) {
        SmallHeap heap = i < slots.length ? slots[i] : ranges[i - slots.length];
        buffer = allocateIn(heap, sizeBytes, Room.DISCARDED); // it may have a free slot
        buffer = buffer != null ? buffer : heap.allocateInHole(sizeBytes);
      }
    }
    return buffer == null && medium != null
        ? medium.allocateInDead(sizeBytes, Room.DISCARDED)
        : buffer;
  }

  private static @Nullable PageBuffer allocateIn(SmallHeap heap, long sizeBytes, Room room) {
    heap.acquire();
    return allocateUnlocking(heap, sizeBytes, room);
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
