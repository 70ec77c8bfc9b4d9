package dev.arenal.page;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.stats.StatisticsRecorder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** What the parts of a {@link PageSupply} share: settings, the one lock, and what it guards. */
final class SupplyState {
  final PageSettings settings;
  final OperatingSystem os;
  final CommitMode mode;
  final Budget budget;
  final SupplyStatistics statistics;

  /** Nothing is taken after it, and no call to the kernel but the last is made while it is held. */
  final ReentrantLock lock = new ReentrantLock();

  /** Signalled when memory on its way to the kernel has arrived, or has been refused. */
  final Condition arrived = lock.newCondition();

  /** Signalled when no page is being put together any more. */
  final Condition assembled = lock.newCondition();

  /** Committed since somebody looked last. */
  final AtomicLong grownBytes = new AtomicLong();

  // Guarded by the lock.
  final GranuleStates granules;
  final UncommitCycle cycle;

  /** Batches on their way to the kernel. */
  int countLeaving;

  /** Pages that are being put together, or are on the move. */
  int countAssembling;

  /** Why the kernel refused something last, a negative errno; 0 if it never did. */
  long lastErrno;

  boolean isClosed;

  SupplyState(PageSettings settings, PageAddresses addresses, StatisticsRecorder recorder) {
    this.settings = settings;
    this.os = settings.os();
    this.mode = settings.commitMode();
    this.budget = settings.budget();
    this.statistics = new SupplyStatistics(recorder);
    int capacityGranules = (int) (settings.capacityBytes() / PageSupply.GRANULE_BYTES);
    this.granules = new GranuleStates(addresses, capacityGranules);
    this.cycle = new UncommitCycle(nanos(settings.uncommitDelay()), capacityGranules);
  }

  /** A page has been put together, or moved, or neither; the lock is held. */
  void noteAssembled() {
    countAssembling--;
    assembled.signalAll();
  }

  private static long nanos(Duration duration) {
    return duration.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0
        ? Long.MAX_VALUE
        : duration.toNanos();
  }
}
