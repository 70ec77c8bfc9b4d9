package dev.arenal.page.span;

import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A page in units: which are used, which have been handed out since the last look, which have gone
 * back to the kernel, and which may hold something else than zero.
 *
 * <p>All of it is on the Java heap: free memory is not touched to find out that it is free.
 *
 * <p>Not thread-safe: the lock of the heap guards it.
 */
public sealed class HeapPage extends Span permits SmallPage, SharedPage {
  /** Unit of small pages in bytes. */
  public static final int SMALL_UNIT_BYTES = 1 << 10;

  /** Unit of medium pages in bytes: a buffer of more than 256 KiB wastes 1.6 % at most. */
  public static final int MEDIUM_UNIT_BYTES = 4 << 10;

  /** The memory of the page, as it came from the supply. */
  public final PageMemory memory;

  /** The logarithm of the size of a unit. */
  public final int unitShift;

  /** Units of an OS page; one where they are larger. */
  public final int unitsPerOsPage;

  /** How many units there are. */
  public final int unitCount;

  final long[] used;

  /** Freed since the last cycle: not idle yet. */
  private final long[] freedSinceCycle;

  private final long[] discarded;
  private final long[] dirty;

  /** No free range is longer than that; it may be less. */
  private int longestFree;

  /** Ranges that are free and committed throughout, as long as they are; null in a large page. */
  private final @Nullable HoleCounts holes;

  private int usedUnits;
  private int discardedUnits;

  private boolean wasEmpty;

  /** Where the {@link PageIndex} has it. */
  int position = -1;

  /** All units are free. */
  public HeapPage(SpanOwner owner, PageMemory memory, int unitBytes, long osPageBytes) {
    super(owner, memory.address, unitBytes);
    this.memory = memory;
    this.unitShift = Integer.numberOfTrailingZeros(unitBytes);
    this.unitsPerOsPage = (int) Math.max(1, osPageBytes / unitBytes);
    this.unitCount = Math.toIntExact(memory.sizeBytes >>> unitShift);
    this.used = Bits.ofSize(unitCount);
    this.freedSinceCycle = Bits.ofSize(unitCount);
    this.discarded = Bits.ofSize(unitCount);
    this.dirty = Bits.ofSize(unitCount);
    this.longestFree = unitCount;
    this.holes = memory.kind == PageKind.LARGE ? null : new HoleCounts();
    if (holes != null) {
      holes.add(unitCount);
    }
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
  public final HeapPage page() {
    return this;
  }

  @Override
  public final boolean isInUse(int from, int count) {
    return from + count <= unitCount && Bits.nextClear(used, from, from + count) == from + count;
  }

  /** The first unit that begins at the address or after it. */
  final int unitAtOrAfter(long address) {
    return unitAt(address + (1L << unitShift) - 1);
  }

  /** The unit in which an address lies. */
  public final int unitAt(long address) {
    return (int) ((address - memory.address) >>> unitShift);
  }

  final int longestFree() {
    return longestFree;
  }

  /** No free range that is committed is longer than that. */
  final int longestCommitted() {
    return holes == null ? 0 : Math.min(unitCount, holes.longestBound());
  }

  /** Classes of the free ranges that are committed; null in a large page, which has none. */
  final long @Nullable [] holeClasses() {
    return holes == null ? null : holes.present;
  }

  /** How many units are taken. */
  public final int usedUnits() {
    return usedUnits;
  }

  /** Whether no unit is taken. */
  public final boolean isEmpty() {
    return usedUnits == 0;
  }

  /** How many units have gone back to the kernel. */
  public final int discardedUnits() {
    return discardedUnits;
  }

  /** Bytes that are committed and not used. */
  public final long freeBytes() {
    return holes == null
        ? (long) (unitCount - usedUnits) << unitShift // nothing in it is discarded by itself
        : (long) holes.units() << unitShift;
  }

  /** Bytes that have gone back to the kernel. */
  public final long discardedBytes() {
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
   * Offers those that are committed throughout, up to the first that is short enough.
   *
   * <p>Word by word, since most of the time of a search goes by here: ranges inside a word are
   * passed over where none is long enough.
   *
   * @param goodUnits a range that is no longer need not be compared with others
   */
  final void offerCommitted(int wantedUnits, int goodUnits, BestHole hole) {
    int start = 0; // of the range that has no end yet
    for (int i = 0; i <= used.length; i++) {
      // Behind the last word is a set bit, at which the last range ends.
      long gone = i < used.length ? used[i] | discarded[i] : 1;
      int base = Math.min(i << 6, unitCount);
      boolean isPassedOver = !Bits.hasRun(~gone, wantedUnits);
      long rest = gone;
      while (rest != 0) {
        int bit = Long.numberOfTrailingZeros(rest);
        int length = base + bit - start;
        if (length >= wantedUnits) {
          int low = hole.alignUp(start);
          if (low + wantedUnits <= start + length) {
            hole.offer(this, low, 0, length);
            if (length <= goodUnits) {
              return;
            }
          }
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
  }

  /** Units of the range that have gone back to the kernel. */
  final int discardedCount(int from, int to) {
    return discardedUnits == 0 ? 0 : Bits.count(discarded, from, to);
  }

  /** Takes a range that is free. */
  public final void take(int from, int to) {
    if (isDiscarded(from, to)) {
      forgetHoles(from, to);
      Bits.set(used, from, to);
      noteHoles(from, to);
    } else {
      Bits.set(used, from, to);
      splitHole(from, to);
    }
    usedUnits += to - from;
  }

  /** Takes all that is free. */
  public final void takeAll() {
    Bits.set(used, 0, unitCount);
    usedUnits = unitCount;
    longestFree = 0;
    if (holes != null) {
      holes.clear();
    }
  }

  /** Frees a range: it joins free neighbours. */
  public final void give(int from, int to) {
    boolean isPartlyDiscarded = isDiscarded(from, to);
    if (isPartlyDiscarded) {
      forgetHoles(from, to);
    } else {
      joinHoles(from, to);
    }
    Bits.clear(used, from, to);
    Bits.set(freedSinceCycle, from, to);
    usedUnits -= to - from;
    int start = Bits.previousSet(used, from - 1) + 1;
    int end = Bits.nextSet(used, to, unitCount);
    longestFree = Math.max(longestFree, end - start);
    if (isPartlyDiscarded) {
      noteHoles(from, to);
    }
  }

  /** A range that is committed is taken: the hole that it was in is shorter, or two. */
  private void splitHole(int from, int to) {
    HoleCounts holes = this.holes;
    if (holes != null) {
      int start = Bits.previousSetInEither(used, discarded, from - 1) + 1;
      int end = Bits.nextSetInEither(used, discarded, to, unitCount);
      holes.remove(end - start);
      holes.add(from - start);
      holes.add(end - to);
    }
  }

  /** A range that is committed is free: it is a hole, with those that it joins. */
  private void joinHoles(int from, int to) {
    HoleCounts holes = this.holes;
    if (holes != null) {
      int start = Bits.previousSetInEither(used, discarded, from - 1) + 1;
      int end = Bits.nextSetInEither(used, discarded, to, unitCount);
      holes.remove(from - start);
      holes.remove(end - to);
      holes.add(end - start);
    }
  }

  /** Begins a change of a range: holes in it or beside it are counted out. */
  private void forgetHoles(int from, int to) {
    changeHoles(holes, from, to, false);
  }

  /** Ends a change of a range: holes in it or beside it are counted in. */
  private void noteHoles(int from, int to) {
    changeHoles(holes, from, to, true);
  }

  private void changeHoles(@Nullable HoleCounts holes, int from, int to, boolean isThere) {
    if (holes == null) {
      return;
    }
    int start = Bits.previousSetInEither(used, discarded, from - 1) + 1;
    int limit = Bits.nextSetInEither(used, discarded, to, unitCount);
    int at = start < from ? start : Bits.nextClearInBoth(used, discarded, from, limit);
    while (at < limit) {
      int end = Bits.nextSetInEither(used, discarded, at, limit);
      if (isThere) {
        holes.add(end - at);
      } else {
        holes.remove(end - at);
      }
      at = Bits.nextClearInBoth(used, discarded, end, limit);
    }
  }

  /** Whether some of the range has gone back to the kernel. */
  public final boolean isDiscarded(int from, int to) {
    return discardedUnits != 0 && Bits.any(discarded, from, to);
  }

  final void markDiscarded(int from, int to) {
    forgetHoles(from, to);
    discardedUnits += to - from - Bits.count(discarded, from, to);
    Bits.set(discarded, from, to);
    Bits.clear(dirty, from, to);
    noteHoles(from, to);
  }

  /** Whole OS pages: free units in them beside the buffer are now committed. */
  public final void markRecommitted(int from, int to) {
    forgetHoles(from, to);
    discardedUnits -= Bits.count(discarded, from, to);
    Bits.clear(discarded, from, to);
    noteHoles(from, to);
  }

  /** The first discarded unit in the range, or its end. */
  public final int nextDiscarded(int from, int to) {
    return Bits.nextSet(discarded, from, to);
  }

  /** The first unit in the range that is not discarded, or its end. */
  public final int nextCommitted(int from, int to) {
    return Bits.nextClear(discarded, from, to);
  }

  /** Marks the range as used by the program; returns whether some of it had been before. */
  public final boolean markDirty(int from, int to) {
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
  public void retainPart() {
    // It is not empty while units are taken.
  }

  /** Whether it was empty at the last cycle. */
  public final boolean wasEmpty() {
    return wasEmpty;
  }

  /** Whether a {@link PageIndex} has it. */
  public final boolean isIndexed() {
    return position >= 0;
  }

  /** Nothing has been freed since the cycle that begins here. */
  public void beginCycle() {
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
    for (int at = Bits.nextClear(used, 0, unitCount); at < unitCount; ) {
      int end = Bits.nextSet(used, at, unitCount);
      free = Math.max(free, end - at);
      at = Bits.nextClear(used, end, unitCount);
    }
    if (free > longestFree) {
      throw new AssertionError(
          "INV-PAGE-2 a free range is longer than the bound: " + this + ", free=" + free);
    }
    if (holes != null) {
      HoleCounts counted = new HoleCounts();
      changeHoles(counted, 0, unitCount, true);
      if (!counted.isLike(holes)) {
        throw new AssertionError("INV-PAGE-2 holes are not those counted: " + this);
      }
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
        + longestCommitted();
  }
}
