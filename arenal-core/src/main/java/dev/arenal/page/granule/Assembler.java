package dev.arenal.page.granule;

import dev.arenal.events.MemoryEvents;
import dev.arenal.supply.Retry;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes pages for a supply: from the cache, or put together from cached memory, free memory of
 * other users of the budget, and newly committed memory.
 */
final class Assembler {
  private final SupplyState state;
  private final GranuleStates granules;

  /** The result of an attempt instead of a page that may be had a little later. */
  private final PageMemory refusal =
      new PageMemory(PageKind.SMALL, 0, GranuleRanges.NONE, 0, RangeCache.NO_OWNER);

  Assembler(SupplyState state) {
    this.state = state;
    this.granules = state.granules;
  }

  /**
   * A page of that many granules, or null.
   *
   * @param mayWait whether it waits for memory that a pretouch or another user has in hand
   */
  @Nullable PageMemory tryTake(PageKind kind, int count, int owner, boolean mayWait) {
    if (state.settings.sharesFree()) {
      int lacking = lacking(kind, count);
      PageMemory page =
          lacking <= 0
              ? null
              : Loan.take(
                  state,
                  lacking,
                  new Function<>() { // no lambda: a first use would link it, far down
                    @Override
                    public @Nullable PageMemory apply(Loan loan) {
                      return attempt(kind, count, owner, loan);
                    }
                  });
      if (page != null) {
        return page;
      }
    }
    long returnedBefore = state.claims.returnedCountRacy();
    PageMemory page = attempt(kind, count, owner, null);
    if (isRefused(page) && mayWait) {
      Refused refused = new Refused(kind, count, owner, returnedBefore);
      refused.run();
      page = refused.page;
    }
    return isRefused(page) ? null : page;
  }

  /** How many granules would have to be committed for a page, and may be moved instead. */
  private int lacking(PageKind kind, int count) {
    state.lock.lock();
    try {
      int first = granules.available.placeFor(kind, count);
      if (state.isClosed
          || count > granules.capacityGranules - granules.usedGranules
          || granules.cache.placeFor(kind, count) != GranuleRanges.NONE
          || first == GranuleRanges.NONE
          || !granules.addresses.mayMove()) {
        return 0;
      }
      int missing = count - granules.cache.countIn(first, count);
      int scattered = granules.cache.totalGranules() - (count - missing);
      return Math.min(missing - scattered, granules.roomGranules());
    } finally {
      state.lock.unlock();
    }
  }

  private boolean isRefused(@Nullable PageMemory page) {
    return page == refusal;
  }

  /** A page that capacity or budget has refused. */
  private final class Refused extends Retry {
    private final PageKind kind;
    private final int count;
    private final int owner;
    private @Nullable PageMemory page = refusal;

    Refused(PageKind kind, int count, int owner, long returnedBefore) {
      super(state.claims, false, returnedBefore);
      this.kind = kind;
      this.count = count;
      this.owner = owner;
    }

    @Override
    protected boolean attempt() {
      page = Assembler.this.attempt(kind, count, owner, null);
      return !isRefused(page);
    }

    @Override
    protected boolean isWorthIt() {
      return state.returningMayMakeRoomFor(count)
          && state.returningMayPayFor(count * PageSupply.GRANULE_BYTES);
    }
  }

  /**
   * A page; null if the supply is closed, the capacity is used up, or the kernel has refused, and
   * {@link #refusal} if there is no place or no budget now. With a loan it is null instead: a
   * thread that has claimed memory of others does not wait.
   */
  private @Nullable PageMemory attempt(PageKind kind, int count, int owner, @Nullable Loan loan) {
    while (true) {
      PageAssembly assembly;
      state.lock.lock();
      try {
        if (state.isClosed || count > granules.capacityGranules - granules.usedGranules) {
          return null;
        }
        PageMemory cached = takeCached(kind, count, owner);
        if (cached != null) {
          return cached;
        }
        assembly = plan(kind, count, owner, loan);
        if (assembly == null) {
          return loan == null ? refusal : null;
        }
      } finally {
        state.lock.unlock();
      }
      PageMemory page = assemble(assembly);
      if (page != null || !assembly.hasExcluded() || loan != null) {
        return page;
      }
    }
  }

  /** The largest page that the cache has whose size is a power of two in a range, or null. */
  @Nullable PageMemory tryTakeCached(PageKind kind, long leastBytes, long mostBytes, int owner) {
    state.lock.lock();
    try {
      if (state.isClosed) {
        return null;
      }
      long room =
          (long) (granules.capacityGranules - granules.usedGranules) * PageSupply.GRANULE_BYTES;
      long longest = granules.cache.longest() * PageSupply.GRANULE_BYTES;
      long sizeBytes = Long.highestOneBit(Math.min(mostBytes, Math.min(room, longest)));
      return sizeBytes < Math.max(leastBytes, PageSupply.GRANULE_BYTES)
          ? null
          : takeCached(kind, (int) (sizeBytes / PageSupply.GRANULE_BYTES), owner);
    } finally {
      state.lock.unlock();
    }
  }

  /** Takes a page from the cache, under the lock. */
  private @Nullable PageMemory takeCached(PageKind kind, int count, int owner) {
    int first = granules.cache.placeFor(kind, count);
    if (first == GranuleRanges.NONE) {
      return null;
    }
    PageMemory page = new PageMemory(kind, granules.addresses.address(first), first, count, owner);
    state.statistics.count(granules.cache.hit(first, count, owner));
    page.isZero = !granules.addresses.isDirty(first, count);
    granules.claimCached(first, count);
    granules.usedGranules += count;
    state.cycle.noteFree(granules.cache.totalGranules() * PageSupply.GRANULE_BYTES);
    state.handOut(page);
    return page;
  }

  /**
   * Claims the memory of the page; null if there is no place for it, or the budget refuses. Under
   * the lock.
   */
  private @Nullable PageAssembly plan(PageKind kind, int count, int owner, @Nullable Loan loan) {
    int first = granules.available.placeFor(kind, count);
    if (first == GranuleRanges.NONE
        || count > granules.capacityGranules - granules.usedGranules - granules.pretouchGranules) {
      return null;
    }
    PageMemory page = new PageMemory(kind, granules.addresses.address(first), first, count, owner);
    PageAssembly assembly = new PageAssembly(state, page, loan);
    return assembly.claimNow() ? assembly : null;
  }

  private @Nullable PageMemory assemble(PageAssembly assembly) {
    assembly.complete();
    var _ = state.statistics.receivedBytes.addAndGet(assembly.receivedBytes);
    if (assembly.harvestedCount() > 0) {
      var _ = state.statistics.flushedBytes.addAndGet(assembly.flushedBytes);
      if (assembly.flushedBytes > 0) {
        var _ = state.statistics.harvests.incrementAndGet();
      }
      tell(assembly);
    }
    return assembly.isComplete() ? assembly.page() : null;
  }

  /** A page is not lost where the Java heap is too full to tell of it. */
  private void tell(PageAssembly assembly) {
    MemoryEvents.Harvest event = assembly.event;
    if (event == null) {
      return;
    }
    try {
      event.end(
          PageSupply.KIND,
          state.settings.name(),
          assembly.page().sizeBytes,
          assembly.flushedBytes,
          assembly.grownBytes,
          assembly.harvestedRangeCount(),
          assembly.isComplete());
    } catch (OutOfMemoryError e) {
      return;
    }
  }
}
