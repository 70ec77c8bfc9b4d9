package dev.arenal.page;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.StackReserve;
import dev.arenal.guard.StackSafeLock;
import dev.arenal.guard.WatchMode;
import dev.arenal.page.granule.PageSettings;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.SpanTable;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.reserve.Ledger;
import dev.arenal.stats.StatisticsUnit;
import dev.arenal.stats.recorder.Counter;
import dev.arenal.stats.recorder.Sampler;
import dev.arenal.stats.recorder.StatisticsRecorder;
import dev.arenal.supply.Housekeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link PageAllocator}: its heaps by age, its pages, and the requests that wait for
 * memory.
 */
@SuppressWarnings("EnumOrdinal") // an array by age is what each request looks into
final class PageState implements Housekeeper.Owner {
  private static final long SHORTEST_PERIOD_NANOS = 10_000_000;
  private static final long LONGEST_PERIOD_NANOS = 1_000_000_000;

  /** So many batches of holes a request waits for, before it is refused. */
  private static final int MOST_DISCARDS = 16;

  /** A delay is kept to within an eighth of it. */
  private static final int PERIODS_PER_DELAY = 8;

  private final Housekeeper.Entry entry = new Housekeeper.Entry(this);
  final PageSettings settings;
  final PageContext context;
  final PageSupply supply;
  final Racks racks;
  private final boolean isChecked;
  private final AgeHeaps[] ages = new AgeHeaps[PageAge.values().length]; // by ordinal
  final List<LockedHeap> heaps = new ArrayList<>();
  final ConfinedArenas arenas = new ConfinedArenas();
  final Set<String> users = new ConcurrentSkipListSet<>();
  private final Slack slack;
  final BufferBirths births;
  final StatisticsRecorder statistics;
  private final Counter outOfMemory;
  final Counter stallCount;
  final Sampler stallNanos;

  /** Excludes {@link #close} from regular work, which may hold free memory for a moment. */
  final StackSafeLock upkeep = new StackSafeLock();

  volatile boolean isClosed;

  /** How often a close was refused after heaps were shut. */
  private final AtomicInteger reopenedCount = new AtomicInteger();

  /** Set under {@link #upkeep}. */
  private volatile boolean isPretouching;

  /** Whether the kernel has taken all of it back; guarded by {@link #upkeep}. */
  private volatile boolean isReleased;

  /** When the current cycle of the heaps began; guarded by {@link #upkeep}. */
  private long cycleStartNanos = System.nanoTime();

  /**
   * Opens it.
   *
   * @param isRefillSynchronized false only in an experiment, see {@link
   *     PageAllocatorBuilder#refillExperiment}
   */
  PageState(PageSettings settings, WatchMode watchMode, boolean isRefillSynchronized) {
    this.settings = settings;
    this.births = new BufferBirths(settings.name(), watchMode, users);
    this.isChecked = settings.isChecked();
    statistics = StatisticsRecorder.open(PageSupply.KIND, settings.name());
    PageSupply opened = null;
    boolean done = false;
    try {
      opened = new PageSupply(settings, statistics);
      supply = opened;
      SpanTable spans = new SpanTable();
      racks =
          new Racks(
              spans,
              settings.isZeroed(),
              births.small,
              settings.capacityBytes(),
              isChecked ? 0 : settings.rackCount()); // buffers with scopes are not kept
      context =
          new PageContext(
              settings.name(),
              settings.isZeroed(),
              settings.isChecked(),
              isRefillSynchronized,
              settings.os().pageSizeBytes(),
              supply,
              new StallQueue(Ledger.of(settings.budget())),
              spans,
              racks,
              new HoleDiscards());
      for (PageAge age : PageAge.values()) {
        AgeHeaps own = new AgeHeaps(context, age.ordinal(), settings.capacityBytes(), heaps.size());
        ages[age.ordinal()] = own;
        heaps.addAll(own.heaps());
      }
      slack = new Slack(this, heaps, racks, settings.slackPercent());
      outOfMemory =
          statistics.counter("Memory", "Out Of Memory", StatisticsUnit.OPERATIONS_PER_SECOND);
      stallCount =
          statistics.counter("Critical", "Allocation Stall", StatisticsUnit.OPERATIONS_PER_SECOND);
      stallNanos = statistics.sampler("Critical", "Allocation Stall", StatisticsUnit.NANOSECONDS);
      statistics.counter(
          "Memory",
          "Allocation Rate",
          StatisticsUnit.BYTES_PER_SECOND,
          new AllocatedBytes(List.copyOf(heaps), racks));
      supply.setSpares(new PageSpares(this));
      supply.setHoles(slack);
      done = true;
    } finally {
      if (!done) { // the Java heap is full: what was pretouched must not stay
        if (opened != null) {
          opened.abandon();
        }
        statistics.close();
      }
    }
  }

  PageBuffer allocate(long sizeBytes, long alignmentBytes, PageAge age, long maxWaitNanos) {
    PageBuffer buffer = tryAllocate(sizeBytes, alignmentBytes, age, true);
    if (buffer != null) {
      return buffer; // at once: a call may fail, and the buffer would be lost
    }
    boolean mayWait = sizeBytes <= supply.mostPossibleBytes() && maxWaitNanos > 0;
    if (mayWait) {
      buffer = new WaitingRequest(this, sizeBytes, alignmentBytes, age).await(maxWaitNanos);
    }
    if (buffer == null) {
      outOfMemory.add(1);
      OutOfNativeMemoryError error =
          FullMessage.error(this, sizeBytes, age, mayWait ? maxWaitNanos : 0);
      MemoryEvents.outOfMemory(
          PageSupply.KIND,
          settings.name(),
          sizeBytes,
          error.committedBytes(),
          Math.min(settings.capacityBytes(), settings.budget().limitBytes()));
      throw error;
    }
    return buffer;
  }

  /**
   * A buffer, or null where there is no room now.
   *
   * @param isThorough whether memory is taken from wherever it is; else only from pages of that age
   */
  @Nullable PageBuffer tryAllocate(
      long sizeBytes, long alignmentBytes, PageAge age, boolean isThorough) {
    supply.damage.check();
    FullMessage.requirePossible(settings, sizeBytes, alignmentBytes);
    int number = Objects.requireNonNull(age, "age").ordinal();
    // Nothing is at hand in one that is closed.
    PageBuffer buffer = racks.allocate(ages[number], number, sizeBytes, alignmentBytes);
    boolean isAtHand = buffer != null;
    if (!isAtHand) {
      buffer = allocateInHeaps(sizeBytes, alignmentBytes, ages[number], isThorough);
    }
    if (buffer == null || (isAtHand && buffer.toDo == 0 && !isChecked)) {
      return buffer; // no call since there is one: at the end of the stack it would be lost
    }
    try { // here: a method for it could not be entered at the end of the stack
      int mark = buffer.mark();
      if (!isAtHand) {
        slack.payIfGrown();
        mark = WatchMode.IS_ON ? births.nextMark(sizeBytes) : 0;
      }
      buffer.prepare(mark == 0 ? null : births.begin(buffer, age, mark));
      return buffer;
    } catch (Throwable e) { // the program never sees the buffer
      try {
        buffer.close();
      } catch (Throwable another) {
        supply.damage.cause = another;
      }
      throw e;
    }
  }

  /** Bytes of open buffers; none only if none is open all the time. */
  long exactUsedBytes() {
    var _ = report(); // counts out what is pending
    return racks.usedBytesOfAll(heaps);
  }

  /** The bytes that such a buffer takes; exactly the size if it is too large for any page. */
  long takenBytes(long sizeBytes) {
    FullMessage.requirePossible(settings, sizeBytes, 1);
    return sizeBytes > settings.capacityBytes() ? sizeBytes : ages[0].takenBytes(sizeBytes);
  }

  /**
   * From a heap, as it is; null where there is no room. A close that is refused shuts them all.
   *
   * <p>One method, and large: HotSpot's C2 does not inline one of more than 325 bytes of bytecode.
   * Smaller, it would be compiled into each place where a program allocates (ADR 0058).
   */
  private @Nullable PageBuffer allocateInHeaps(
      long sizeBytes, long alignmentBytes, AgeHeaps own, boolean isThorough) {
    PageBuffer buffer = null;
    for (int seen = -1; buffer == null && seen != reopenedCount.get(); ) {
      seen = reopenedCount.get();
      requireOpen();
      if (sizeBytes > settings.capacityBytes()) {
        return null;
      }
      if (AgeHeaps.isSmall(sizeBytes, alignmentBytes) && !settings.isChecked()) {
        StackReserve.ensureShort(); // to a buffer that is committed the way is not far
        try { // no code of the program runs in it: an error leaves a change incomplete
          buffer = own.allocateCommitted(sizeBytes, alignmentBytes);
        } catch (OutOfMemoryError e) {
          throw e; // of the Java heap: undone where it was met
        } catch (Throwable e) {
          supply.damage.cause = e;
          throw e;
        }
      }
      if (buffer != null) {
        return buffer;
      }
      StackReserve.ensure(); // from here on it goes far down
      boolean mayGrow = context.stalls().mayGrow();
      try { // as above
        buffer = own.allocate(sizeBytes, alignmentBytes, mayGrow);
      } catch (OutOfMemoryError e) {
        throw e; // as above
      } catch (Throwable e) {
        supply.damage.cause = e;
        throw e;
      }
      if (buffer == null && isThorough) {
        giveBackSpares(); // before a request fails; and ages are mixed
        long pageBytes = 2 * Math.max(sizeBytes, PageSupply.GRANULE_BYTES); // nearly, for some
        Ledger ledger = Ledger.of(settings.budget());
        boolean asks =
            settings.budget().availableBytes() < pageBytes && context.stalls().mayAskOthers();
        if (asks) {
          var _ = supply.reclaimOthers(pageBytes, sizeBytes); // here, where no lock is held
          giveBackSpares(); // buffers that they have closed are at hand, or keep a page
        }
        int endedBefore = ledger.endedReclaimsVolatile();
        long discardedBefore = context.discards().endedVolatile();
        boolean isFirst = context.stalls().isFirst(); // it tries again anyway, at each free
        boolean awaitsHoles = own.mayUseHoles(sizeBytes) && !isFirst;
        // From here on nothing is called once there is a buffer: it would be lost.
        buffer = allocateAnywhere(own, sizeBytes, alignmentBytes, mayGrow);
        if (buffer == null && asks && !isFirst && ledger.awaitOthers(endedBefore)) {
          buffer = allocateAnywhere(own, sizeBytes, alignmentBytes, mayGrow);
        }
        for (int i = awaitsHoles ? 0 : MOST_DISCARDS;
            buffer == null && i < MOST_DISCARDS && context.discards().awaitOne(discardedBefore);
            i++) {
          discardedBefore = context.discards().endedVolatile();
          buffer = allocateAnywhere(own, sizeBytes, alignmentBytes, mayGrow);
        }
        if (buffer == null && asks && mayGrow) {
          buffer = allocateFromHoles(own, sizeBytes, alignmentBytes);
        }
      }
      if (buffer == null) {
        requireOpen(); // heaps of a closed allocator have no room
      }
    }
    return buffer;
  }

  /** Fills the cache with pages that no buffer needs, for others of the budget. */
  void giveBackSpares() {
    if (isClosed) {
      return;
    }
    try {
      racks.empty();
      for (int i = 0; i < heaps.size(); i++) { // a lambda is linked at its first use, far down
        heaps.get(i).giveBackSpares();
      }
    } catch (OutOfMemoryError e) {
      throw e; // of the Java heap: undone where it was met
    } catch (Throwable e) {
      supply.damage.cause = e;
      throw e;
    }
  }

  /** The last attempts, with what holes that do not fit give back. */
  private @Nullable PageBuffer allocateFromHoles(
      AgeHeaps own, long sizeBytes, long alignmentBytes) {
    PageBuffer buffer = null;
    for (int i = 0; buffer == null && i < 2 && slack.giveWay(own, sizeBytes, i); i++) {
      buffer = allocateAnywhere(own, sizeBytes, alignmentBytes, true);
    }
    return buffer;
  }

  /**
   * From any page, before a request fails. No code of the program runs in it: an error in the
   * middle leaves a change incomplete.
   */
  private @Nullable PageBuffer allocateAnywhere(
      AgeHeaps own, long sizeBytes, long alignmentBytes, boolean mayGrow) {
    try {
      PageBuffer buffer = own.allocate(sizeBytes, alignmentBytes, mayGrow);
      buffer = buffer != null ? buffer : own.allocateInHole(sizeBytes, alignmentBytes);
      for (int i = 0; i < ages.length && buffer == null; i++) {
        buffer = ages[i].allocate(sizeBytes, alignmentBytes, false);
        buffer = buffer != null ? buffer : ages[i].allocateInHole(sizeBytes, alignmentBytes);
      }
      if (buffer == null && mayGrow && supply.giveWayFor(sizeBytes)) {
        buffer = own.allocate(sizeBytes, alignmentBytes, mayGrow);
      }
      return buffer;
    } catch (OutOfMemoryError e) {
      throw e; // of the Java heap: undone where it was met
    } catch (Throwable e) {
      supply.damage.cause = e;
      throw e;
    }
  }

  PretouchReport pretouch(Pretouch wanted) {
    Objects.requireNonNull(wanted, "settings");
    StackReserve.ensure();
    upkeep.lock();
    try {
      requireOpen();
      requireNoPretouch("expected one at a time");
      isPretouching = true;
    } finally {
      upkeep.unlock();
    }
    try {
      return supply.pretouch(wanted);
    } finally {
      isPretouching = false;
    }
  }

  private void requireNoPretouch(String expected) {
    if (isPretouching) {
      throw new IllegalStateException(
          "pretouch is running: allocator=" + settings.name() + " (" + expected + ")");
    }
  }

  long trim() {
    StackReserve.ensure();
    upkeep.lock();
    try {
      supply.damage.check();
      supply.resetFloor();
      long beforeBytes = supply.statistics().uncommittedBytes.get();
      racks.empty();
      for (LockedHeap heap : heaps) {
        heap.trim();
      }
      var _ = supply.trim();
      return supply.statistics().uncommittedBytes.get() - beforeBytes;
    } catch (Throwable e) {
      noteUnlessUndone(e);
      throw e;
    } finally {
      upkeep.unlock();
    }
  }

  /** Two kinds end an operation with nothing changed, or nothing that is not whole. */
  private void noteUnlessUndone(Throwable e) {
    if (!(e instanceof OutOfMemoryError) && !(e instanceof IllegalStateException)) {
      supply.damage.cause = e;
    }
  }

  /** Has idle memory go back from now on. */
  void keepHouse() {
    entry.schedule(SHORTEST_PERIOD_NANOS);
  }

  @Override
  public long tick() {
    tick(System.nanoTime());
    return Math.clamp(
        uncommitDelayNanos() / PERIODS_PER_DELAY, SHORTEST_PERIOD_NANOS, LONGEST_PERIOD_NANOS);
  }

  /** When the current cycle began, for a test with a clock of its own. */
  void beginCycleAt(long nowNanos) {
    upkeep.lock();
    try {
      cycleStartNanos = nowNanos;
    } finally {
      upkeep.unlock();
    }
  }

  /** Regular work. */
  void tick(long nowNanos) {
    long startNanos = System.nanoTime();
    births.settle(nowNanos);
    upkeep.lock();
    try {
      if (isClosed || isDamaged()) {
        return;
      }
      boolean isDue = nowNanos - cycleStartNanos >= uncommitDelayNanos();
      if (isDue) {
        cycleStartNanos = nowNanos;
        racks.beginCycle();
        for (LockedHeap heap : heaps) {
          heap.cycle(committedBytes() - supply.floorBytes());
        }
      }
      for (LockedHeap heap : heaps) {
        heap.drainIfFree(); // buffers that were left there at the end of a stack
      }
      // Memory freed meanwhile stays for a whole delay, to within an eighth.
      long tookNanos = System.nanoTime() - startNanos;
      long lateNanos = tookNanos > uncommitDelayNanos() / PERIODS_PER_DELAY ? tookNanos : 0;
      cycleStartNanos += isDue ? lateNanos : 0;
      supply.tick(nowNanos + lateNanos);
      racks.adaptAndShrink(usedBytes());
    } catch (Throwable e) {
      noteUnlessUndone(e);
      throw e;
    } finally {
      upkeep.unlock();
    }
  }

  long uncommitDelayNanos() {
    return settings.uncommitDelay().toNanos();
  }

  long usedBytes() {
    long sizeBytes = racks.usedBytesRacy() + LockedHeap.usedBytesRacy(heaps);
    return Math.max(0, sizeBytes); // what was handed over meanwhile may have gone, and not come
  }

  long committedBytes() {
    StackReserve.ensureShort();
    return supply.figures().committedBytes();
  }

  PageReport report() {
    StackReserve.ensure();
    PageTally tally = new PageTally();
    tally.usedBytes += racks.usedBytesRacy();
    tally.freeBytes += racks.cachedBytes();
    for (LockedHeap heap : heaps) {
      heap.lock.lock();
      try {
        if (!isDamaged()) {
          heap.drain();
        }
        heap.tally(tally);
      } finally {
        heap.lock.unlock();
        heap.drainIfFree();
      }
    }
    return tally.report(
        settings, supply.figures(), context.stalls().waitingCount(), births.groups());
  }

  /** Whether it is closed for good: a close that finds open buffers is undone. */
  @Override
  public boolean isOver() {
    return isReleased;
  }

  /** Whether it has stopped serving, because its state is in doubt. */
  boolean isDamaged() {
    return supply.damage.isNoted();
  }

  void requireOpen() {
    supply.damage.check();
    if (isClosed) {
      throw new IllegalStateException("allocator is closed: allocator=" + settings.name());
    }
  }

  void verify() {
    StackReserve.ensure();
    racks.verify();
    for (LockedHeap heap : heaps) {
      heap.lock.lock();
      try {
        heap.drain();
        heap.verify();
      } finally {
        heap.lock.unlock();
        heap.drainIfFree();
      }
    }
    supply.verify();
  }

  /** Closes it if no buffer is open. */
  void close() {
    StackReserve.ensure();
    upkeep.lock();
    try {
      if (!isClosed) {
        // A thread that waited for its end might do so in a callback of it, for ever.
        requireNoPretouch("cancel it, or wait for its end");
        if (!isDamaged()) {
          shut();
        } else {
          arenas.closeEnded(); // ends their scopes; their memory goes with the rest
          if (supply.scopeCount().get() != 0) {
            throw new IllegalStateException(FullMessage.ofOpenBuffers(this), supply.damage.cause);
          }
        }
        isClosed = true; // if damaged, its books are in doubt, so addresses stay mapped
      }
      if (!isReleased) {
        Ledger.of(settings.budget()).removeHoles(slack);
        supply.close(); // if the kernel refuses, the next close tries again
        isReleased = true;
      }
    } finally {
      upkeep.unlock();
    }
    statistics.close(); // again, if it has not come to its end
  }

  /**
   * Gives all back where no program has got the allocator, also if the Java heap is full: what was
   * pretouched must not stay.
   */
  void abandon() {
    isClosed = true;
    isReleased = true;
    supply.abandon();
    statistics.close();
  }

  private void shut() {
    requireNoneHeld(); // before anything is shut
    isClosed = true;
    try {
      racks.shut();
      for (LockedHeap heap : heaps) {
        heap.setShut(true);
      }
      requireNoneHeld(); // another thread may have been faster
      arenas.closeEnded();
      boolean isUnused = true;
      for (LockedHeap heap : heaps) {
        isUnused &= heap.shut();
      }
      requireUnused(isUnused);
    } catch (Throwable e) {
      noteUnlessUndone(e);
      for (int i = 0; i < heaps.size(); i++) {
        heaps.get(i).setShut(false);
      }
      racks.reopen();
      var _ = reopenedCount.incrementAndGet();
      isClosed = false;
      throw e;
    }
  }

  /** No buffers but those of confined arenas whose threads have ended. */
  private void requireNoneHeld() {
    long endedBytes = arenas.endedBytes(); // first: more may end
    requireUnused(exactUsedBytes() == endedBytes);
  }

  private void requireUnused(boolean isUnused) {
    if (!isUnused) {
      throw new IllegalStateException(FullMessage.ofOpenBuffers(this));
    }
  }
}
