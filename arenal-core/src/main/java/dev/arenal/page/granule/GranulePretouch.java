package dev.arenal.page.granule;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.reserve.Ledger;
import dev.arenal.supply.Claims;
import dev.arenal.supply.FreePretouch;
import dev.arenal.supply.Retry;
import dev.arenal.touch.TouchRange;
import dev.arenal.touch.TouchRun;
import dev.arenal.touch.Toucher;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One pretouch of an allocator: of its cache first, then of new memory for the cache, until as much
 * is committed as was asked for. Pages in use are left alone.
 *
 * <p>Granules that a thread is just touching are claimed: they are in no set, and count against the
 * capacity. A thread that needs them waits for them ({@link Retry}).
 */
final class GranulePretouch extends FreePretouch {
  private static final int MOST_AT_ONCE = 4;

  /** Half a gigabyte of free granules may bring huge pages to a thread that takes them. */
  private static final int MOST_ADVISED = 256;

  /** Memory that others are just committing may make up for a budget that is used up. */
  private static final int MOST_TRIES = 5;

  /** Free granules that a thread touches. */
  private final class GranulePart extends Part {
    final int first;
    final int count;

    /** Whether they are committed for this pretouch. */
    final boolean isNew;

    /** Written by the thread that has claimed them; read under the lock after that, or by it. */
    volatile boolean isCommitted;

    GranulePart(int first, int count, boolean isNew) {
      this.first = first;
      this.count = count;
      this.isNew = isNew;
      this.isCommitted = !isNew;
    }

    @Override
    public long address() {
      return granules.addresses.address(first);
    }

    @Override
    public long sizeBytes() {
      return bytes(count);
    }

    @Override
    protected int touchClaimed(Toucher toucher) {
      int error = 0;
      if (!isCommitted) {
        error = supply.mode == CommitMode.PROTECT ? supply.os.allow(address(), sizeBytes()) : 0;
        isCommitted = error == 0;
      }
      if (error == 0) {
        error = toucher.touch(address(), sizeBytes());
      }
      if (error < 0 && error != -Errno.ECANCELED) { // or the program has cancelled it
        note(error);
      }
      return error;
    }

    /** A new part and the free range behind it: whole granules, which come and go as such. */
    @Override
    public TouchRange hugeRange() {
      supply.lock.lock();
      try {
        int end = first + count;
        boolean isFree =
            isNew && end < granules.addresses.granuleCount() && granules.free.contains(end);
        int freeCount = isFree ? granules.free.lengthAt(end) : 0;
        return new TouchRange(address(), bytes(count + Math.min(freeCount, MOST_ADVISED)));
      } finally {
        supply.lock.unlock();
      }
    }

    /** Cached from now on, or free again where nothing has been committed. */
    @Override
    protected void release() {
      if (isNew) {
        releaseNew(this);
      } else {
        granules.putTouched(first, count);
      }
      supply.claims.end(Claims.Use.PRETOUCH);
    }
  }

  private final SupplyState supply;
  private final GranuleStates granules;
  private final Pretouch settings;
  private final long targetBytes;

  // Guarded by the lock of the supply.

  /** Cached granules below it have had their turn. */
  private int cursor;

  /** The part still to be touched: the part of the target that is not in use. */
  private long restBytes;

  /** A thread that gives back all the time does not keep it going for ever. */
  private long restNewGranules;

  /** Granules that it has committed. */
  private final BitSet grown;

  GranulePretouch(SupplyState supply, Pretouch settings) {
    super(supply.claims);
    this.supply = supply;
    this.granules = supply.granules;
    this.settings = settings;
    this.targetBytes = targetBytes(supply.settings, settings);
    this.restNewGranules = Math.ceilDiv(targetBytes, PageSupply.GRANULE_BYTES);
    this.grown = new BitSet(granules.addresses.granuleCount());
  }

  /** Bytes to be committed at the end, in whole granules: at most the capacity. */
  private static long targetBytes(PageSettings of, Pretouch settings) {
    return Math.min(settings.mostBytes(), of.capacityBytes() & -PageSupply.GRANULE_BYTES);
  }

  private static long wholeGranules(long sizeBytes) {
    return Math.ceilDiv(sizeBytes, PageSupply.GRANULE_BYTES) * PageSupply.GRANULE_BYTES;
  }

  /**
   * Asks whether an allocator that is going to be can have the memory, and the addresses for it.
   *
   * @throws OutOfMemoryError if not
   */
  static TouchRun check(PageSettings of, Pretouch settings) {
    long newBytes = wholeGranules(targetBytes(of, settings));
    return check(of, settings, newBytes, of.capacityBytes(), of.budget(), null);
  }

  /** Others than the owner give back what they do not need first, where that may be enough. */
  private static TouchRun check(
      PageSettings of,
      Pretouch settings,
      long newBytes,
      long addressBytes,
      Object owner,
      Ledger.@Nullable Holes own) {
    TouchRun run = new TouchRun(of.os(), settings, "allocator=" + of.name());
    Budget budget = of.budget();
    if (budget.availableBytes() < newBytes && newBytes <= budget.limitBytes()) {
      // Here, where no lock is held.
      var _ = Ledger.of(budget).makeRoomInHoles(owner, own, newBytes);
    }
    run.check(need(budget, of.commitMode(), newBytes, addressBytes));
    return run;
  }

  /**
   * Asks, and touches.
   *
   * @throws OutOfMemoryError if it is refused
   */
  PretouchReport run() {
    return run(check(supply.settings, settings, newBytes(), 0, supply, supply.holes()));
  }

  /** Touches; the caller has checked that there is enough memory. */
  PretouchReport run(TouchRun run) {
    return run(run, supply.floor, targetBytes);
  }

  @Override
  protected long begin() {
    supply.lock.lock();
    try {
      // Memory with huge pages is not moved before that is over.
      granules.addresses.keepStill(settings.hugePages());
      long inUseBytes =
          granules.addresses.committedBytes()
              - granules.cachedGranules() * PageSupply.GRANULE_BYTES;
      restBytes = wholeGranules(Math.max(0, targetBytes - inUseBytes));
      return restBytes;
    } finally {
      supply.lock.unlock();
    }
  }

  @Override
  protected void end() {
    supply.lock.lock();
    try {
      granules.addresses.keepStill(false);
    } finally {
      supply.lock.unlock();
    }
  }

  /** Bytes that have to be committed for it. */
  private long newBytes() {
    supply.lock.lock();
    try {
      long missingBytes = targetBytes - supply.granules.addresses.committedBytes();
      long roomBytes = supply.granules.roomGranules() * PageSupply.GRANULE_BYTES;
      return Math.clamp(wholeGranules(missingBytes), 0, roomBytes);
    } finally {
      supply.lock.unlock();
    }
  }

  // ---- what there is to touch ----

  @Override
  protected @Nullable Part claim(long mostBytes) {
    try {
      int most = Math.clamp(mostBytes / PageSupply.GRANULE_BYTES, 1, MOST_AT_ONCE);
      GranulePart part = claimCached(most);
      for (int i = 0; part == null && i < MOST_TRIES; i++) {
        int count = Math.min(most, missingCount());
        int from = granules.free.lowest(1);
        if (count <= 0 || from == GranuleRanges.NONE) {
          isAtEnd = true;
          return null;
        }
        part = claimNew(from, Math.min(count, granules.free.lengthAt(from)));
        if (part == null) {
          supply.claims.awaitMoment();
        }
      }
      if (part == null) {
        throw budgetRefused();
      }
      return part;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      supply.damage.cause = e; // before anyone else has the lock
      throw e;
    }
  }

  /** Another user of the budget may have taken what there was before this began. */
  @Override
  public boolean makeRoom() {
    return Ledger.of(supply.budget).makeRoomInHoles(supply, supply.holes(), missingBytes());
  }

  private long missingBytes() {
    supply.lock.lock();
    try {
      return bytes(Math.max(0, missingCount()));
    } finally {
      supply.lock.unlock();
    }
  }

  /** Null if all that is cached has had its turn; the lock is held. */
  private @Nullable GranulePart claimCached(int most) {
    int from = restBytes > 0 ? granules.cache.firstCached(cursor) : GranuleRanges.NONE;
    if (from == GranuleRanges.NONE) {
      restBytes = 0;
      return null;
    }
    int count = (int) Math.min(most, Math.ceilDiv(restBytes, PageSupply.GRANULE_BYTES));
    count = Math.min(count, granules.cache.cachedCount(from));
    GranulePart part = new GranulePart(from, count, false);
    cursor = from + count;
    restBytes -= bytes(count);
    granules.claimTouched(from, count);
    supply.claims.begin(Claims.Use.PRETOUCH);
    return part;
  }

  /** Null if the budget refuses; the lock is held. */
  private @Nullable GranulePart claimNew(int from, int count) {
    // Room comes first: where the Java heap is full, nothing has changed.
    granules.prepare(from, count);
    GranulePart part = new GranulePart(from, count, true);
    grown.set(from, from + count);
    if (!granules.addresses.tryCount(bytes(count))) {
      grown.clear(from, from + count);
      return null;
    }
    granules.claimFree(from, count);
    granules.pretouchGranules += count;
    restNewGranules -= count;
    supply.claims.begin(Claims.Use.PRETOUCH);
    return part;
  }

  /** Granules that may and shall be committed; the lock is held. */
  private int missingCount() {
    int newGranules = granules.pretouchGranules - granules.touchedCachedGranules;
    long committedBytes = granules.addresses.committedBytes() + bytes(newGranules);
    long count = Math.ceilDiv(targetBytes - committedBytes, PageSupply.GRANULE_BYTES);
    return (int) Math.min(Math.min(count, restNewGranules), granules.roomGranules());
  }

  private OutOfNativeMemoryError budgetRefused() {
    String message =
        "pretouch refused by the budget: allocator="
            + supply.settings.name()
            + ", wantedBytes="
            + targetBytes
            + ", committedBytes="
            + granules.addresses.committedBytes()
            + ", capacityBytes="
            + supply.settings.capacityBytes()
            + ", budget="
            + supply.budget
            + " (another user of it has taken what there was: raise its limit, or ask for less;"
            + " what was taken has gone back)";
    return Ledger.of(supply.budget)
        .refusal(message, supply.settings.name(), targetBytes, granules.addresses.committedBytes());
  }

  // ---- what becomes of it ----

  private void note(int error) {
    supply.lock.lock();
    try {
      supply.lastErrno = error;
    } finally {
      supply.lock.unlock();
    }
  }

  private void releaseNew(GranulePart part) {
    granules.pretouchGranules -= part.count;
    if (part.isCommitted) {
      granules.addresses.noteCommitted(part.first, part.count);
      granules.putCached(part.first, part.count, RangeCache.NO_OWNER);
    } else {
      granules.addresses.uncountRefused(bytes(part.count));
      granules.putFree(part.first, part.count);
      grown.clear(part.first, part.first + part.count);
    }
  }

  /** Gives back committed memory that is still cached. */
  @Override
  protected void discardCommitted() {
    supply.uncommitter.uncommitCached(grown);
  }

  private static long bytes(int count) {
    return count * PageSupply.GRANULE_BYTES;
  }
}
