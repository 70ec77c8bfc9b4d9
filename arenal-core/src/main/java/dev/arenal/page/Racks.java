package dev.arenal.page;

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
 * <p>All of them hold a thirty-second part of what is used, or a megabyte each. What a magazine did
 * not need for a cycle goes back to the heaps with it, and all goes before a request is refused, on
 * a trim, and on a close (ADR 0025).
 */
final class Racks {
  /** Larger buffers go straight to their heaps: to touch them costs more than a lock. */
  static final long LARGEST_BYTES = 1 << 20;

  private static final int HOMES = 1 << 10;
  private static final int LEAST_RACKS = 4;
  private static final int MOST_RACKS = 64;

  /** Of what is used. */
  private static final int PARTS = 32;

  /** Of the capacity, whatever is used. */
  private static final int CAPACITY_PARTS = 16;

  private static final long LEAST_LIMIT_BYTES = 1 << 20;
  private static final long MOST_LIMIT_BYTES = 8 << 20;

  /** Eight for each doubling from 8 KiB on, behind those of slots. */
  private static final int STEPS_SHIFT = 3;

  private static final int RANGES_LOG = 13;
  private static final int COUNT_SIZES = indexOfRange(LARGEST_BYTES) + 1;

  private final Rack[] racks;

  /** The rack of each thread, by its number; racy, since any rack is right. */
  private final byte[] homes = new byte[HOMES];

  private final long leastLimitBytes;

  /** Of each rack; written racily, since any recent value is right. */
  private volatile long limitBytes;

  /** As many as the machine needs, for an allocator of that capacity. */
  static Racks open(PlaceTable table, boolean isZeroed, long capacityBytes) {
    int wanted = 2 * Runtime.getRuntime().availableProcessors();
    int count = Integer.highestOneBit(Math.clamp(2 * wanted - 1, LEAST_RACKS, MOST_RACKS));
    return new Racks(table, isZeroed, capacityBytes, count);
  }

  /** No racks: nothing is kept, and nothing is at hand. */
  static Racks none() {
    return new Racks(new PlaceTable(), false, 0, 0);
  }

  private Racks(PlaceTable table, boolean isZeroed, long capacityBytes, int count) {
    racks = new Rack[count];
    for (int i = 0; i < count; i++) {
      racks[i] = new Rack(this, table, isZeroed, PageAge.values().length * COUNT_SIZES);
    }
    for (int i = 0; i < HOMES; i++) {
      homes[i] = (byte) i;
    }
    leastLimitBytes =
        Math.min(LEAST_LIMIT_BYTES, capacityBytes / CAPACITY_PARTS / Math.max(1, count));
    limitBytes = leastLimitBytes;
  }

  /** The magazine of a size above that of slots: those within an eighth share one. */
  private static int indexOfRange(long sizeBytes) {
    int log = Long.SIZE - 1 - Long.numberOfLeadingZeros(sizeBytes);
    int step = (int) (sizeBytes >>> (log - STEPS_SHIFT)) & ((1 << STEPS_SHIFT) - 1);
    return SizeClasses.COUNT + ((log - RANGES_LOG) << STEPS_SHIFT) + step;
  }

  /** In whole units, as the place of a buffer is. */
  private static long rangeBytes(long sizeBytes) {
    int unitBytes =
        sizeBytes <= SmallHeap.LARGEST_BYTES
            ? HeapPage.SMALL_UNIT_BYTES
            : HeapPage.MEDIUM_UNIT_BYTES;
    return (sizeBytes + unitBytes - 1) & -unitBytes;
  }

  /** Whether there are none. */
  boolean isNone() {
    return racks.length == 0;
  }

  /** Memory that a rack may hold. */
  long limitBytes() {
    return limitBytes;
  }

  /** Has the limit follow what is used. */
  void adapt(long usedBytes) {
    limitBytes =
        Math.clamp(
            usedBytes / PARTS / Math.max(1, racks.length), leastLimitBytes, MOST_LIMIT_BYTES);
  }

  /** The same, and racks that hold more from now on give it back to their heaps. */
  void adaptAndShrink(long usedBytes) {
    adapt(usedBytes);
    for (Rack rack : racks) {
      if (rack.tryLock()) { // a rack that is in use is looked at the next time
        try {
          rack.makeRoom(limitBytes);
        } finally {
          rack.lock = 0;
        }
      }
    }
  }

  /** A buffer that is at hand, or null. */
  @Nullable PageBuffer allocate(AgeHeaps heaps, int age, long sizeBytes, long alignmentBytes) {
    long slotBytes = SizeClasses.alignedBytes(sizeBytes, alignmentBytes);
    boolean isSlot = slotBytes <= SizeClasses.LARGEST_BYTES;
    if (sizeBytes > LARGEST_BYTES
        || racks.length == 0
        || (!isSlot && sizeBytes <= SizeClasses.LARGEST_BYTES)) {
      return null;
    }
    int size = isSlot ? SizeClasses.of((int) slotBytes) : indexOfRange(rangeBytes(sizeBytes));
    int index = age * COUNT_SIZES + size;
    Rack rack = lockOne();
    if (rack == null) {
      return null;
    }
    PageBuffer buffer = null;
    try {
      if (!rack.hasRacy(index)) {
        make(index, isSlot ? SizeClasses.slotBytes(size) : sizeBytes);
      }
      buffer = rack.take(index, sizeBytes, alignmentBytes);
      if (buffer == null && isSlot && rack.refill(index, heaps, size)) {
        buffer = rack.take(index, sizeBytes, alignmentBytes);
      }
      return buffer;
    } finally {
      if (buffer == null) {
        rack.lock = 0;
      }
    }
  }

  /** In all racks: another thread may free it. */
  private synchronized void make(int index, long entryBytes) {
    for (Rack rack : racks) {
      rack.make(index, entryBytes);
    }
  }

  /**
   * Keeps the memory of a buffer that has just been closed.
   *
   * @return false if it has to go to its heap
   */
  boolean keep(PageBuffer buffer) {
    long placeBytes = buffer.placeBytes();
    Place place = buffer.place;
    if (placeBytes > LARGEST_BYTES
        || racks.length == 0
        || !Magazine.fits(buffer.from, buffer.count)) {
      return false;
    }
    int size;
    if (place instanceof Run run) {
      size = run.sizeClass;
    } else if (placeBytes > SizeClasses.LARGEST_BYTES && place.id >= 0) {
      size = indexOfRange(placeBytes);
    } else {
      return false; // in a hole, or a page of its own
    }
    Rack rack = lockOne();
    if (rack == null) {
      return false;
    }
    boolean isKept = false;
    try {
      isKept = rack.put(place.heap.age * COUNT_SIZES + size, buffer);
      return isKept;
    } finally {
      if (!isKept) {
        rack.lock = 0;
      }
    }
  }

  /** That of the thread, or one that nobody has; null if there is none. Locked. */
  private @Nullable Rack lockOne() {
    int home = (int) Thread.currentThread().threadId() & (HOMES - 1);
    Rack rack = racks[homes[home] & (racks.length - 1)];
    return rack.tryLock() ? rack : lockAnother(home);
  }

  private @Nullable Rack lockAnother(int home) {
    int own = homes[home];
    for (int i = 1; i < racks.length; i++) {
      Rack rack = racks[(own + i) & (racks.length - 1)];
      if (rack.tryLock()) {
        homes[home] = (byte) (own + i);
        return rack;
      }
    }
    return null;
  }

  /** Gives all back to the heaps. */
  void empty() {
    for (Rack rack : racks) {
      rack.lockWaiting();
      try {
        rack.empty();
      } finally {
        rack.lock = 0;
      }
    }
  }

  /** Gives back to the heaps what was not needed since the last cycle. */
  void beginCycle() {
    for (Rack rack : racks) {
      rack.lockWaiting();
      try {
        rack.beginCycle();
      } finally {
        rack.lock = 0;
      }
    }
  }

  /** Keeps nothing from now on. */
  void shut() {
    for (Rack rack : racks) {
      rack.lockWaiting();
      try {
        rack.setShut(true);
        rack.empty();
      } finally {
        rack.lock = 0;
      }
    }
  }

  /** Undoes {@link #shut}. */
  void reopen() {
    for (Rack rack : racks) {
      rack.lockWaiting();
      try {
        rack.setShut(false);
      } finally {
        rack.lock = 0;
      }
    }
  }

  /** Memory at hand; takes each lock for a moment. */
  long cachedBytes() {
    long sumBytes = 0;
    for (Rack rack : racks) {
      rack.lockWaiting();
      try {
        sumBytes += rack.cachedBytes();
      } finally {
        rack.lock = 0;
      }
    }
    return sumBytes;
  }

  /** Bytes of open buffers that came from here, less those that went here; a recent value. */
  long usedBytesOpaque() {
    long sumBytes = 0;
    for (Rack rack : racks) {
      sumBytes += rack.usedBytesOpaque();
    }
    return sumBytes;
  }

  /**
   * Bytes of open buffers here and in the heaps: none only if none is open all the time. While all
   * locks are held, a buffer goes back to the heap that it came from, so each heap counts its own.
   */
  long usedBytesOfAll(List<LockedHeap> heaps) {
    int countLocked = 0;
    try {
      for (Rack rack : racks) {
        rack.lockWaiting();
        countLocked++;
      }
      long sumBytes = usedBytesOpaque();
      for (int i = 0; i < heaps.size(); i++) {
        sumBytes += heaps.get(i).usedBytesOpaque();
      }
      return sumBytes;
    } finally {
      for (int i = 0; i < countLocked; i++) {
        racks[i].lock = 0;
      }
    }
  }

  /** Bytes of all buffers ever that came from here; a recent value. */
  long allocatedBytesOpaque() {
    long sumBytes = 0;
    for (Rack rack : racks) {
      sumBytes += rack.allocatedBytesOpaque();
    }
    return sumBytes;
  }

  /** Takes all locks, since a buffer may go from one rack to another. */
  void verify() {
    Set<Long> seen = new HashSet<>();
    int countLocked = 0;
    try {
      for (Rack rack : racks) {
        rack.lockWaiting();
        countLocked++;
      }
      for (Rack rack : racks) {
        rack.verify(seen);
      }
    } finally {
      for (int i = 0; i < countLocked; i++) {
        racks[i].lock = 0;
      }
    }
  }
}
