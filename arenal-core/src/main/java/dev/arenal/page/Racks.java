package dev.arenal.page;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.CarrierLock;
import dev.arenal.page.span.HeapPage;
import dev.arenal.page.span.SizeClasses;
import dev.arenal.page.span.SpanTable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Free buffers at hand, so that most requests and frees take no lock of a heap: some racks of
 * magazines, more than there are processors. A thread comes back to the rack it had last, and goes
 * to another one where that is taken; nothing belongs to a thread, so there may be millions of
 * them, and nothing is left when one ends.
 *
 * <p>Where threads are many, those that lose the processor while they have a rack come to have all
 * of them. A thread that finds none free doubles their number, and a cycle that needs no more
 * halves it.
 *
 * <p>All racks together hold a sixty-fourth part of the used bytes, or 1 MiB for each that there is
 * at first, which they share equally. Where there are more than at first, each holds as much as
 * before, as long as all together hold no more than a sixteenth part (ADR 0057). None holds more
 * than 8 MiB, nor all more than a sixteenth of the capacity. Buffers that a magazine did not need
 * for a cycle go back to the heaps with it, and all go before a request is refused, on a trim, and
 * on a close (ADR 0025).
 */
final class Racks {
  /** Larger buffers go straight to their heaps: to touch them costs more than a lock. */
  static final long LARGEST_BYTES = 1 << 20;

  private static final int HOMES = 1 << 10;
  private static final int LEAST_RACKS = 4;

  private static final int MOST_RACKS = 64;

  /**
   * Of the used bytes. What racks hold is missing in the heaps, whose large holes it would fill:
   * with twice as much, churn of two threads discards and commits nearly twice as many bytes (ADR
   * 0054).
   */
  private static final int PARTS = 64;

  /**
   * So many times as much in all, at most, where there are more racks than at first. With smaller
   * ones, threads that come to all of them ask the heaps more often, and wait for the lock of a
   * thread that does not run (ADR 0057).
   */
  private static final int CROWDED_TIMES = 4;

  /** Of the capacity, independent of the used bytes. */
  private static final int CAPACITY_PARTS = 16;

  /** Of all together; for each of the racks that there are at first. */
  private static final long LEAST_LIMIT_BYTES = 1 << 20;

  private static final long MOST_LIMIT_BYTES = 8 << 20;

  /** Eight for each doubling from 8 KiB on, behind those of slots. */
  private static final int STEPS_SHIFT = 3;

  private static final int RANGES_LOG = 13;
  private static final int SIZE_COUNT = indexOfRange(LARGEST_BYTES) + 1;

  /** Taken with the lock of a rack held, or by regular work; nothing is taken after it. */
  final CarrierLock lock = new CarrierLock();

  private final SpanTable table;
  private final boolean isZeroed;
  private final BufferSampler sampler;

  /** So many are in use when threads do not get into each other's way; 0 where there are none. */
  private final int leastCount;

  /** All that were ever in use: they stay, since they count buffers. */
  private volatile Rack[] racks;

  /** So many of them are in use, a power of two; written under the lock, after {@link #racks}. */
  private volatile int count;

  /** Whether a thread has found none free since the last cycle; racy, a late one does no harm. */
  private volatile boolean isCrowded;

  /** Whether nothing is kept any more: the limit of each rack, asked behind its lock, is 0 then. */
  private volatile boolean isShut;

  /** Threads that have, or want, the locks of all racks; guarded by the lock. */
  private int freezerCount;

  /** The rack of each thread, by its number; racy, since any rack is right. */
  private final byte[] homes = new byte[HOMES];

  /** Of those together that there are at first. */
  private final long leastBytes;

  private final long mostBytes;

  /** Of all together, in any case. */
  private final long mostCrowdedBytes;

  /** The part of the used bytes that those together may hold that there are at first. */
  private long usedPartBytes; // guarded by the lock

  /** Of each rack, unless they are shut. */
  private volatile long limitBytes;

  /** Twice as many as there are processors, as a power of two. */
  static int count(int processorCount) {
    return Integer.highestOneBit(Math.clamp(4 * processorCount - 1, LEAST_RACKS, MOST_RACKS));
  }

  /**
   * So many, a power of two, when threads do not get into each other's way; 0: nothing is kept, and
   * nothing is at hand.
   */
  Racks(SpanTable table, boolean isZeroed, BufferSampler sampler, long capacityBytes, int count) {
    this.table = table;
    this.isZeroed = isZeroed;
    this.sampler = sampler;
    leastCount = count;
    Rack[] first = new Rack[count];
    for (int i = 0; i < count; i++) {
      first[i] = newRack();
    }
    racks = first;
    this.count = count;
    for (int i = 0; i < HOMES; i++) {
      homes[i] = (byte) i;
    }
    mostCrowdedBytes = capacityBytes / CAPACITY_PARTS;
    leastBytes = Math.min(count * LEAST_LIMIT_BYTES, mostCrowdedBytes);
    mostBytes = Math.max(leastBytes, capacityBytes / PARTS);
    limitBytes = leastBytes / Math.max(1, count);
  }

  private Rack newRack() {
    return new Rack(this, table, isZeroed, sampler, PageAge.values().length * SIZE_COUNT);
  }

  /** Where the free slots of a size class are. */
  static int magazineOfSlots(int age, int sizeClass) {
    return age * SIZE_COUNT + sizeClass;
  }

  /** Where free ranges of whole units are: those within an eighth are together; -1 if nowhere. */
  static int magazineOfRanges(int age, long sizeBytes) {
    return sizeBytes <= SizeClasses.LARGEST_BYTES || sizeBytes > LARGEST_BYTES
        ? -1
        : age * SIZE_COUNT + indexOfRange(sizeBytes);
  }

  private static int indexOfRange(long sizeBytes) {
    int log = Long.SIZE - 1 - Long.numberOfLeadingZeros(sizeBytes);
    int step = (int) (sizeBytes >>> (log - STEPS_SHIFT)) & ((1 << STEPS_SHIFT) - 1);
    return SizeClasses.COUNT + ((log - RANGES_LOG) << STEPS_SHIFT) + step;
  }

  /** In whole units, as the place of a buffer is. */
  static long rangeBytes(long sizeBytes) {
    int unitBytes =
        sizeBytes <= SmallHeap.LARGEST_BYTES
            ? HeapPage.SMALL_UNIT_BYTES
            : HeapPage.MEDIUM_UNIT_BYTES;
    return (sizeBytes + unitBytes - 1) & -unitBytes;
  }

  /** How many are in use. */
  int count() {
    return count;
  }

  /** One of them. */
  Rack get(int index) {
    return racks[index];
  }

  /** Memory that a rack may hold. */
  long limitBytes() {
    return isShut ? 0 : limitBytes;
  }

  /** Makes the limit follow the used bytes, by a sum that was read while buffers came and went. */
  void adapt(long usedBytes) {
    lock.lock();
    try {
      usedPartBytes = Math.min(usedBytes / PARTS, mostBytes);
      share();
    } finally {
      lock.unlock();
    }
  }

  /** The lock is held. */
  private void share() {
    int times = Math.clamp(count / Math.max(1, leastCount), 1, CROWDED_TIMES);
    long sumBytes = Math.max(leastBytes, Math.min(times * usedPartBytes, mostCrowdedBytes));
    limitBytes = Math.min(sumBytes / Math.max(1, count), MOST_LIMIT_BYTES);
  }

  /** The same, and racks that hold more from now on give it back to their heaps. */
  void adaptAndShrink(long usedBytes) {
    adapt(usedBytes);
    for (Rack rack : racks) {
      if (rack.tryLock()) { // a rack that is in use is looked at the next time
        try {
          rack.makeRoom(limitBytes, true);
        } finally {
          rack.lock = 0;
        }
      }
    }
  }

  /** A buffer that is at hand, or null. */
  @Nullable PageBuffer allocate(AgeHeaps heaps, int age, long sizeBytes, long alignmentBytes) {
    if (sizeBytes > LARGEST_BYTES || leastCount == 0) {
      return null;
    }
    long slotBytes = SizeClasses.alignedBytes(sizeBytes, alignmentBytes);
    return slotBytes <= SizeClasses.LARGEST_BYTES
        ? allocateSlot(heaps, age, SizeClasses.of((int) slotBytes), sizeBytes)
        : allocateRange(heaps, age, sizeBytes, alignmentBytes);
  }

  private @Nullable PageBuffer allocateSlot(
      AgeHeaps heaps, int age, int sizeClass, long sizeBytes) {
    int index = magazineOfSlots(age, sizeClass);
    Rack rack = lockOneGrowing();
    if (rack == null) {
      return null;
    }
    PageBuffer buffer = null;
    try {
      buffer = rack.take(heaps.context, index, sizeBytes, 1);
      if (buffer == null) {
        if (!rack.hasRacy(index)) {
          StackReserve.ensureShort(); // to unlock
          make(index, true, SizeClasses.slotBytes(sizeClass));
        }
        if (fillFromAnother(rack, index) || rack.refill(index, heaps, sizeClass)) {
          buffer = rack.take(heaps.context, index, sizeBytes, 1);
        }
      }
    } finally {
      if (buffer == null) {
        rack.lock = 0;
      }
    }
    return buffer != null ? buffer : takeElsewhere(rack, heaps.context, index, sizeBytes, 1);
  }

  /** From an unlocked one that has as many as a refill fetches. */
  @SuppressWarnings("ReferenceEquality") // of racks
  private boolean fillFromAnother(Rack own, int index) {
    Rack[] all = racks;
    boolean isFilled = false;
    for (int i = 0; i < all.length && !isFilled; i++) {
      Rack rack = all[i];
      if (rack != own && rack.countRacy(index) >= Magazine.LEAST_MOVED && rack.tryLock()) {
        try {
          isFilled = own.moveFrom(rack, index);
        } finally {
          rack.lock = 0;
        }
      }
    }
    return isFilled;
  }

  private @Nullable PageBuffer allocateRange(
      AgeHeaps heaps, int age, long sizeBytes, long alignmentBytes) {
    int index = magazineOfRanges(age, rangeBytes(sizeBytes));
    if (index < 0) {
      return null; // small and aligned to much
    }
    StackReserve.ensureShort(); // to zero it, too
    Rack rack = lockOneGrowing();
    if (rack == null) {
      return null;
    }
    PageBuffer buffer = null;
    try {
      if (!rack.hasRacy(index)) {
        make(index, false, sizeBytes);
      }
      buffer = rack.take(heaps.context, index, sizeBytes, alignmentBytes);
    } finally {
      if (buffer == null) {
        rack.lock = 0;
      }
    }
    return buffer != null
        ? buffer
        : takeElsewhere(rack, heaps.context, index, sizeBytes, alignmentBytes);
  }

  /**
   * A buffer at hand in another rack, if that rack is free: it costs less than the search of a
   * heap, whose lock a thread may have that does not run.
   */
  @SuppressWarnings("ReferenceEquality") // of racks
  private @Nullable PageBuffer takeElsewhere(
      Rack own, PageContext context, int index, long sizeBytes, long alignmentBytes) {
    Rack[] all = racks;
    for (int i = 0; i < all.length; i++) {
      Rack rack = all[i];
      if (rack != own && rack.countRacy(index) > 0 && rack.tryLock()) {
        PageBuffer buffer = null;
        try {
          buffer = rack.take(context, index, sizeBytes, alignmentBytes);
        } finally {
          if (buffer == null) {
            rack.lock = 0;
          }
        }
        if (buffer != null) {
          return buffer;
        }
      }
    }
    return null;
  }

  /** In all racks: another thread may free it. */
  private void make(int index, boolean isOfSlots, long pieceBytes) {
    lock.lock();
    try {
      for (Rack rack : racks) {
        rack.make(index, isOfSlots, pieceBytes);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Keeps the memory of a buffer that has just been closed.
   *
   * @param isEnsured as {@link Rack#put} has it
   * @return false if it has to go to its heap
   */
  boolean keep(PageBuffer buffer, boolean isEnsured) {
    if (buffer.magazine < 0 || leastCount == 0) {
      return false; // in a hole, or a page of its own
    }
    Rack rack = lockOne();
    if (rack == null) {
      return false;
    }
    boolean isKept = false;
    try {
      isKept = rack.put(buffer, isEnsured);
      return isKept;
    } finally {
      if (!isKept) {
        rack.lock = 0;
      }
    }
  }

  /** The rack of the thread, or a free one; null if there is none. Locked. */
  private @Nullable Rack lockOne() {
    int home = (int) Thread.currentThread().threadId() & (HOMES - 1);
    int mask = count - 1; // before the racks, which are never fewer
    Rack rack = racks[homes[home] & mask];
    return rack.tryLock() ? rack : lockAnother(home);
  }

  /** The same, for a request: where there is none there are more from now on. */
  private @Nullable Rack lockOneGrowing() {
    int seenCount = count; // first: racks that another thread adds meanwhile may be enough
    Rack rack = lockOne();
    if (rack == null) {
      grow(seenCount);
      rack = lockOne();
    }
    return rack;
  }

  private @Nullable Rack lockAnother(int home) {
    int own = homes[home];
    int mask = count - 1;
    Rack[] all = racks;
    for (int i = 1; i <= mask; i++) {
      Rack rack = all[(own + i) & mask];
      if (rack.tryLock()) {
        homes[home] = (byte) (own + i);
        return rack;
      }
    }
    if (!isCrowded) {
      isCrowded = true;
    }
    return null;
  }

  /** Doubles the racks in use, unless a thread has done so since. */
  void grow(int seenCount) {
    StackReserve.ensureShort(); // to unlock
    lock.lock();
    try {
      Rack[] all = racks;
      if (count != seenCount || seenCount == MOST_RACKS || freezerCount > 0) {
        return;
      }
      if (all.length == seenCount) {
        all = Arrays.copyOf(all, 2 * seenCount);
        for (int i = seenCount; i < all.length; i++) {
          all[i] = newRack();
          all[i].makeLike(all[0]);
        }
        racks = all;
      }
      count = 2 * seenCount;
      share();
    } finally {
      lock.unlock();
    }
  }

  /** Halves the racks in use, if all have been more than enough since the last cycle. */
  private void relax() {
    lock.lock();
    try {
      if (!isCrowded && count > leastCount) {
        count >>= 1;
        share();
      }
      isCrowded = false;
    } finally {
      lock.unlock();
    }
  }

  /** Gives all back to the heaps. */
  void empty() {
    giveBack(0);
  }

  /** Gives buffers that were not needed since the last cycle back to the heaps. */
  void beginCycle() {
    relax();
    giveBack(count);
  }

  /** Empties those from a number on, and begins a cycle in the others. */
  private void giveBack(int first) {
    Rack[] all = racks;
    for (int i = 0; i < all.length; i++) {
      Rack rack = all[i];
      rack.lockWaiting();
      try {
        rack.giveBack(i >= first);
      } finally {
        rack.lock = 0;
      }
    }
  }

  /** Keeps nothing from now on. */
  void shut() {
    isShut = true;
    empty(); // what comes later to one that has been emptied, or to a new one, sees it
  }

  /** Undoes {@link #shut}. */
  void reopen() {
    isShut = false;
  }

  /** Memory at hand; a recent value. */
  long cachedBytes() {
    long sumBytes = 0;
    for (Rack rack : racks) {
      sumBytes += rack.cachedBytes;
    }
    return sumBytes;
  }

  /** Bytes of open buffers that came from here, less those that went here; a recent value. */
  long usedBytesRacy() {
    long sumBytes = 0;
    for (Rack rack : racks) {
      sumBytes += rack.usedBytes;
    }
    return sumBytes;
  }

  /**
   * Bytes of open buffers here and in the heaps: none only if none is open all the time. While all
   * locks are held, a buffer goes back to the heap that it came from, so each heap counts its own.
   */
  long usedBytesOfAll(List<LockedHeap> heaps) {
    return withAllLocks(heaps, null);
  }

  /** Takes all locks, since a buffer may go from one rack to another. */
  void verify() {
    var _ = withAllLocks(List.of(), new HashSet<>());
  }

  /** Bytes of open buffers; each rack is verified if there is a set for the pieces seen. */
  private long withAllLocks(List<LockedHeap> heaps, @Nullable Set<Long> seen) {
    Rack[] all;
    lock.lock();
    try {
      freezerCount++; // until it is back there are no others
      all = racks;
    } finally {
      lock.unlock();
    }
    int lockedCount = 0;
    try {
      for (Rack rack : all) {
        rack.lockWaiting();
        lockedCount++;
      }
      for (int i = 0; seen != null && i < all.length; i++) {
        all[i].verify(seen);
      }
      return usedBytesRacy() + LockedHeap.usedBytesRacy(heaps); // in this order
    } finally {
      for (int i = 0; i < lockedCount; i++) {
        all[i].lock = 0; // first, and here: a call might fail at the end of the stack
      }
      lock.lock();
      try {
        freezerCount--;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Bytes of all buffers ever that came from here; a recent value. */
  long allocatedBytesRacy() {
    long sumBytes = 0;
    for (Rack rack : racks) {
      sumBytes += rack.allocatedBytes;
    }
    return sumBytes;
  }
}
