package dev.arenal.page.granule;

import dev.arenal.events.MemoryEvents;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import dev.arenal.supply.Change;
import dev.arenal.supply.Claim;
import dev.arenal.supply.Claims;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A page that is being put together where the cache has no range of its size: granules that are
 * committed in their place already, granules to be committed, and those whose memory comes from
 * elsewhere: harvested ones from cached granules, lent ones from other owners of the budget.
 *
 * <p>If a step fails, the steps before stay done, every granule is settled in its present state,
 * and nothing is lost: what could not be committed is off the budget then.
 */
final class PageAssembly extends Change {
  /** In {@link #sources}: committed in its place. */
  private static final int IN_PLACE = -1;

  /** In {@link #sources}: to be committed. */
  private static final int GROWN = -2;

  /** In {@link #sources}: this and below it, the granules of the loan. */
  private static final int LENT = -3;

  /** In {@link #sources}: a cached granule is still to be found for it. */
  private static final int HARVESTED = Integer.MAX_VALUE;

  private final SupplyState supply;
  private final GranuleStates states;
  private final PageMemory page;
  private final int first;
  private final int count;

  /** For each granule of the page where its memory comes from: a granule, or one of the above. */
  private final int[] sources;

  /** Granules of the page that have got their memory. */
  private final BitSet committed;

  /** Granules of the page whose addresses may belong to another mapping now. */
  private final BitSet excluded;

  /** Whether memory may become a mapping of its own. */
  private final boolean mayMove;

  private final @Nullable Loan loan;
  private int grownGranules;
  private int lentCount;
  private int harvestedCount;

  /** New, lent and harvested bytes that the page has got; after {@link #settle}. */
  long grownBytes;

  long receivedBytes;
  long flushedBytes;
  private long errno;

  /** For the flight recorder; null where it does not ask, or nothing can be harvested. */
  MemoryEvents.@Nullable Harvest event;

  /** Whether nothing is to be moved any more. */
  private boolean endsMoving;

  /** Whether {@link #call} has come to its end; else no thread waits for the page. */
  private boolean hasRun;

  private boolean isComplete;

  /**
   * Makes the objects for everything that follows, under the lock; from the claim on nothing needs
   * the heap.
   *
   * @param page free and cached granules throughout
   * @param loan from which it may have memory, too; null where there is none
   */
  PageAssembly(SupplyState supply, PageMemory page, @Nullable Loan loan) {
    super(supply.claims, Claims.Use.ASSEMBLY);
    this.supply = supply;
    this.states = supply.granules;
    this.page = page;
    this.loan = loan;
    this.first = page.firstGranule;
    this.count = page.granuleCount;
    this.mayMove = states.addresses.mayMove();
    this.sources = new int[count];
    this.committed = fullSize(count);
    this.excluded = fullSize(count);
  }

  /** An empty set with room for so many, which needs no heap from then on. */
  static BitSet fullSize(int count) {
    BitSet bits = new BitSet(count);
    bits.set(count - 1);
    bits.clear();
    return bits;
  }

  /** False if the budget refuses; nothing has changed then. */
  @Override
  protected boolean claim() {
    int inPlace = states.cache.countIn(first, count);
    int missing = count - inPlace;
    // Moving cached memory is a hundred times cheaper than new memory, and commits less.
    int scattered = states.cache.totalGranules() - inPlace;
    int wanted = mayMove ? Math.max(0, missing - scattered) : missing;
    int most = Math.min(wanted, states.roomGranules());
    int received = loan == null ? 0 : Math.min(loan.count(), most);
    int grown = most - received;
    if (missing > 0 && scattered > 0) {
      event = MemoryEvents.beginHarvest(); // needs the Java heap
    }
    if (!states.addresses.tryCount(bytes(grown))) {
      grown = (int) Math.min(grown, supply.budget.availableBytes() / PageSupply.GRANULE_BYTES);
      if (missing - received - grown > scattered || !states.addresses.tryCount(bytes(grown))) {
        return false;
      }
    }
    grownGranules = grown;
    prepare();
    claim(grown, received);
    harvest();
    var _ = supply.statistics.misses.incrementAndGet();
    supply.cycle.noteFree(bytes(states.cache.totalGranules()));
    if (grown + received > 0) {
      supply.grownBytes.addAndGet(bytes(grown + received));
      supply.cycle.cancel();
    }
    return true;
  }

  /** Not before the budget has counted it: the books of a refused request would stay for ever. */
  private void prepare() {
    boolean done = false;
    try {
      states.prepare(first, count);
      done = true;
    } finally {
      if (!done && grownGranules > 0) { // the Java heap is full
        states.addresses.uncountRefused(bytes(grownGranules));
      }
    }
  }

  /**
   * Of the granules of the page so many are to be committed, and so many come from a loan; what
   * else has no memory gets that of cached granules elsewhere.
   */
  private void claim(int grownCount, int receivedCount) {
    int end = first + count;
    int restGrown = grownCount;
    for (int at = first; at < end; ) {
      boolean cached = states.cache.contains(at);
      GranuleRanges set = cached ? states.cache : states.free;
      int start = set.lastFrom(at, 1);
      int to = Math.min(end, start + set.lengthAt(start));
      if (cached) {
        fill(at, to, IN_PLACE);
        committed.set(at - first, to - first);
        states.claimCached(at, to - at);
      } else {
        int grown = Math.min(restGrown, to - at);
        restGrown -= grown;
        fill(at, at + grown, GROWN);
        int harvested = at + grown;
        for (; harvested < to && lentCount < receivedCount; harvested++) {
          sources[harvested - first] = LENT - lentCount;
          lentCount++;
        }
        fill(harvested, to, HARVESTED);
        harvestedCount += to - harvested;
        states.claimFree(at, to - at);
      }
      at = to;
    }
    states.usedGranules += count;
    states.claimedGranules += harvestedCount;
  }

  /** Takes scattered granules from the end of the cache: small pages are at its beginning. */
  private void harvest() {
    GranuleRanges cached = states.cache;
    int index = 0;
    for (int rest = harvestedCount; rest > 0; ) {
      int start = cached.highest(1);
      int length = cached.lengthAt(start);
      int taken = Math.min(rest, length);
      int from = start + length - taken;
      states.claimCached(from, taken);
      for (int source = from; source < from + taken; source++) {
        while (sources[index] != HARVESTED) {
          index++;
        }
        sources[index] = source;
      }
      rest -= taken;
    }
  }

  private void fill(int from, int to, int source) {
    for (int at = from; at < to; at++) {
      sources[at - first] = source;
    }
  }

  PageMemory page() {
    return page;
  }

  /** Whether it is put together: the page is in use then. */
  boolean isComplete() {
    return isComplete;
  }

  int harvestedCount() {
    return harvestedCount;
  }

  /** Whether addresses of the page may belong to another mapping now: another place may do. */
  boolean hasExcluded() {
    return !excluded.isEmpty();
  }

  // ---- without the lock ----

  @Override
  protected void call() {
    OperatingSystem os = supply.os;
    CommitMode mode = supply.mode;
    if (commitGrown(os, mode) && harvestedCount + lentCount > 0) {
      if (mode == CommitMode.DISCARD) {
        moveAll(os);
      } else {
        exchangeAll(os);
      }
    }
    hasRun = true;
  }

  private boolean commitGrown(OperatingSystem os, CommitMode mode) {
    for (int from = 0; from < count; ) {
      int to = from;
      while (to < count && sources[to] == GROWN) {
        to++;
      }
      if (to > from) {
        int error =
            mode == CommitMode.PROTECT ? os.allow(address(first + from), bytes(to - from)) : 0;
        if (error < 0) {
          errno = error;
          return false;
        }
        committed.set(from, to);
      }
      from = to + 1;
    }
    return true;
  }

  /**
   * Moves the pages; those that the kernel does not move are given back and come on first touch.
   */
  private void moveAll(OperatingSystem os) {
    Claim notMoved = new Claim();
    for (int i = 0; i < count; i++) {
      if (!comesFromElsewhere(sources[i])) {
        continue;
      }
      long from = sourceAddress(sources[i]);
      int error =
          mayMove ? os.move(from, PageSupply.GRANULE_BYTES, address(first + i)) : -Errno.ENOSYS;
      if (error == 0) {
        committed.set(i);
      } else if (error == -Errno.ENOTRECOVERABLE) {
        excluded.set(i);
        errno = error;
        endsMoving = true;
        return;
      } else {
        endsMoving |= mayMove && PageAddresses.endsMoving(error);
        notMoved.add(from, PageSupply.GRANULE_BYTES);
      }
    }
    if (notMoved.count() > 0) {
      long doneBytes = notMoved.discard(os, CommitMode.DISCARD);
      if (doneBytes == notMoved.totalBytes()) {
        committed.set(0, count);
      } else {
        errno = -Errno.ENOMEM;
      }
    }
  }

  private static boolean comesFromElsewhere(int source) {
    return source >= 0 || source <= LENT;
  }

  private long sourceAddress(int source) {
    return loan != null && source <= LENT ? loan.address(LENT - source) : address(source);
  }

  /** One at a time, so that no more than one granule exceeds what the kernel has promised. */
  private void exchangeAll(OperatingSystem os) {
    for (int i = 0; i < count; i++) {
      if (sources[i] < 0) {
        continue;
      }
      int error = os.allow(address(first + i), PageSupply.GRANULE_BYTES);
      if (error == 0) {
        error = os.revoke(address(sources[i]), PageSupply.GRANULE_BYTES);
        if (error < 0) {
          var _ = os.revoke(address(first + i), PageSupply.GRANULE_BYTES);
        }
      }
      if (error < 0) {
        errno = error;
        return;
      }
      committed.set(i);
    }
  }

  // ---- under the lock again ----

  @Override
  protected void settle() {
    isComplete = hasRun && committed.cardinality() == count;
    states.claimedGranules -= harvestedCount;
    if (endsMoving) {
      states.addresses.moveNoMore();
    }
    for (int i = 0; i < count; i++) {
      boolean isCommitted = committed.get(i);
      if (sources[i] == GROWN && isCommitted) {
        states.addresses.noteCommitted(first + i, 1);
        grownBytes += PageSupply.GRANULE_BYTES;
      } else if (sources[i] >= 0) {
        if (isCommitted) {
          states.addresses.noteMoved(sources[i], first + i);
          flushedBytes += PageSupply.GRANULE_BYTES;
        }
        states.putBack(sources[i], 1, RangeCache.NO_OWNER);
      } else if (loan != null && sources[i] <= LENT && isCommitted) {
        loan.noteMoved(LENT - sources[i], states.addresses, first + i);
        receivedBytes += PageSupply.GRANULE_BYTES;
      }
    }
    long refusedBytes = bytes(grownGranules) - grownBytes;
    if (refusedBytes > 0) { // else threads that wait for the budget would look in vain
      states.addresses.uncountRefused(refusedBytes);
    }
    if (isComplete) {
      page.isZero = !states.addresses.isDirty(first, count);
      supply.handOut(page);
    } else {
      supply.lastErrno = errno != 0 ? errno : supply.lastErrno;
      states.usedGranules -= count;
      for (int i = 0; i < count; i++) {
        if (excluded.get(i)) {
          states.exclude(first + i);
        } else {
          states.putBack(first + i, 1, RangeCache.NO_OWNER);
        }
      }
    }
  }

  /** Ranges of the cache that were gathered. */
  int harvestedRangeCount() {
    int ranges = 0;
    int last = IN_PLACE;
    for (int source : sources) {
      if (source >= 0) {
        ranges += source == last + 1 && last >= 0 ? 0 : 1;
        last = source;
      }
    }
    return ranges;
  }

  private long address(int granule) {
    return states.addresses.address(granule);
  }

  private static long bytes(int granules) {
    return granules * PageSupply.GRANULE_BYTES;
  }
}
