package dev.arenal.page.granule;

import dev.arenal.guard.Damage;
import dev.arenal.guard.StackReserve;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.CarrierLock;
import dev.arenal.os.OperatingSystem;
import dev.arenal.reserve.Ledger;
import dev.arenal.stats.recorder.StatisticsRecorder;
import dev.arenal.supply.Claims;
import dev.arenal.supply.Discard;
import dev.arenal.supply.Floor;
import dev.arenal.supply.UncommitCycle;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * State that the parts of a {@link PageSupply} share: settings, the one lock, and the fields it
 * guards. To the budget, which holds it weakly, it is a reclaimer.
 */
final class SupplyState implements LongSupplier {
  /** The steps in which idle memory of the whole capacity goes back, each at least a granule. */
  private static final int STEPS_PER_CAPACITY = 128;

  private static final int MOST_STEP_GRANULES = 128;

  final PageSettings settings;
  final OperatingSystem os;
  final CommitMode mode;
  final Budget budget;
  final SupplyStatistics statistics;

  /**
   * Only the lock of the mappings is taken after it, and no call to the kernel but the last is made
   * while it is held.
   */
  final CarrierLock lock = new CarrierLock();

  /** Granules that threads have claimed, and the threads that wait for them. */
  final Claims claims;

  /** This supply, for discards. */
  final Discard.Owner discards;

  /** Committed, or received from others of the budget, since {@link PageSupply#takeGrownBytes}. */
  final AtomicLong grownBytes = new AtomicLong();

  // Guarded by the lock.
  final GranuleStates granules;
  final UncommitCycle cycle;

  final Floor floor;

  final Uncommitter uncommitter = new Uncommitter(this);

  /**
   * Why the kernel last refused a commit, a move or a pretouch, a negative errno; 0 if it never
   * did.
   */
  long lastErrno;

  boolean isClosed;

  /** Whether addresses and memory are given back. */
  boolean isReleased;

  /** Whether claims of others may stay for ever although they are unused: a {@link Loan} failed. */
  volatile boolean isLeftBehind;

  /** Has the heaps give back pages that no buffer needs; null before they are built. */
  volatile @Nullable Runnable spares;

  /**
   * The holes in the pages of the allocator; null before these are built. Weak, since an open
   * buffer keeps this object, and shall not keep the allocator.
   */
  private volatile @Nullable WeakReference<Ledger.Holes> holes;

  /** The number of open buffers that have a scope of their own; by any thread. */
  final AtomicLong scopeCount = new AtomicLong();

  /** The damage of the whole allocator. */
  final Damage damage;

  SupplyState(PageSettings settings, PageAddresses addresses, StatisticsRecorder recorder) {
    this.settings = settings;
    this.os = settings.os();
    this.mode = settings.commitMode();
    this.budget = settings.budget();
    this.damage = new Damage("allocator", settings.name());
    this.claims = new Claims(lock, damage);
    this.statistics = new SupplyStatistics(recorder);
    int capacityGranules = (int) (settings.capacityBytes() / PageSupply.GRANULE_BYTES);
    this.granules = new GranuleStates(addresses, capacityGranules);
    this.discards =
        new Discard.Owner(PageSupply.KIND, settings.name(), os, mode, addresses, claims);
    int stepGranules = Math.clamp(capacityGranules / STEPS_PER_CAPACITY, 1, MOST_STEP_GRANULES);
    this.cycle =
        new UncommitCycle(
            TimeUnit.NANOSECONDS.convert(settings.uncommitDelay()), // at most what a long holds
            stepGranules * PageSupply.GRANULE_BYTES);
    this.floor = new Floor(settings.floorBytes());
  }

  /** A page is in use from now on; under the lock. */
  void handOut(PageMemory page) {
    page.isTaken = true;
    var _ = statistics.takenBytes.addAndGet(page.sizeBytes);
  }

  /**
   * Gives back what others of the budget may need more. If this throws, the budget continues with
   * the others.
   */
  @Override
  public long getAsLong() {
    if (damage.isNoted()) {
      return 0;
    }
    StackReserve.ensure();
    try {
      Ledger.Request request = Ledger.of(budget).request();
      if (request != null && request.owner() == this) { // its own cache would be missing
        return uncommitter.giveWay(0);
      }
      Runnable first = spares;
      if (first != null) {
        first.run();
      }
      if (request != null && request.isAbove(budget.limitBytes())) {
        return uncommitter.giveWay(0); // the cache may serve it by a loan, and only that
      }
      return uncommitter.giveWay(Integer.MAX_VALUE * PageSupply.GRANULE_BYTES);
    } catch (StackOverflowError | AssertionError e) {
      damage.note(e);
      throw e;
    }
  }

  /**
   * Gives all back, also if the Java heap is full, once no thread has claimed some of it. Memory
   * that the kernel refuses to take back stays mapped.
   */
  void abandon() {
    lock.lock();
    try {
      isClosed = true;
      // A build that ended in the middle of its pretouch has left a claim behind.
      claims.awaitNone(settings.longestCloseWaitNanos(), true);
      while (granules.lentGranules > 0 && !isLeftBehind) {
        claims.awaitMoment(); // no thread may move memory from addresses that are gone
      }
      isReleased = true;
      granules.addresses.abandon();
    } finally {
      lock.unlock();
    }
  }

  /** What the budget lacks for so many bytes; 0 or less if it has room. */
  long lackingBytes(long wantedBytes) {
    return budget.committedBytes() + wantedBytes - budget.limitBytes();
  }

  // ---- what a pretouch has in hand; under the lock ----

  /**
   * Whether claimed and cached granules may be enough for a page, with what the budget has left:
   * they become part of it, and need no budget.
   */
  boolean returningMayPayFor(long pageBytes) {
    return pageBytes - Math.min(pageBytes, budget.availableBytes()) <= returningBytes();
  }

  /** Whether they may be enough for what the budget lacks, if they all go back to the kernel. */
  boolean returningMayMakeUpFor(long wantedBytes) {
    return lackingBytes(wantedBytes) <= returningBytes();
  }

  private long returningBytes() {
    return (granules.pretouchGranules
            + granules.lentGranules
            + (long) granules.cache.totalGranules())
        * PageSupply.GRANULE_BYTES;
  }

  /**
   * Whether claimed granules may make a place for a page: those of each thread may join two ranges.
   */
  boolean returningMayMakeRoomFor(int count) {
    long longest = granules.available.longest();
    int inHand = granules.pretouchGranules + granules.lentGranules;
    return count <= (claims.returningCount() + 1) * longest + inHand;
  }

  void setHoles(Ledger.Holes value) {
    holes = new WeakReference<>(value);
  }

  Ledger.@Nullable Holes holes() {
    WeakReference<Ledger.Holes> reference = holes;
    return reference == null ? null : reference.get();
  }
}
