package dev.arenal.page.granule;

import dev.arenal.guard.Damage;
import dev.arenal.os.Errno;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.ResidentCount;
import dev.arenal.stats.recorder.StatisticsRecorder;
import dev.arenal.supply.Change;
import dev.arenal.supply.Claim;
import dev.arenal.supply.Claims;
import dev.arenal.touch.TouchRun;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Where pages come from: address space, the capacity, the budget, and the cache of committed memory
 * that no page uses.
 *
 * <p>A page is taken from the cache where that has a range of its size; otherwise cached memory
 * that lies scattered is moved together, then free memory of other users of the budget, if both
 * share, and only the rest is committed (ADR 0013, 0024). If the kernel does not move memory,
 * committing comes first. Never waits for capacity: a request that cannot be served now is refused.
 *
 * <p>Thread-safe, by one lock. Before the end no call to the kernel is made while it is held: what
 * such a call touches is claimed before and settled after it.
 */
public final class PageSupply {
  /** In statistics and events. */
  public static final String KIND = "PageAllocator";

  /** Pages and moved ranges are multiples of this. */
  public static final long GRANULE_BYTES = 2 << 20;

  /** The budget holds it weakly, as a reclaimer, so it must be held here. */
  final SupplyState state;

  private final GranuleStates granules;
  private final Assembler assembler;

  private volatile @Nullable PretouchReport lastPretouch;

  /** Whether its knowledge of its pages, and that of the heaps, is in doubt. */
  public final Damage damage;

  /**
   * Reserves address space, and commits and touches memory as the settings say.
   *
   * @throws OutOfMemoryError if that is refused
   */
  public PageSupply(PageSettings settings, StatisticsRecorder recorder) {
    Pretouch first = settings.pretouch();
    TouchRun run = first == null ? null : GranulePretouch.check(settings, first);
    PageAddresses addresses = PageAddresses.reserve(settings);
    SupplyState started = null;
    boolean done = false;
    try {
      started = new SupplyState(settings, addresses, recorder);
      this.state = started;
      this.granules = state.granules;
      this.damage = state.damage;
      this.assembler = new Assembler(state);
      if (first != null && run != null) {
        lastPretouch = new GranulePretouch(state, first).run(run);
      }
      Ledger.of(settings.budget()).addReclaimer(state);
      done = true;
    } finally {
      if (!done && started != null) {
        started.abandon();
      } else if (!done) {
        addresses.abandon();
      }
    }
  }

  /**
   * Sets the first step of giving way to others of the budget, before the cache goes: it fills the
   * cache with pages that no buffer needs. It is run without any lock.
   */
  public void setSpares(Runnable spares) {
    state.spares = spares;
  }

  /** Sets the holes of its pages, which give way to others of the budget from now on. */
  public void setHoles(Ledger.Holes holes) {
    state.setHoles(holes);
    Ledger.of(state.budget).addHoles(holes);
  }

  // ---- pages ----

  /**
   * A page of exactly that size, all of it committed. Where the budget refuses, no reclaimer is
   * asked: the caller may hold a lock that a reclaimer needs.
   *
   * @param sizeBytes whole granules
   * @param owner a small number, to tell in the statistics whose page is used again
   * @return null where the capacity, the budget or the kernel refuse, or when it is closed
   */
  public @Nullable PageMemory tryTake(PageKind kind, long sizeBytes, int owner) {
    if (sizeBytes <= 0 || sizeBytes % GRANULE_BYTES != 0) {
      throw new IllegalArgumentException(
          "size of a page is not whole granules: allocator="
              + state.settings.name()
              + ", sizeBytes="
              + sizeBytes
              + " (expected a positive multiple of "
              + GRANULE_BYTES
              + ")");
    }
    if (sizeBytes / GRANULE_BYTES > granules.capacityGranules) {
      return null;
    }
    return assembler.tryTake(kind, (int) (sizeBytes / GRANULE_BYTES), owner, true);
  }

  /**
   * The same, of that size, or of half of it, and so on down to the least. Only for the last of
   * these it waits for memory that a pretouch has in hand: the lock of a heap may be held.
   *
   * @param sizeBytes a power of two
   */
  public @Nullable PageMemory tryTakeHalving(
      PageKind kind, long sizeBytes, long leastBytes, int owner) {
    PageMemory page = null;
    for (long bytes = sizeBytes; page == null && bytes >= leastBytes; bytes >>= 1) {
      int count = (int) (bytes / GRANULE_BYTES);
      if (count <= granules.capacityGranules) {
        page = assembler.tryTake(kind, count, owner, bytes >> 1 < leastBytes);
      }
    }
    return page;
  }

  /**
   * A page whose size is a power of two in a range, the largest that the cache has: no call to the
   * kernel.
   *
   * @return null if the cache has none
   */
  public @Nullable PageMemory tryTakeCached(
      PageKind kind, long leastBytes, long mostBytes, int owner) {
    return assembler.tryTakeCached(kind, leastBytes, mostBytes, owner);
  }

  /**
   * Takes back a page that is no longer used; parts of it may be discarded. A closed supply has
   * given it back already.
   */
  public void giveBack(PageMemory page, int owner) {
    Change move;
    int due = Uncommitter.NONE_DUE;
    state.lock.lock();
    try {
      if (state.isClosed) {
        return;
      }
      requireTaken(page);
      move = Defragment.tryClaim(state, page, owner);
      page.isTaken = false;
      if (move == null) {
        granules.addresses.markDirty(page.firstGranule, page.granuleCount);
        due = cache(page, owner);
      }
    } finally {
      state.lock.unlock();
    }
    if (move != null) {
      move.complete();
    }
    state.uncommitter.uncommitDue(due);
  }

  /**
   * Takes back at once a page that has never been written to. A closed supply has given it back
   * already.
   */
  public void undo(PageMemory page) {
    int due;
    state.lock.lock();
    try {
      if (state.isClosed) {
        return;
      }
      requireTaken(page);
      page.isTaken = false;
      due = cache(page, page.owner);
    } finally {
      state.lock.unlock();
    }
    var _ = state.statistics.undos.incrementAndGet();
    state.uncommitter.uncommitDue(due);
  }

  /** Its granules are cached where it was; returns what is due at once. The lock is held. */
  private int cache(PageMemory page, int owner) {
    granules.usedGranules -= page.granuleCount;
    granules.putBack(page.firstGranule, page.granuleCount, owner);
    return state.uncommitter.dueAtOnce();
  }

  private void requireTaken(PageMemory page) {
    if (!page.isTaken) {
      throw new IllegalStateException(
          "page is not in use: allocator="
              + state.settings.name()
              + ", page="
              + page
              + " (expected each page to be given back once)");
    }
  }

  // ---- parts of pages, and the way back ----

  /**
   * Gives free OS pages inside pages in use back to the kernel. They come off the budget and still
   * count against the capacity.
   *
   * @return bytes that have gone: all, or less if the kernel refuses a range
   */
  public long discard(Claim claim) {
    UncommitBatch parts = new UncommitBatch(state, claim);
    return parts.discard() ? parts.goneBytes() : 0;
  }

  /**
   * Commits discarded memory in a range of whole OS pages of one page in use, which reads zero
   * then. No other thread may do so for the same range meanwhile.
   *
   * @return false where budget or kernel refuse: nothing has changed then
   */
  public boolean recommit(long address, long sizeBytes) {
    return new Recommit(state, address, sizeBytes).run();
  }

  /**
   * Makes memory resident: the cache, and new memory for it, as far as it is asked for. One at a
   * time.
   *
   * @throws OutOfMemoryError if it is refused
   */
  public PretouchReport pretouch(Pretouch wanted) {
    PretouchReport report = new GranulePretouch(state, wanted).run();
    lastPretouch = report;
    return report;
  }

  /**
   * Has others give back memory that they do not need, for so many bytes; no lock is held.
   *
   * @param leastBytes without which the request is refused all the same
   */
  public long reclaimOthers(long wantedBytes, long leastBytes) {
    return Ledger.of(state.budget).reclaim(state, wantedBytes, leastBytes);
  }

  /**
   * Makes room in the budget for a page of that size, from the cache: the kernel may have refused
   * to put the page together from it. Where that does not make enough, nothing goes. No lock is
   * held.
   *
   * @return whether another attempt is worth it
   */
  public boolean giveWayFor(long sizeBytes) {
    long granuleCount = Math.ceilDiv(Math.max(sizeBytes, 1), GRANULE_BYTES);
    state.lock.lock();
    try {
      if (granules.cache.longest() >= granuleCount) {
        return true; // it has come since the last attempt
      }
      if (granuleCount > granules.capacityGranules - granules.usedGranules) {
        return false;
      }
    } finally {
      state.lock.unlock();
    }
    return state.uncommitter.giveWayFor(granuleCount * GRANULE_BYTES, Claims.MOST_WAIT_NANOS);
  }

  /**
   * Has all users of the budget make room for so many bytes, as a last resort; no lock is held.
   *
   * @param own holes of the allocator itself, which go first
   * @return whether another attempt is worth it
   */
  public boolean giveWay(Ledger.Holes own, long roomBytes) {
    return Ledger.of(state.budget).giveWay(state, own, roomBytes);
  }

  /** The outcome of the last pretouch; null if there was none. */
  public @Nullable PretouchReport lastPretouch() {
    return lastPretouch;
  }

  /** Committed memory below which nothing goes back by itself. */
  public long floorBytes() {
    return state.floor.sizeBytes();
  }

  /**
   * Memory that was pretouched may go back by itself from now on, down to the floor of the
   * settings.
   */
  public void resetFloor() {
    state.floor.reset();
  }

  /**
   * Gives the whole cache back now, and waits for memory that other threads are giving back.
   *
   * @return bytes that went back
   */
  public long trim() {
    var _ = state.claims.awaitDiscards();
    return state.uncommitter.uncommit(Integer.MAX_VALUE, false);
  }

  /**
   * Gives back memory that has been idle for long enough; to be called every second, or more often
   * where the delay is short.
   */
  public void tick(long nowNanos) {
    state.uncommitter.tick(nowNanos);
  }

  /**
   * Gives up to a number of bytes of the cache back now, in whole granules, but not below the
   * floor; returns bytes that went.
   */
  public long uncommitCached(long mostBytes) {
    return state.uncommitter.uncommit(
        (int) Math.min(Integer.MAX_VALUE, mostBytes / GRANULE_BYTES), true);
  }

  /**
   * The largest request that may be served at the present limit of the budget, at most: from memory
   * that is committed already, also of others where free memory is shared, or newly, in whole
   * granules.
   */
  public long mostPossibleBytes() {
    long limitBytes = state.budget.limitBytes() & -GRANULE_BYTES;
    long committedBytes =
        state.settings.sharesFree() ? state.budget.committedBytes() : figures().committedBytes();
    return Math.min(state.settings.capacityBytes(), Math.max(limitBytes, committedBytes));
  }

  /** Bytes committed, or received from others of the budget, since {@link #takeGrownBytes}. */
  public long grownBytes() {
    return state.grownBytes.get();
  }

  /** The same, which is counted from zero again then. */
  public long takeGrownBytes() {
    return state.grownBytes.getAndSet(0);
  }

  /** Open buffers that have a scope of their own. */
  public AtomicLong scopeCount() {
    return state.scopeCount;
  }

  /** Its counters. */
  public SupplyStatistics statistics() {
    return state.statistics;
  }

  /** Committed bytes that are in physical memory; -1 if the kernel does not say. */
  public long residentBytes() {
    return ResidentCount.count(state.settings.os(), state.lock, granules.addresses::reservation);
  }

  /** Its figures, all at one moment. */
  public SupplyFigures figures() {
    state.lock.lock();
    try {
      long committedBytes = granules.addresses.committedBytes();
      return new SupplyFigures(
          granules.usedGranules * GRANULE_BYTES,
          // Once closed, nothing is committed, and so nothing is cached.
          Math.min(granules.cachedGranules() * GRANULE_BYTES, committedBytes),
          committedBytes,
          granules.addresses.reservedBytes(),
          granules.capacityGranules * GRANULE_BYTES,
          granules.available.longest() * GRANULE_BYTES,
          state.lastErrno);
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Gives all memory and all addresses back; the caller makes sure that they are unused. Pages that
   * are just being put together are waited for, and nothing is handed out any more.
   *
   * @throws IllegalStateException if the kernel refuses; to be closed again then
   */
  public void close() {
    Ledger.of(state.budget).removeReclaimer(state);
    state.lock.lock();
    try {
      state.isClosed = true;
      state.claims.awaitNone(state.settings.longestCloseWaitNanos());
      requireReturned();
      state.isReleased = true;
      int error = 0;
      if (damage.isNoted() && !state.settings.isChecked()) {
        granules.addresses.discardAll(); // it is unknown which buffers are open
      } else {
        error = granules.addresses.release();
      }
      granules.addresses.uncountInFlight();
      if (error < 0) {
        throw new IllegalStateException(
            "address space was not given back: allocator="
                + state.settings.name()
                + ", reservedBytes="
                + granules.addresses.reservedBytes()
                + ", errno="
                + Errno.name(error)
                + " (close the allocator again)");
      }
    } finally {
      state.lock.unlock();
    }
  }

  /**
   * Damage ends the wait for claims: but no thread may move memory from addresses that are gone.
   */
  private void requireReturned() {
    if (granules.lentGranules > 0 && !state.isLeftBehind) {
      throw new IllegalStateException(
          "another allocator moves memory: allocator="
              + state.settings.name()
              + ", lentBytes="
              + granules.lentGranules * GRANULE_BYTES
              + " (close the allocator again)");
    }
  }

  /**
   * Gives all back where it is not built to the end, also if the Java heap is full. The budget
   * holds the reclaimer weakly, and it has nothing to give.
   */
  public void abandon() {
    state.abandon();
  }

  /**
   * Checks everything that must hold.
   *
   * @throws AssertionError that names what does not
   */
  public void verify() {
    state.lock.lock();
    try {
      if (!state.isClosed) {
        granules.verify();
      }
    } finally {
      state.lock.unlock();
    }
  }

  /** The states of its granules, and the claims on them. */
  @Override
  public String toString() {
    state.lock.lock();
    try {
      return granules
          + ", committedBytes="
          + granules.addresses.committedBytes()
          + ", "
          + state.claims;
    } finally {
      state.lock.unlock();
    }
  }
}
