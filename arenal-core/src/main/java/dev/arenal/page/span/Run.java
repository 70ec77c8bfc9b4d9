package dev.arenal.page.span;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a small page in slots of one size class.
 *
 * <p>The lowest free slot is taken first, so that the high ones come free and their memory can go.
 *
 * <p>Not thread-safe: the lock of the heap guards it.
 */
public final class Run extends Span {
  /** The page that it lies in. */
  public final SmallPage page;

  /** The class of its slots. */
  public final int sizeClass;

  /** How many slots there are. */
  final int slotCount;

  /** The first unit of its page that it takes. */
  public final int firstUnit;

  /** The unit behind the last one. */
  public final int endUnit;

  /** Links of the list of its class, while {@link #isListed}. */
  @Nullable Run next;

  @Nullable Run previous;
  boolean isListed;

  /** Where the page has it. */
  int indexInPage = -1;

  /** A set bit is a free slot. */
  private final long[] free;

  /** Freed since the last cycle. */
  private final long[] freedSinceCycle;

  /** No free slot is in a word below this one. */
  private int firstWord;

  private int freeCount;

  /** Slots from here on have never been handed out. */
  private int unusedFrom;

  private final boolean isZero;

  private boolean wasEmpty;

  /** All slots of the units are free. */
  public Run(SmallPage page, int sizeClass, int firstUnit, int endUnit, boolean isZero) {
    super(page.owner, page.addressOf(firstUnit), SizeClasses.slotBytes(sizeClass));
    this.page = page;
    this.sizeClass = sizeClass;
    this.firstUnit = firstUnit;
    this.endUnit = endUnit;
    this.slotCount = ((endUnit - firstUnit) << page.unitShift) / stepBytes;
    this.free = Bits.ofSize(slotCount);
    this.freedSinceCycle = Bits.ofSize(slotCount);
    this.isZero = isZero;
    Bits.set(free, 0, slotCount);
    Bits.set(freedSinceCycle, 0, slotCount);
    freeCount = slotCount;
  }

  /** The one behind it in the list of its class; null if there is none. */
  public @Nullable Run next() {
    return next;
  }

  /** Whether the list of its class has it. */
  public boolean isListed() {
    return isListed;
  }

  /** Whether it was empty at the last cycle. */
  public boolean wasEmpty() {
    return wasEmpty;
  }

  /** Takes the lowest free slot; there must be one. */
  public int take() {
    int slot = first();
    free[slot >>> 6] &= free[slot >>> 6] - 1;
    freeCount--;
    return slot;
  }

  /** The lowest free slot; there must be one. */
  private int first() {
    int word = firstWord;
    while (free[word] == 0) {
      word++;
    }
    firstWord = word;
    return (word << 6) + Long.numberOfTrailingZeros(free[word]);
  }

  /** Whether the slot that {@link #take} takes next is committed. */
  public boolean isFirstCommitted() {
    int slot = first();
    return !page.isDiscarded(firstUnitOf(slot), endUnitOf(slot));
  }

  /** Takes the lowest free slot that is committed; -1 if there is none. */
  public int takeCommitted() {
    int slot = Bits.nextSet(free, 0, slotCount);
    while (slot < slotCount && page.isDiscarded(firstUnitOf(slot), endUnitOf(slot))) {
      slot = Bits.nextSet(free, slot + 1, slotCount);
    }
    if (slot == slotCount) {
      return -1;
    }
    withdraw(slot, slot + 1);
    return slot;
  }

  /** Frees a slot. */
  public void give(int slot) {
    int word = slot >>> 6;
    free[word] |= 1L << slot;
    freedSinceCycle[word] |= 1L << slot;
    firstWord = Math.min(firstWord, word);
    freeCount++;
  }

  boolean isFree(int slot) {
    return Bits.get(free, slot);
  }

  /** Whether no slot is free. */
  public boolean isFull() {
    return freeCount == 0;
  }

  /** Whether all slots are free. */
  public boolean isEmpty() {
    return freeCount == slotCount;
  }

  int freeCount() {
    return freeCount;
  }

  @Override
  public HeapPage page() {
    return page;
  }

  @Override
  public boolean isInUse(int from, int count) {
    return count == 1 && from < slotCount && !isFree(from);
  }

  /** Whether the slot reads as zero without having been cleared; marks it as used. */
  public boolean isStillZero(int slot) {
    boolean isStillZero = isZero && slot >= unusedFrom;
    unusedFrom = Math.max(unusedFrom, slot + 1);
    return isStillZero;
  }

  /** The first unit of the page that the slot touches. */
  public int firstUnitOf(int slot) {
    return page.unitAt(addressOf(slot));
  }

  /** The unit behind the last one that the slot touches. */
  public int endUnitOf(int slot) {
    return page.unitAt(addressOf(slot) + stepBytes - 1) + 1;
  }

  /** The first slot from there that is idle: free, and so at the last cycle; or their number. */
  int nextIdle(int from, boolean evenSinceCycle) {
    int at = from;
    while (at < slotCount) {
      at = Bits.nextSet(free, at, slotCount);
      int next = evenSinceCycle ? at : Bits.nextClear(freedSinceCycle, at, slotCount);
      if (next == at) {
        return at;
      }
      at = next;
    }
    return slotCount;
  }

  int endOfIdle(int from, boolean evenSinceCycle) {
    int end = Bits.nextClear(free, from, slotCount);
    return evenSinceCycle ? end : Bits.nextSet(freedSinceCycle, from, end);
  }

  /** Takes free slots away while their memory is given back. */
  void withdraw(int from, int to) {
    Bits.clear(free, from, to);
    freeCount -= to - from;
  }

  /** Undoes {@link #withdraw}. */
  public void restore(int from, int to) {
    Bits.set(free, from, to);
    freeCount += to - from;
    firstWord = Math.min(firstWord, from >>> 6);
  }

  void beginCycle() {
    Arrays.fill(freedSinceCycle, 0);
    wasEmpty = isEmpty();
  }

  /** INV-RUN-1, INV-RUN-2. */
  void verify() {
    int count = Bits.count(free, 0, slotCount);
    if (count != freeCount || Bits.nextSet(free, 0, slotCount) >>> 6 < firstWord) {
      throw new AssertionError("INV-RUN-1 free slots are not those marked: " + this);
    }
    if (Bits.nextClear(page.used, firstUnit, endUnit) != endUnit) {
      throw new AssertionError("INV-RUN-2 units of a run are free: " + this);
    }
  }

  @Override
  public String toString() {
    return "run=0x"
        + Long.toHexString(address)
        + ", slotBytes="
        + stepBytes
        + ", slotCount="
        + slotCount
        + ", freeCount="
        + freeCount;
  }
}
