package dev.arenal.page;

import dev.arenal.guard.StackReserve;
import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.HeapPage;
import dev.arenal.page.span.IdleMemory;
import dev.arenal.page.span.Run;
import dev.arenal.page.span.RunList;
import dev.arenal.page.span.SearchDepth;
import dev.arenal.page.span.SizeClasses;
import dev.arenal.page.span.SmallPage;
import dev.arenal.page.span.Span;
import org.jspecify.annotations.Nullable;

/**
 * Small pages of one age that a few threads share: runs of slots for buffers up to 8 KiB, ranges of
 * units for larger ones.
 */
final class SmallHeap extends RangeHeap {
  /** An eighth of a page. */
  static final long LARGEST_BYTES = PageSupply.GRANULE_BYTES >> 3;

  /** The lowest page with room: its holes are many, and high pages are to run empty. */
  private static final int PAGES_COMPARED = 1;

  private final RunList[] classes = new RunList[SizeClasses.COUNT];

  /** A page without buffers is kept, so that the next one does not have to fetch one. */
  private @Nullable SmallPage emptyPage;

  /** By size class, whether a listed run may be empty: nearly never, of any number of runs. */
  private final boolean[] mayHaveEmpty = new boolean[SizeClasses.COUNT];

  /** Whether other pages than that one may be empty: kept where the stack was at its end. */
  private boolean hasMoreEmptyPages;

  SmallHeap(PageContext context, int owner, int age) {
    super(context, owner, age, HeapPage.SMALL_UNIT_BYTES, PAGES_COMPARED);
    for (int i = 0; i < classes.length; i++) {
      classes[i] = new RunList();
    }
  }

  /**
   * A buffer of at most {@link #LARGEST_BYTES} bytes, nor aligned to more; the lock is held.
   *
   * @param depth where it may be
   * @return null where there is no room
   */
  @Nullable PageBuffer allocate(long sizeBytes, long alignmentBytes, SearchDepth depth) {
    drain();
    if (!serves()) {
      return null;
    }
    long slotBytes = SizeClasses.alignedBytes(sizeBytes, alignmentBytes);
    if (slotBytes > SizeClasses.LARGEST_BYTES) {
      return allocateRange(unitsOf(sizeBytes), unitsOf(alignmentBytes), sizeBytes, depth);
    }
    return allocateSlot(SizeClasses.of((int) slotBytes), sizeBytes, depth);
  }

  /**
   * Takes slots of one run that are there and committed, for a magazine; the lock is held.
   *
   * @param most so many at most
   */
  void takeCommitted(int sizeClass, Magazine magazine, int most) {
    drain();
    Run run = classes[sizeClass].first();
    if (!serves() || run == null) {
      return;
    }
    int id = run.id();
    long end = magazine.count + most;
    while (magazine.count < end
        && !run.isFull()
        && (run.page.discardedUnits() == 0 || run.isFirstCommitted())) {
      int slot = run.take();
      boolean isZero = isZeroed && run.isStillZero(slot);
      magazine.add(Magazine.piece(id, slot, 1, isZero), run.addressOf(slot));
    }
    if (run.isFull()) {
      classes[sizeClass].remove(run);
    }
  }

  /** The same, in a hole of any page, also where slots are the rule; takes the lock. */
  @Nullable PageBuffer allocateInHole(long sizeBytes, long alignmentBytes) {
    lock.lockAlone();
    return allocateUnlocking(
        unitsOf(sizeBytes), unitsOf(alignmentBytes), sizeBytes, SearchDepth.EVERYWHERE);
  }

  /** Whether there may be room for it without another page; a recent value, without the lock. */
  boolean mayHave(long sizeBytes, long alignmentBytes, SearchDepth depth) {
    long slotBytes = SizeClasses.alignedBytes(sizeBytes, alignmentBytes);
    long neededBytes =
        slotBytes <= SizeClasses.LARGEST_BYTES
            ? SizeClasses.runBytes(SizeClasses.of((int) slotBytes))
            : sizeBytes;
    return mayHave(unitsOf(neededBytes), depth);
  }

  private @Nullable PageBuffer allocateSlot(int sizeClass, long sizeBytes, SearchDepth depth) {
    Run run = classes[sizeClass].first();
    PageBuffer buffer = run == null ? null : slotOf(run, sizeBytes);
    // A run in a hole that has gone would be refused as well, and stay.
    if (buffer == null && (run == null || depth != SearchDepth.DISCARDED)) {
      run = newRun(sizeClass, depth);
      buffer = run == null ? null : slotOf(run, sizeBytes);
    }
    return buffer;
  }

  /** The lowest slot of that run, or any committed one. */
  private @Nullable PageBuffer slotOf(Run run, long sizeBytes) {
    PageBuffer buffer = lowestSlot(run, sizeBytes);
    return buffer != null ? buffer : anyCommittedSlot(run.sizeClass, sizeBytes);
  }

  /** Null where neither budget nor kernel give back the memory of that slot. */
  private @Nullable PageBuffer lowestSlot(Run run, long sizeBytes) {
    int slot = run.take();
    boolean isCommitted = run.page.discardedUnits() == 0;
    try {
      isCommitted = isCommitted || recommit(run.page, run.firstUnitOf(slot), run.endUnitOf(slot));
    } finally {
      if (!isCommitted) { // refused, or the Java heap is full
        run.give(slot);
        mayHaveEmpty[run.sizeClass] = true;
      }
    }
    return isCommitted ? slotBuffer(run, slot, sizeBytes) : null;
  }

  /** Where neither budget nor kernel give more: a slot that did not go back to the kernel. */
  private @Nullable PageBuffer anyCommittedSlot(int sizeClass, long sizeBytes) {
    for (Run run = classes[sizeClass].first(); run != null; run = run.next()) {
      int slot = run.takeCommitted();
      if (slot >= 0) {
        classes[sizeClass].beginWith(run); // the next search: those before it have none
        return slotBuffer(run, slot, sizeBytes);
      }
    }
    return null;
  }

  private PageBuffer slotBuffer(Run run, int slot, long sizeBytes) {
    boolean mustZero = isZeroed && !run.isStillZero(slot);
    PageBuffer buffer;
    try {
      buffer = buffer(run, slot, 1, run.addressOf(slot), sizeBytes, mustZero);
    } catch (OutOfMemoryError e) { // of the Java heap
      run.give(slot);
      mayHaveEmpty[run.sizeClass] = true;
      throw e;
    }
    if (run.isFull()) {
      classes[run.sizeClass].remove(run);
    }
    countAllocated(sizeBytes);
    return buffer;
  }

  private @Nullable Run newRun(int sizeClass, SearchDepth depth) {
    int units = unitsOf(SizeClasses.runBytes(sizeClass));
    // Its slots are aligned then; and one of an OS page lies in one.
    int alignment = unitsOf(SizeClasses.alignmentBytes(SizeClasses.slotBytes(sizeClass)));
    SmallPage page = pageWith(units, alignment, depth);
    if (page == null) {
      publishLongest(); // the bounds have become exact
      return null;
    }
    int from = hole.from();
    page.take(from, from + units);
    Run run = null;
    try {
      boolean isZero = !page.markDirty(from, from + units);
      run = new Run(page, sizeClass, from, from + units, isZero);
      context.spans().add(run);
      page.add(run);
    } catch (OutOfMemoryError e) { // of the Java heap
      if (run != null) {
        context.spans().remove(run);
      }
      give(page, from, from + units);
      throw e;
    }
    update(page);
    classes[sizeClass].add(run);
    return run;
  }

  /** In the lowest page that has it, or in another one. */
  @Override
  @Nullable SmallPage pageWith(int units, int alignmentUnits, SearchDepth depth) {
    SmallPage page = (SmallPage) super.pageWith(units, alignmentUnits, depth);
    if (page != null) {
      if (page == emptyPage) {
        emptyPage = null;
      }
      return page;
    }
    PageMemory memory =
        depth == SearchDepth.NEW_PAGE
            ? supply.tryTake(PageKind.SMALL, PageSupply.GRANULE_BYTES, owner)
            : null;
    if (memory == null) {
      return null;
    }
    hole.clear();
    return addPage(memory);
  }

  private SmallPage addPage(PageMemory memory) {
    SmallPage page = null;
    try {
      page = new SmallPage(this, memory, context.osPageBytes());
      context.spans().add(page);
      pages.add(page);
      noteHole(memory.sizeBytes);
      return page;
    } catch (Throwable e) { // the Java heap is full
      if (page != null) {
        context.spans().remove(page);
      }
      supply.giveBack(memory, owner);
      throw e;
    }
  }

  @Override
  void takeBack(Span span, int from, int count) {
    noteHole((long) count * span.stepBytes);
    if (span instanceof Run run) {
      run.give(from);
      settle(run);
    } else {
      give(span.page(), from, from + count);
    }
  }

  /**
   * Lists a run that has room again, and dissolves it when nothing is in it and others have room.
   */
  private void settle(Run run) {
    RunList list = classes[run.sizeClass];
    if (!run.isListed()) {
      list.add(run);
    }
    if (run.isEmpty()) {
      if (list.hasOthers(run) && StackReserve.isThere()) {
        dissolve(run);
      } else { // it goes with the spares
        mayHaveEmpty[run.sizeClass] = true;
      }
    }
  }

  private void dissolve(Run run) {
    classes[run.sizeClass].remove(run);
    run.page.remove(run);
    context.spans().remove(run);
    var _ = run.page.markDirty(run.firstUnit, run.endUnit); // slots do not say so one by one
    noteHole(0);
    give(run.page, run.firstUnit, run.endUnit);
  }

  private void give(HeapPage page, int from, int to) {
    page.give(from, to);
    update(page);
    if (page.isEmpty() && page != emptyPage) {
      if (emptyPage == null) {
        emptyPage = (SmallPage) page;
      } else if (StackReserve.isThere()) {
        giveBack(page);
      } else { // it goes with the spares
        hasMoreEmptyPages = true;
      }
    }
  }

  // ---- giving memory back while survivors pin a page ----

  /** Part of each request that fails, so it does not look at all pages and runs. */
  @Override
  void giveBackSpares(boolean evenSinceCycle) {
    for (int i = 0; i < classes.length; i++) {
      if (mayHaveEmpty[i]) {
        dissolveEmpty(classes[i], evenSinceCycle);
        mayHaveEmpty[i] = !evenSinceCycle; // one that was in use may be left
      }
    }
    if (hasMoreEmptyPages) {
      for (HeapPage page = pages.last(); page != null; page = pages.previous(page)) {
        giveBackIfEmpty(page, evenSinceCycle);
      }
      hasMoreEmptyPages = !evenSinceCycle;
    } else if (emptyPage != null) {
      giveBackIfEmpty(emptyPage, evenSinceCycle);
    }
    publishLongest();
  }

  private void dissolveEmpty(RunList list, boolean evenSinceCycle) {
    Run run = list.first();
    while (run != null) {
      Run next = run.next();
      if (run.isEmpty() && (evenSinceCycle || run.wasEmpty())) {
        dissolve(run);
      }
      run = next;
    }
  }

  /** Parts of it may be claimed: they come back to it, and it is not empty. */
  private void giveBackIfEmpty(HeapPage page, boolean evenSinceCycle) {
    if (page.isEmpty() && (evenSinceCycle || page.wasEmpty())) {
      if (page == emptyPage) {
        emptyPage = null;
      }
      giveBack(page);
    }
  }

  /** INV-SPARE-1. */
  @Override
  void verify() {
    super.verify();
    for (HeapPage page = pages.first(); page != null; page = pages.next(page)) {
      if (page.isEmpty() && page != emptyPage && !hasMoreEmptyPages) {
        throw new AssertionError("INV-SPARE-1 empty page is not known: " + page);
      }
    }
    for (int i = 0; i < classes.length; i++) {
      for (Run run = classes[i].first(); run != null; run = run.next()) {
        if (run.isEmpty() && !mayHaveEmpty[i]) {
          throw new AssertionError("INV-SPARE-1 empty run is not known: " + run);
        }
      }
    }
  }

  @Override
  void collect(IdleMemory idle, HeapPage page) {
    idle.collectUnits(page);
    SmallPage small = (SmallPage) page;
    for (int j = 0; j < small.runCount() && !idle.isFull(); j++) {
      Run run = small.run(j);
      try {
        idle.collectSlots(run);
      } finally { // also where the Java heap is full: the lock is free before they are back
        if (run.isFull() && run.isListed()) {
          classes[run.sizeClass].remove(run); // restoreSlots lists it again
        }
      }
    }
  }

  @Override
  public void restore(HeapPage page, int from, int to) {
    give(page, from, to);
  }

  @Override
  public void restoreSlots(Run run, int from, int to) {
    run.restore(from, to);
    noteHole(0); // slots at its ends, of which the kernel was given no whole OS page
    settle(run);
  }
}
