package dev.arenal.page;

import dev.arenal.guard.Damage;
import dev.arenal.guard.StackSafeLock;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import dev.arenal.stats.StatisticsRecorder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/** What the parts of a {@link PageSupply} share: settings, the one lock, and what it guards. */
final class SupplyState {
  /** A pretouch touches a piece in much less; a thread that waits may hold the lock of a heap. */
  private static final long LONGEST_AWAIT_NANOS = 300_000_000;

  /** A signal comes earlier. */
  private static final long AWAIT_NANOS = 10_000_000;

  /** The kernel takes a batch in much less. */
  private static final long LONGEST_BATCH_NANOS = 100_000_000;

  private static final int MOST_YIELDS = 10;

  final PageSettings settings;
  final OperatingSystem os;
  final CommitMode mode;
  final Budget budget;
  final SupplyStatistics statistics;

  /** Nothing is taken after it, and no call to the kernel but the last is made while it is held. */
  final StackSafeLock lock = new StackSafeLock();

  /** Signalled when memory on its way to the kernel has arrived, or has been refused. */
  final Condition arrived = lock.newCondition();

  /** Signalled when no page is being put together any more. */
  final Condition assembled = lock.newCondition();

  /** Committed since somebody looked last. */
  final AtomicLong grownBytes = new AtomicLong();

  // Guarded by the lock.
  final GranuleStates granules;
  final UncommitCycle cycle;

  /** Read by anyone: {@link #floorBytes()}. */
  private volatile long floorBytes;

  /** Threads that wait for what a pretouch has in hand. */
  private int countAwaiting;

  /** Pieces that threads of a pretouch have in hand. */
  int countTouched;

  /** Threads that have asked others for memory: not their own cache is meant; by anyone. */
  private final Set<Thread> reclaiming = ConcurrentHashMap.newKeySet();

  /** Batches on their way to the kernel. */
  int countLeaving;

  /** Pages that are being put together, or are on the move. */
  int countAssembling;

  /** Why the kernel refused something last, a negative errno; 0 if it never did. */
  long lastErrno;

  boolean isClosed;

  /** Of open buffers that have one of their own; by anyone. */
  final AtomicLong countScopes = new AtomicLong();

  /** Of the whole allocator. */
  final Damage damage;

  SupplyState(PageSettings settings, PageAddresses addresses, StatisticsRecorder recorder) {
    this.settings = settings;
    this.os = settings.os();
    this.mode = settings.commitMode();
    this.budget = settings.budget();
    this.damage = new Damage("allocator", settings.name());
    this.statistics = new SupplyStatistics(recorder);
    int capacityGranules = (int) (settings.capacityBytes() / PageSupply.GRANULE_BYTES);
    this.granules = new GranuleStates(addresses, capacityGranules);
    this.cycle = new UncommitCycle(nanos(settings.uncommitDelay()), capacityGranules);
    this.floorBytes = settings.floorBytes();
  }

  /** Committed memory, takes the lock for a moment. */
  long committedBytes() {
    lock.lock();
    try {
      return granules.addresses.committedBytes();
    } finally {
      lock.unlock();
    }
  }

  /** Committed memory that is not in the cache; takes the lock for a moment. */
  long inUseBytes() {
    lock.lock();
    try {
      return granules.addresses.committedBytes()
          - granules.cachedGranules() * PageSupply.GRANULE_BYTES;
    } finally {
      lock.unlock();
    }
  }

  // ---- memory of others ----

  /** Has others give back what they can do without; no lock is held. */
  long reclaimOthers() {
    Thread thread = Thread.currentThread();
    boolean isFirst = !reclaiming.contains(thread);
    try {
      reclaiming.add(thread); // here: a set that cannot grow has the thread, and throws
      return budget.reclaim();
    } finally {
      if (isFirst) {
        reclaiming.remove(thread);
      }
    }
  }

  /** Whether the thread wants memory of others, so that the cache must not be given up for it. */
  boolean isReclaimingOthers() {
    return reclaiming.contains(Thread.currentThread());
  }

  // ---- the floor: that of the settings, or what was pretouched ----

  /** Committed memory below which nothing goes back by itself; without the lock, too. */
  long floorBytes() {
    return floorBytes;
  }

  /** Nothing below that goes back by itself from now on; returns the floor that was. */
  long raiseFloor(long leastBytes) {
    lock.lock();
    try {
      long before = floorBytes;
      floorBytes = Math.max(before, leastBytes);
      return before;
    } finally {
      lock.unlock();
    }
  }

  /** Undoes that, unless it has been undone. */
  void restoreFloor(long raisedBytes, long bytes) {
    lock.lock();
    try {
      if (floorBytes == raisedBytes) {
        floorBytes = bytes;
      }
    } finally {
      lock.unlock();
    }
  }

  /** From now on it is that of the settings. */
  void resetFloor() {
    lock.lock();
    try {
      floorBytes = settings.floorBytes();
    } finally {
      lock.unlock();
    }
  }

  // ---- pages that are being put together, and what a pretouch has in hand; under the lock ----

  /** A page has been put together, or moved, or neither; the lock is held. */
  void noteAssembled() {
    countAssembling--;
    assembled.signalAll();
  }

  /** The kernel has refused, or the program has cancelled, a pretouch; the lock is held. */
  void noteRefused(int error) {
    if (error < 0 && error != -Errno.ECANCELED) {
      lastErrno = error;
    }
  }

  /** When the next {@link #awaitTouched} shall give up. */
  static long awaitDeadline() {
    return System.nanoTime() + LONGEST_AWAIT_NANOS;
  }

  /** Whether what is in hand, and what is cached, may make up for what the budget lacks. */
  boolean touchedMayPayFor(long wantedBytes) {
    long granulesBytes =
        (granules.touchedGranules + (long) granules.cache.totalGranules())
            * PageSupply.GRANULE_BYTES;
    return wantedBytes - Math.min(wantedBytes, budget.availableBytes()) <= granulesBytes;
  }

  /**
   * Whether what is in hand may make a place for a page: that of each thread may join two ranges.
   */
  boolean touchedMayMakeRoomFor(int count) {
    long longest = granules.open.longest();
    return count <= (countTouched + 1) * longest + granules.touchedGranules;
  }

  /**
   * Waits until a pretouch has put something back; the lock is held, and another one of a heap may
   * be: what is in hand is touched without any.
   *
   * @return false if nothing is in hand, so that what has been refused stays refused
   */
  boolean awaitTouched(long deadlineNanos) {
    if (granules.touchedGranules == 0 || System.nanoTime() - deadlineNanos >= 0) {
      return false;
    }
    countAwaiting++;
    try {
      awaitAssembled(AWAIT_NANOS);
    } finally {
      countAwaiting--;
    }
    return true;
  }

  /** A thread that waits for what a pretouch has in hand comes first; the lock is held. */
  void letOthersTake() {
    for (int i = 0; i < MOST_YIELDS && countAwaiting > 0; i++) {
      awaitAssembled(AWAIT_NANOS);
    }
  }

  /**
   * Waits for all that is in the hands of a thread, before the addresses go; the lock is held. Not
   * for ever where it is damaged: a count may be wrong then.
   */
  void awaitNothingOnItsWay() {
    long startNanos = System.nanoTime();
    while (countLeaving > 0 || countAssembling > 0) {
      if (damage.isNoted() && System.nanoTime() - startNanos >= settings.longestCloseWaitNanos()) {
        return;
      }
      awaitAssembled(AWAIT_NANOS);
    }
  }

  /** Waits until something has been put together or back, not for long; the lock is held. */
  void awaitAssembled(long mostNanos) {
    await(assembled, mostNanos);
  }

  /** Waits until a batch has come back from the kernel, not for long; the lock is held. */
  void awaitArrived() {
    await(arrived, LONGEST_BATCH_NANOS);
  }

  @SuppressWarnings("WaitNotInLoop") // the caller looks again
  private static void await(Condition condition, long mostNanos) {
    boolean isInterrupted = Thread.interrupted();
    try {
      var _ = condition.awaitNanos(mostNanos);
    } catch (InterruptedException e) {
      isInterrupted = true;
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0
        ? Long.MAX_VALUE
        : duration.toNanos();
  }
}
