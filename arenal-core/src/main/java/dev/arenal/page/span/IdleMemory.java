package dev.arenal.page.span;

import dev.arenal.page.granule.PageSupply;
import dev.arenal.supply.Claim;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A batch of memory inside pages in use that is claimed for a discard. It is idle: free, and so at
 * the last cycle; or, where that is asked for, freed since then.
 *
 * <p>It is collected under the lock of the heap, and has no owner then; given back without any
 * lock, since the kernel takes its time; and returned to the heap as free and discarded under the
 * lock again.
 */
public final class IdleMemory {
  /** The kernel needs about half a millisecond for that. */
  private static final long BATCH_BYTES = 8 << 20;

  private static final int MOST_COUNTED_PAGES = 32;

  /** The part taken from one page: units, or slots of a run. */
  private record Taken(
      HeapPage page, @Nullable Run run, int from, int to, int firstUnit, int endUnit) {}

  private final boolean evenSinceCycle;

  /** Whether nothing is taken, but {@link #countedBytes} counted. */
  private final boolean isCount;

  private long countedBytes;
  private int countedPages;

  /** Of this batch and all that follow. */
  private final long limitBytes;

  private final long mostBytes;
  private final int leastOsPages;

  /** Whether the next stretch of a run is more than may go. */
  private boolean isExhausted;

  /** Pages from that granule on are done. */
  private int belowGranule;

  /** In the page that it began with last, units below that one are done. */
  private int fromUnit;

  private final List<Taken> taken = new ArrayList<>();
  private final Claim claim = new Claim();

  /**
   * An empty batch.
   *
   * @param evenSinceCycle also memory freed since the last cycle
   * @param mostBytes after which it is full, at the latest: more follows in another batch
   * @param leastOsPages no smaller hole is taken
   * @param belowGranule only pages that begin below it
   * @param fromUnit of a page that begins right below it, only units from there on
   */
  public IdleMemory(
      boolean evenSinceCycle, long mostBytes, int leastOsPages, int belowGranule, int fromUnit) {
    this.evenSinceCycle = evenSinceCycle;
    this.isCount = false;
    this.limitBytes = mostBytes;
    this.mostBytes = Math.min(BATCH_BYTES, mostBytes);
    this.leastOsPages = leastOsPages;
    this.belowGranule = belowGranule;
    this.fromUnit = fromUnit;
  }

  /**
   * A count of what batches would take, in holes of all sizes: it takes nothing. A limit to what
   * may go does not matter to a stretch that goes as a whole.
   */
  public IdleMemory(long mostBytes, int belowGranule) {
    this.evenSinceCycle = true;
    this.isCount = true;
    this.limitBytes = Long.MAX_VALUE;
    this.mostBytes = mostBytes;
    this.leastOsPages = 1;
    this.belowGranule = belowGranule;
  }

  /** Where the next page is looked for; of a full batch, the end of the page in which it ended. */
  public int belowGranule() {
    return belowGranule;
  }

  /** In that page, where units follow that it has not come to; 0 if it has come to all of them. */
  public int fromUnit() {
    return fromUnit;
  }

  /** Begins with a page, which lies below all pages before. */
  public void begin(HeapPage page) {
    int below = page.memory.firstGranule + 1;
    fromUnit = below == belowGranule ? fromUnit : 0;
    belowGranule = below;
    countedPages++;
  }

  /** Whether to begin with another page: a count looks at so many, for the sake of the lock. */
  public boolean goesOn() {
    return !isFull() && !(isCount && countedPages >= MOST_COUNTED_PAGES);
  }

  /** The number of pages that it has begun with. */
  public int countedPages() {
    return countedPages;
  }

  /** Whether no more may be taken. */
  public boolean isFull() {
    return isExhausted || sizeBytes() >= mostBytes;
  }

  /** Bytes that it has taken or counted. */
  public long sizeBytes() {
    return isCount ? countedBytes : claim.totalBytes();
  }

  /** Whether nothing has been taken. */
  public boolean isEmpty() {
    return taken.isEmpty();
  }

  /** Takes the OS pages that are free as a whole. */
  public void collectUnits(HeapPage page) {
    int at = page.nextIdle(fromUnit, evenSinceCycle);
    while (at < page.unitCount && !isFull()) {
      int end = page.endOfIdle(at, evenSinceCycle);
      int next = end;
      int from = roundUp(at, page.unitsPerOsPage);
      int to = end & -page.unitsPerOsPage;
      if (to - from >= leastOsPages * page.unitsPerOsPage) {
        int most = from + restUnits(page);
        next = most < to ? most : end;
        to = Math.min(to, most);
        if (!isCount) {
          taken.add(new Taken(page, null, from, to, from, to));
          page.take(from, to); // a part that is in the list is given back, whatever happens
          page.retainPart();
        }
        addRange(page, from, to);
      }
      at = page.nextIdle(next, evenSinceCycle);
    }
    fromUnit = at < page.unitCount ? at : 0;
  }

  /** Bytes that may still be taken, in whole OS pages. */
  private int restUnits(HeapPage page) {
    long restBytes = Math.min(mostBytes - sizeBytes(), page.memory.sizeBytes);
    return roundUp(page.unitsOf(restBytes), page.unitsPerOsPage);
  }

  /** Takes the slots around the OS pages in which all slots are free. */
  public void collectSlots(Run run) {
    HeapPage page = run.page;
    int at = run.nextIdle(0, evenSinceCycle);
    while (at < run.slotCount && !isFull()) {
      int end = run.endOfIdle(at, evenSinceCycle);
      int from = roundUp(page.unitAtOrAfter(run.addressOf(at)), page.unitsPerOsPage);
      int to = page.unitAt(run.addressOf(end)) & -page.unitsPerOsPage;
      boolean isWorthIt = to - from >= leastOsPages * page.unitsPerOsPage;
      if (isWorthIt && page.nextCommitted(from, to) < to) {
        if ((long) (to - from) << page.unitShift > limitBytes - sizeBytes()) {
          isExhausted = true; // a stretch goes as a whole
          return;
        }
        if (isCount) {
          countCommitted(page, from, to);
        } else {
          List<Taken> parts = committedParts(page, run, at, end, from, to);
          taken.addAll(parts);
          run.withdraw(at, end);
          for (Taken part : parts) {
            addRange(page, part.firstUnit, part.endUnit);
          }
        }
      }
      at = run.nextIdle(end, evenSinceCycle);
    }
  }

  private void countCommitted(HeapPage page, int from, int to) {
    int start = page.nextCommitted(from, to);
    while (start < to) {
      int end = page.nextDiscarded(start, to);
      addRange(page, start, end);
      start = page.nextCommitted(end, to);
    }
  }

  /** Some OS pages among them may be discarded already. */
  private static List<Taken> committedParts(
      HeapPage page, Run run, int fromSlot, int toSlot, int from, int to) {
    List<Taken> parts = new ArrayList<>();
    int start = page.nextCommitted(from, to);
    int slot = fromSlot;
    while (start < to) {
      int end = page.nextDiscarded(start, to);
      int next = page.nextCommitted(end, to);
      int toHere = next < to ? slot : toSlot; // the slots are returned with the last part
      parts.add(new Taken(page, run, slot, toHere, start, end));
      slot = toHere;
      start = next;
    }
    return parts;
  }

  private void addRange(HeapPage page, int from, int to) {
    long sizeBytes = (long) (to - from) << page.unitShift;
    if (isCount) {
      countedBytes += sizeBytes;
    } else {
      claim.add(page.addressOf(from), sizeBytes);
    }
  }

  /** Gives it all to the kernel; no lock is held. */
  public long discard(PageSupply supply) {
    return supply.discard(claim);
  }

  /** Returns it to the heap; the lock is held. Without an iterator: the Java heap may be full. */
  public void restore(SpanOwner owner) {
    // Ranges are in the order in which parts were added; one may hold several parts, and the last
    // parts have none if the Java heap was full as they were added.
    int range = 0;
    for (int i = 0; i < taken.size(); i++) {
      Taken part = taken.get(i);
      long address = part.page.addressOf(part.firstUnit);
      while (range < claim.count() && !isIn(range, address)) {
        range++;
      }
      if (range < claim.count() && claim.isGone(range)) {
        part.page.markDiscarded(part.firstUnit, part.endUnit);
      }
    }
    for (int i = 0; i < taken.size(); i++) {
      Taken part = taken.get(i);
      if (part.run == null) {
        owner.restore(part.page, part.from, part.to);
      } else if (part.from < part.to) {
        owner.restoreSlots(part.run, part.from, part.to);
      }
    }
    taken.clear();
  }

  private boolean isIn(int range, long address) {
    long from = claim.address(range);
    return address >= from && address < from + claim.sizeBytes(range);
  }

  private static int roundUp(int units, int multiple) {
    return (units + multiple - 1) & -multiple;
  }
}
