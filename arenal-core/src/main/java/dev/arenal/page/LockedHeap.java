package dev.arenal.page;

import static java.util.Objects.requireNonNull;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.CarrierLock;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.HeapPage;
import dev.arenal.page.span.IdleMemory;
import dev.arenal.page.span.PageIndex;
import dev.arenal.page.span.Run;
import dev.arenal.page.span.Span;
import dev.arenal.page.span.SpanOwner;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Pages under one lock, whose buffers any thread frees: a thread that cannot have the lock at once
 * leaves the buffer in a list, and the thread that has the lock frees its entries.
 */
abstract sealed class LockedHeap implements SpanOwner permits RangeHeap, LargeHeap {
  /** About as long as the lock is held; none if no other thread can run meanwhile. */
  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 50 : 0;

  final CarrierLock lock = new CarrierLock();
  final PageContext context;
  final PageSupply supply;

  /** By which the supply knows whose a page was before. */
  final int owner;

  /** Of its buffers: the ordinal. */
  final int age;

  final boolean isZeroed;
  final PageIndex pages;

  /** Whether nothing may be handed out any more; guarded by the lock. */
  boolean isShut;

  /** Freed, but not yet in the books; a stack through {@link PageBuffer#nextPending}. */
  private final AtomicReference<@Nullable PageBuffer> pending = new AtomicReference<>();

  /**
   * Bytes of all buffers ever; written under the lock, whole, and read by any thread: platforms
   * that write a long in halves are not supported.
   */
  private long allocatedBytes;

  /** Bytes of buffers that are open; the same. */
  private long usedBytes;

  /** See {@link #becameHoleBytesRacy}; the same. */
  private long becameHoleBytes;

  LockedHeap(PageContext context, int owner, int age, boolean hasHoles) {
    this.pages = new PageIndex(hasHoles);
    this.context = context;
    this.age = age;
    this.supply = context.supply();
    this.owner = owner;
    this.isZeroed = context.isZeroed();
  }

  /** The heap of a span. */
  static LockedHeap of(Span span) {
    return (LockedHeap) span.owner; // nothing else owns spans
  }

  /** A buffer in a span of this heap; the caller has taken its slot or units. */
  final PageBuffer buffer(
      Span span, int from, int count, long address, long sizeBytes, boolean mustZero) {
    long piece = Magazine.piece(span.id(), from, count, false);
    int magazine;
    if (span instanceof Run run) {
      magazine = Racks.magazineOfSlots(age, run.sizeClass);
    } else {
      magazine = Racks.magazineOfRanges(age, (long) count * span.stepBytes);
      if (span.stepBytes == HeapPage.MEDIUM_UNIT_BYTES) {
        piece |= Magazine.MEDIUM;
      }
    }
    return new PageBuffer(
        context, piece, magazine, address, sizeBytes, mustZero ? PageBuffer.ZERO : 0);
  }

  /** Takes a freed buffer into the books; the lock is held. */
  private void release(PageBuffer buffer) {
    usedBytes -= buffer.sizeBytes;
    takeBack(buffer.span(), Magazine.from(buffer.piece), Magazine.count(buffer.piece));
  }

  /** Frees slots or units that were a buffer; the lock is held. */
  abstract void takeBack(Span span, int from, int count);

  /**
   * Frees those of this heap among the buffers at the end of a magazine, all behind one lock. The
   * rack is right after each of them, wherever this ends.
   *
   * @param least so many at its start stay
   * @param mayWait whether to wait for the lock
   * @return false if the lock was not to be had
   */
  final boolean takeBack(Rack rack, Magazine magazine, int least, boolean mayWait) {
    if (!acquire(false)) {
      if (!mayWait) {
        return false;
      }
      lock.lock(); // with the rack held
    }
    try {
      drain();
      for (int i = (int) magazine.count - 1; i >= least; i--) {
        long piece = magazine.piece(i);
        Span span = requireNonNull(context.spans().getRacy(Magazine.id(piece)));
        if (span.owner.equals(this)) {
          int count = Magazine.count(piece);
          int from = Magazine.from(piece);
          magazine.moveToTheEnd(i);
          magazine.count--;
          rack.cachedBytes -= (long) count * span.stepBytes;
          takeBack(span, from, count);
        }
      }
      return true;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /** Memory that is free from now on until the next cycle is idle then; the lock is held. */
  void beginCycle() {
    for (HeapPage page = pages.first(); page != null; page = pages.next(page)) {
      page.beginCycle();
    }
  }

  /**
   * Gives back memory that is kept only for the next buffer, if any is; the lock is held.
   *
   * @param evenSinceCycle also memory in use since the last cycle
   */
  void giveBackSpares(boolean evenSinceCycle) {}

  /** The same, at once: all of them. */
  final void giveBackSpares() {
    var _ = giveBackSparesNow(true);
  }

  /** Returns whether no page is left. */
  private boolean giveBackSparesNow(boolean evenSinceCycle) {
    lock.lock();
    try {
      drain();
      giveBackSpares(evenSinceCycle);
      return pages.count() == 0;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /** Takes free memory for a batch, if pages have any, of high ones first; the lock is held. */
  void collect(IdleMemory idle) {}

  @Override
  public void restoreSlots(Run run, int from, int to) {
    throw new AssertionError("no runs here: " + run);
  }

  /**
   * Gives idle memory inside pages in use back to the kernel, and begins a cycle.
   *
   * <p>This cycle is not an {@link dev.arenal.supply.UncommitCycle}, which knows how much has been
   * free all the time, of memory of which any part may go for any other. A hole goes only if none
   * of it was in use, so each page has bits for that, and no low watermark. Nor does a cycle of
   * heaps end when memory is committed, and it gives up spare pages also at the floor.
   *
   * @param mostBytes that may go
   */
  final void cycle(long mostBytes) {
    var _ = giveBackSparesNow(false);
    var _ = discardHoles(false, mostBytes, 1);
    lock.lock();
    try {
      beginCycle();
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /**
   * Gives all free memory inside pages in use back to the kernel. No cycle begins: what is freed
   * meanwhile has not been free for one.
   */
  final void trim() {
    var _ = giveBackSparesNow(true);
    var _ = discardHoles(true, Long.MAX_VALUE, 1);
  }

  /** Bytes that are committed and free in its pages. */
  long freeBytes() {
    lock.lock();
    try {
      long sizeBytes = 0;
      for (HeapPage page = pages.first(); page != null; page = pages.next(page)) {
        sizeBytes += page.freeBytes();
      }
      return sizeBytes;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /**
   * Gives free memory inside pages in use back, in batches from the highest page down; what becomes
   * free above meanwhile is not looked at again, so that there is an end.
   *
   * @param leastOsPages no smaller hole is given back
   * @return bytes that went
   */
  final long discardHoles(boolean evenSinceCycle, long mostBytes, int leastOsPages) {
    long sizeBytes = 0;
    int belowGranule = Integer.MAX_VALUE;
    int fromUnit = 0;
    while (sizeBytes < mostBytes) {
      IdleMemory idle =
          new IdleMemory(
              evenSinceCycle, mostBytes - sizeBytes, leastOsPages, belowGranule, fromUnit);
      long wentBytes = discard(idle);
      if (wentBytes < 0) {
        break;
      }
      sizeBytes += wentBytes;
      // All of it is refused: it goes on behind that.
      fromUnit = wentBytes == 0 ? idle.fromUnit() : 0;
      belowGranule = idle.belowGranule() - (wentBytes == 0 && fromUnit == 0 ? 1 : 0);
    }
    return sizeBytes;
  }

  /**
   * Counts what {@link #discardHoles} would give back, until it is as much; a recent value.
   *
   * @return bytes
   */
  final long countHoles(long mostBytes) {
    long sizeBytes = 0;
    IdleMemory count = new IdleMemory(mostBytes, Integer.MAX_VALUE);
    do {
      exchange(count, false);
      sizeBytes += count.sizeBytes();
      boolean isEnd = sizeBytes >= mostBytes || count.countedPages() == 0;
      count = isEnd ? null : new IdleMemory(mostBytes - sizeBytes, count.belowGranule() - 1);
    } while (count != null);
    return sizeBytes;
  }

  /**
   * Collects one batch, gives it to the kernel, and has it back: also if the heap is full.
   *
   * @return bytes that went; -1 if there was nothing
   */
  private long discard(IdleMemory idle) {
    context.discards().begin(); // before requests miss it
    try {
      exchange(idle, false);
      return idle.isEmpty() ? -1 : idle.discard(supply);
    } finally {
      try {
        if (!idle.isEmpty()) {
          exchange(idle, true);
        }
      } finally {
        context.discards().end();
      }
    }
  }

  /**
   * Memory has become free, or committed again; the lock is held.
   *
   * @param sizeBytes without what it joins, which may be a part of an OS page on either side
   */
  final void noteHole(long sizeBytes) {
    becameHoleBytes += sizeBytes + 2 * context.osPageBytes();
  }

  /** Bytes that {@link #countHoles} may ever have found more than before, a recent value. */
  final long becameHoleBytesRacy() {
    return becameHoleBytes;
  }

  /** Fills an empty batch, or takes it back. */
  private void exchange(IdleMemory idle, boolean isBack) {
    lock.lock();
    try {
      if (isBack) {
        idle.restore(this);
      } else {
        collect(idle);
      }
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    } finally {
      lock.unlock();
      drainIfFree(); // frees what is pending, which may want heap
    }
  }

  /** Adds its pages and buffers; the lock is held. */
  void tally(PageTally tally) {
    for (HeapPage page = pages.first(); page != null; page = pages.next(page)) {
      tally.add(page);
    }
    tally.usedBytes += usedBytesRacy();
  }

  /** Whether anything may be handed out; the lock is held. */
  final boolean serves() {
    return !isShut && !supply.damage.isNoted();
  }

  /**
   * Hands nothing out from now on.
   *
   * @return whether no buffer is open
   */
  final boolean shut() {
    setShut(true);
    return giveBackSparesNow(true);
  }

  /** The first step of {@link #shut}, or its undoing. */
  final void setShut(boolean isShut) {
    lock.lock();
    try {
      this.isShut = isShut;
    } finally {
      lock.unlock();
      drainIfFree();
    }
  }

  /** Checks every page; the lock is held. */
  void verify() {
    pages.verify();
  }

  /**
   * Takes the lock on the way to a buffer. It is held for some 100 ns by a thread that runs; one
   * that parks at once makes others park behind it, and a queue of sleepers does not dissolve by
   * itself. No other lock is held.
   *
   * @param mayWait whether to wait for a thread that has the lock and does not run: not, where
   *     there may be another way
   * @return false if the lock was not to be had
   */
  final boolean acquire(boolean mayWait) {
    for (int i = 0; i < SPINS; i++) {
      if (lock.tryLock()) {
        return true;
      }
      Thread.onSpinWait();
    }
    if (mayWait) {
      lock.lockAlone();
      return true;
    }
    return lock.tryLock();
  }

  /** Frees a buffer, whose handle is closed; any thread. */
  final void free(PageBuffer buffer) {
    if (lock.tryLock()) {
      try {
        release(buffer);
      } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
        supply.damage.cause = e; // before anyone else has the lock
        throw e;
      } finally {
        lock.unlock();
      }
    } else {
      leave(buffer);
    }
    drainIfFree();
  }

  /**
   * Frees pending buffers, which may go far down the stack: if that is at its end, the next thread
   * does it. The lock is held.
   */
  final void drain() {
    if (pending.get() != null && StackReserve.isThere()) {
      drainAll();
    }
  }

  private void drainAll() {
    PageBuffer buffer = pending.getAndSet(null);
    try {
      while (buffer != null) {
        PageBuffer first = buffer;
        buffer = first.nextPending;
        first.nextPending = null;
        release(first);
      }
    } catch (Throwable e) { // it is unknown how far the first one has come
      supply.damage.cause = e;
      while (buffer != null) {
        PageBuffer first = buffer;
        buffer = first.nextPending;
        leave(first);
      }
      throw e;
    }
  }

  /**
   * Comes after each unlock, so that nothing that came meanwhile is left lying. The two are not one
   * method, which could not be entered at the end of the stack: then the lock would be kept.
   *
   * <p>Pairs with {@link #leave}: both sides write one thing and then read the other, in volatile
   * mode. Either the pushing thread gets the lock, or its holder sees the buffer after the unlock.
   */
  final void drainIfFree() {
    while (pending.get() != null && StackReserve.isThere() && lock.tryLock()) {
      try {
        drainAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Leaves a buffer to the next thread that has the lock: also one that is closed at the end of the
   * stack. It may throw as long as nothing has changed.
   */
  final void leave(PageBuffer buffer) {
    PageBuffer head;
    do {
      head = pending.get();
      buffer.nextPending = head;
    } while (!pending.compareAndSet(head, buffer));
  }

  /**
   * Counts a buffer in; the lock is held. Calls nothing: the buffer would be lost where a call
   * fails.
   */
  final void countAllocated(long sizeBytes) {
    allocatedBytes += sizeBytes;
    usedBytes += sizeBytes;
  }

  /** Bytes of all buffers ever, a recent value. */
  long allocatedBytesRacy() {
    return allocatedBytes;
  }

  /** Bytes of open buffers in all of them, a recent value. */
  static long usedBytesRacy(List<LockedHeap> heaps) {
    long sizeBytes = 0;
    for (int i = 0; i < heaps.size(); i++) {
      sizeBytes += heaps.get(i).usedBytesRacy();
    }
    return sizeBytes;
  }

  /** Bytes of open buffers, a recent value; pending ones count. */
  long usedBytesRacy() {
    return usedBytes;
  }

  /**
   * Commits again any memory of that range that has gone back to the kernel, all or none; the lock
   * is held.
   *
   * @return false if budget or kernel refuse; nothing has changed then
   */
  final boolean recommit(HeapPage page, int from, int to) {
    int end = (to + page.unitsPerOsPage - 1) & -page.unitsPerOsPage;
    int start = page.nextDiscarded(from & -page.unitsPerOsPage, end);
    if (start == end) {
      return true;
    }
    // In one step: the last gap may be refused, and those before it must not use up the budget.
    if (!supply.recommit(page.addressOf(start), (long) (end - start) << page.unitShift)) {
      return false;
    }
    page.markRecommitted(start, end);
    noteHole((long) (end - start) << page.unitShift); // it stays free if the Java heap is full
    pages.update(page);
    return true;
  }

  /** Gives an empty page back, whatever the kernel has of it; the lock is held. */
  final void giveBack(HeapPage page) {
    pages.remove(page);
    context.spans().remove(page);
    supply.giveBack(page.memory, owner);
  }
}
