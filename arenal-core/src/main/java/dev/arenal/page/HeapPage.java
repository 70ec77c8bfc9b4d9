package dev.arenal.page;

import dev.arenal.page.granule.PageMemory;
import java.util.Arrays;

/**
 * A page in units: which are used, which have been handed out since the last look, which have gone
 * back to the kernel, and which may hold something else than zero.
 *
 * <p>All of it is on the Java heap: free memory is not touched to find out that it is free.
 *
 * <p>Not thread-safe: the lock of the heap guards it.
 */
class HeapPage extends Span {
  /** Unit of small pages in bytes. */
  static final int SMALL_UNIT_BYTES = 1 << 10;

  /** Unit of medium pages in bytes: a buffer of more than 256 KiB wastes 1.6 % at most. */
  static final int MEDIUM_UNIT_BYTES = 4 << 10;

  final PageMemory memory;
  final int unitShift;
  final int unitsPerOsPage;
  final int unitCount;
  final long[] used;

  /** Freed since the last cycle: not idle yet. */
  private final long[] freedSinceCycle;

  private final long[] discarded;
  private final long[] dirty;

  /** No free range is longer than that; it may be less. */
  private int longestFree;

  /** The same for ranges that are committed throughout. */
  private int longestCommitted;

  /** The second longest of them when they were looked at last. */
  private int secondCommitted;

  private int usedUnits;
  private int discardedUnits;

  /** Whether it was empty at the last cycle. */
  boolean wasEmpty;

  /** Where the {@link PageIndex} has it. */
  int position = -1;

  HeapPage(LockedHeap heap, PageMemory memory, int unitBytes) {
    super(heap, memory.address, unitBytes);
    this.memory = memory;
    this.unitShift = Integer.numberOfTrailingZeros(unitBytes);
    this.unitsPerOsPage = (int) Math.max(1, heap.context.osPageBytes() / unitBytes);
    this.unitCount = Math.toIntExact(memory.sizeBytes >>> unitShift);
    this.used = Bits.ofSize(unitCount);
    this.freedSinceCycle = Bits.ofSize(unitCount);
    this.discarded = Bits.ofSize(unitCount);
    this.dirty = Bits.ofSize(unitCount);
    this.longestFree = unitCount;
    this.longestCommitted = unitCount;
    Arrays.fill(freedSinceCycle, -1);
    if (!memory.isZero) {
      Arrays.fill(dirty, -1);
    }
  }

  /** Units that so many bytes take. */
  final int unitsOf(long sizeBytes) {
    return (int) ((sizeBytes + (1L << unitShift) - 1) >>> unitShift);
  }

  @Override
  final HeapPage page() {
    return this;
  }

  @Override
  final int magazineOf(int count) {
    return Racks.magazineOfRanges(heap.age, (long) count << unitShift);
  }

  @Override
  final boolean isInUse(int from, int count) {
    return from + count <= unitCount && Bits.nextClear(used, from, from + count) == from + count;
  }

  /** The first unit that begins at the address or after it. */
  final int unitAtOrAfter(long address) {
    return unitAt(address + (1L << unitShift) - 1);
  }

  final int unitAt(long address) {
    return (int) ((address - memory.address) >>> unitShift);
  }

  final int longestFree() {
    return longestFree;
  }

  final int longestCommitted() {
    return longestCommitted;
  }

  final int usedUnits() {
    return usedUnits;
  }

  final boolean isEmpty() {
    return usedUnits == 0;
  }

  final int discardedUnits() {
    return discardedUnits;
  }

  /** Bytes that are committed and not used; takes time proportional to the number of units. */
  final long freeBytes() {
    long others = 0;
    for (int i = 0; i < used.length; i++) {
      others += Long.bitCount(used[i] | discarded[i]); // a large page has fewer units than bits
    }
    return (unitCount - others) << unitShift;
  }

  /** Bytes that have gone back to the kernel. */
  final long discardedBytes() {
    return (long) discardedUnits << unitShift;
  }

  /**
   * Offers its free ranges that are long enough, also if they have to be had from the kernel again;
   * {@link #longestFree} is exact then.
   */
  final void offerFree(int wantedUnits, BestHole hole) {
    int longest = 0;
    int at = Bits.nextClear(used, 0, unitCount);
    while (at < unitCount) {
      int end = Bits.nextSet(used, at, unitCount);
      int length = end - at;
      int low = hole.alignUp(at);
      int high = hole.alignDown(end - wantedUnits);
      if (low <= high) {
        int atBegin = discardedCount(low, low + wantedUnits);
        int atEnd = atBegin == 0 ? 0 : discardedCount(high, high + wantedUnits);
        boolean isEndBetter = atEnd < atBegin;
        hole.offer(this, isEndBetter ? high : low, Math.min(atBegin, atEnd), length);
      }
      longest = Math.max(longest, length);
      at = Bits.nextClear(used, end, unitCount);
    }
    longestFree = longest;
  }

  /**
   * Offers those that are committed throughout. The bound of the longest one is lower then; if none
   * is long enough, it is exact.
   */
  final void offerCommitted(int wantedUnits, BestHole hole) {
    if (!offerCommitted(wantedUnits, hole, true)) {
      var _ = offerCommitted(wantedUnits, hole, false);
    }
  }

  /**
   * Word by word, since most of the time of an allocation goes by here.
   *
   * @param isQuick whether ranges inside a word are passed over where none is long enough
   * @return whether there is a range that is long enough
   */
  private boolean offerCommitted(int wantedUnits, BestHole hole, boolean isQuick) {
    int longest = 0;
    int second = isQuick ? wantedUnits - 1 : 0;
    int start = 0; // of the range that has no end yet
    for (int i = 0; i <= used.length; i++) {
      // Behind the last word is a set bit, at which the last range ends.
      long gone = i < used.length ? used[i] | discarded[i] : 1;
      int base = Math.min(i << 6, unitCount);
      boolean isPassedOver = isQuick && !Bits.hasRun(~gone, wantedUnits);
      long rest = gone;
      while (rest != 0) {
        int bit = Long.numberOfTrailingZeros(rest);
        int length = base + bit - start;
        if (length >= wantedUnits) {
          int low = hole.alignUp(start);
          if (low + wantedUnits <= start + length) {
            hole.offer(this, low, 0, length);
          }
        }
        if (length > second) {
          second = Math.max(second, Math.min(length, longest));
          longest = Math.max(length, longest);
        }
        if (isPassedOver) { // to the range at the end of the word
          start = base + Long.SIZE - Long.numberOfLeadingZeros(gone);
          break;
        }
        // The first clear bit after those that are set from there on.
        long clear = ~(rest | ((1L << bit) - 1));
        int next = Long.numberOfTrailingZeros(clear); // 64 if there is none
        start = base + next;
        rest = clear == 0 ? 0 : gone & (-1L << next);
      }
    }
    boolean isThere = longest >= wantedUnits;
    if (isThere || !isQuick) {
      setLongestCommitted(longest, second);
    }
    return isThere;
  }

  /** Takes from the hole that was just found in it. */
  final void take(BestHole hole, int units) {
    take(hole.from, hole.from + units);
    if (hole.isOfCommittedSearch() && hole.length() == longestCommitted) {
      setLongestCommitted(Math.max(secondCommitted, longestCommitted - units), secondCommitted);
    }
  }

  private void setLongestCommitted(int longest, int second) {
    longestCommitted = longest;
    secondCommitted = second;
    if (discardedUnits == 0) {
      longestFree = longest; // there are no others
    }
  }

  /** Units of the range that have gone back to the kernel. */
  final int discardedCount(int from, int to) {
    return discardedUnits == 0 ? 0 : Bits.count(discarded, from, to);
  }

  /** Takes a range that is free. */
  final void take(int from, int to) {
    Bits.set(used, from, to);
    usedUnits += to - from;
  }

  /** Takes all that is free. */
  final void takeAll() {
    Bits.set(used, 0, unitCount);
    usedUnits = unitCount;
    longestFree = 0;
    longestCommitted = 0;
  }

  /** Frees a range: it joins free neighbours. */
  final void give(int from, int to) {
    Bits.clear(used, from, to);
    Bits.set(freedSinceCycle, from, to);
    usedUnits -= to - from;
    int start = Bits.startOfClear(used, from, 0);
    int end = Bits.nextSet(used, to, unitCount);
    longestFree = Math.max(longestFree, end - start);
    if (discardedUnits == 0) {
      longestCommitted = Math.max(longestCommitted, end - start);
    } else {
      longestCommitted = Math.max(longestCommitted, longestCommitted(start, end));
    }
  }

  /** The longest committed part of a free range. */
  private int longestCommitted(int from, int to) {
    int longest = 0;
    for (int at = Bits.nextClear(discarded, from, to); at < to; ) {
      int end = Bits.nextSet(discarded, at, to);
      longest = Math.max(longest, end - at);
      at = Bits.nextClear(discarded, end, to);
    }
    return longest;
  }

  /** Whether some of the range has gone back to the kernel. */
  final boolean isDiscarded(int from, int to) {
    return discardedUnits != 0 && Bits.any(discarded, from, to);
  }

  final void markDiscarded(int from, int to) {
    discardedUnits += to - from - Bits.count(discarded, from, to);
    Bits.set(discarded, from, to);
    Bits.clear(dirty, from, to);
  }

  /** Whole OS pages: free units in them beside the buffer are now committed. */
  final void markRecommitted(int from, int to) {
    discardedUnits -= Bits.count(discarded, from, to);
    Bits.clear(discarded, from, to);
    int start = Bits.startOfClear(used, from, 0);
    for (int at = Bits.nextClearInBoth(used, discarded, start, to); at < to; ) {
      int end = Bits.nextSetInEither(used, discarded, at, unitCount);
      longestCommitted = Math.max(longestCommitted, end - at);
      at = Bits.nextClearInBoth(used, discarded, end, to);
    }
  }

  /** The first discarded unit in the range, or its end. */
  final int nextDiscarded(int from, int to) {
    return Bits.nextSet(discarded, from, to);
  }

  /** The first unit in the range that is not discarded, or its end. */
  final int nextCommitted(int from, int to) {
    return Bits.nextClear(discarded, from, to);
  }

  /** Marks the range as used by the program; returns whether some of it had been before. */
  final boolean markDirty(int from, int to) {
    boolean wasDirty = Bits.any(dirty, from, to);
    Bits.set(dirty, from, to);
    return wasDirty;
  }

  /** The first unit from there that is idle: free, committed, and so at the last cycle. */
  final int nextIdle(int from, boolean evenSinceCycle) {
    int at = from;
    while (at < unitCount) {
      at = Bits.nextClear(used, at, unitCount);
      int next = evenSinceCycle ? at : Bits.nextClear(freedSinceCycle, at, unitCount);
      next = Bits.nextClear(discarded, next, unitCount);
      if (next == at) {
        return at;
      }
      at = next;
    }
    return unitCount;
  }

  /** The end of the idle units that begin there. */
  final int endOfIdle(int from, boolean evenSinceCycle) {
    int end = Bits.nextSet(used, from, unitCount);
    end = evenSinceCycle ? end : Bits.nextSet(freedSinceCycle, from, end);
    return Bits.nextSet(discarded, from, end);
  }

  /** A part of it is taken, by a buffer or for the kernel: it must not go back as a whole. */
  void retainPart() {
    // It is not empty while units are taken.
  }

  /** Nothing has been freed since the cycle that begins here. */
  void beginCycle() {
    Arrays.fill(freedSinceCycle, 0);
    wasEmpty = isEmpty();
  }

  /** INV-PAGE-1, INV-PAGE-2. */
  void verify() {
    int count = Bits.count(used, 0, unitCount);
    if (count != usedUnits) {
      throw new AssertionError(
          "INV-PAGE-1 used units are not those marked: " + this + ", marked=" + count);
    }
    int discardedCount = Bits.count(discarded, 0, unitCount);
    if (discardedCount != discardedUnits) {
      throw new AssertionError(
          "INV-PAGE-1 discarded units are not those marked: "
              + this
              + ", marked="
              + discardedCount);
    }
    int free = 0;
    int committed = 0;
    for (int at = Bits.nextClear(used, 0, unitCount); at < unitCount; ) {
      int end = Bits.nextSet(used, at, unitCount);
      free = Math.max(free, end - at);
      committed = Math.max(committed, longestCommitted(at, end));
      at = Bits.nextClear(used, end, unitCount);
    }
    if (free > longestFree || committed > longestCommitted) {
      throw new AssertionError(
          "INV-PAGE-2 a free range is longer than the bound: "
              + this
              + ", free="
              + free
              + ", committed="
              + committed);
    }
  }

  @Override
  public String toString() {
    return "page=0x"
        + Long.toHexString(memory.address)
        + ", sizeBytes="
        + memory.sizeBytes
        + ", usedUnits="
        + usedUnits
        + ", discardedUnits="
        + discardedUnits
        + ", longestFree="
        + longestFree
        + ", longestCommitted="
        + longestCommitted;
  }
}
