package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.Node;
import dev.arenal.memory.CommitMode;
import dev.arenal.memory.Reservation;
import dev.arenal.supply.Claim;
import dev.arenal.supply.Claims;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes memory ready on another core before the arenas of a space need it: the read-ahead of file
 * systems, for memory.
 *
 * <p>A page costs as much to fault in as a hundred small blocks to allocate. While a space grows
 * fast, {@link TouchThread} commits and populates what is expected to be taken next: more of the
 * arena that grows on its own, the window doubling as it goes on; where arenas take turns, a little
 * of each that is next in the order of the last round; and where many small ones come, the reserve.
 * Memory that is not taken goes back. See docs/adr/0010.
 *
 * <p>Guarded by the lock of the space; the kernel is called without it.
 */
final class TouchAhead {
  /**
   * The limit of what may be ready and not taken, of all arenas together, is at least this much
   * before the demand scales it.
   */
  private static final long LEAST_READY_LIMIT_BYTES = 1L << 20;

  /** The limit is this fraction of the committed memory if that is more. */
  private static final int READY_FRACTION = 64;

  /** Arenas whose turn comes sooner than their pages could. */
  private static final int TOO_LATE = 4;

  private static final long REFILL_BYTES = 64 * 1024;
  private static final int REFILL_LEVEL = Chunk.levelFor(REFILL_BYTES);

  /** A budget with less left than this many windows is not to be used up ahead. */
  private static final int BUDGET_WINDOWS = 8;

  /** Commits without need for which it is not worth to look again. */
  private static final int COMMITS_PER_LOOK = 4;

  private final SpaceState space;
  private final boolean enabled;
  private final AheadList ready = new AheadList();
  private final TouchBatch batch = new TouchBatch();
  private final TurnPredictor turns = new TurnPredictor();
  private final GrowthRate growth;
  private boolean refillWanted;
  private boolean refused;
  private int commitsUnseen;

  /** Level of the chunk that a new arena would take. */
  private int stretchLevel;

  /** Whether {@link TouchThread} knows that there may be something to do. */
  private boolean requested;

  TouchAhead(SpaceState space, boolean wanted) {
    this.space = space;
    SpaceSettings settings = space.settings;
    this.growth = new GrowthRate(settings.touchHelper());
    this.enabled =
        wanted
            && settings.reclaimPolicy() == ReclaimPolicy.BALANCED
            && settings.commitMode() == CommitMode.DISCARD
            && settings.granuleBytes() <= REFILL_BYTES / 2;
  }

  boolean isEnabled() {
    return enabled;
  }

  /** Bytes that are ready in the stretches of arenas. */
  long readyBytes() {
    return ready.totalBytes();
  }

  /** Whether more is ready than recent demand justifies. */
  boolean exceedsDemand() {
    return ready.totalBytes() > 0 && ready.totalBytes() > mostReadyBytes();
  }

  /** Gives back what exceeds recent demand, and a little more; without the lock. */
  void revokeToDemand() {
    long mostBytes;
    space.lock.lock();
    try {
      mostBytes = mostReadyBytes();
    } finally {
      space.lock.unlock();
    }
    var _ = revokeUnneeded(mostBytes - mostBytes / 4);
  }

  private long mostReadyBytes() {
    long mostBytes =
        Math.max(LEAST_READY_LIMIT_BYTES, space.nodes.committedBytes() / READY_FRACTION);
    return (long) (mostBytes * space.trimmer.demandFraction());
  }

  // ---- called by arenas, under the lock ----

  /** Called before an arena takes more; makes all that needs the heap, so that nothing is half. */
  void prepare(ChunkedArena arena) {
    if (!enabled) {
      return;
    }
    AheadRange range = arena.ahead;
    if (range == null) {
      if (growth.isHot()) {
        arena.ahead = new AheadRange(arena);
      }
      return;
    }
    awaitRevoked(arena);
  }

  /** Waits while what is ready for an arena is on its way to the kernel. */
  void awaitRevoked(ChunkedArena arena) {
    AheadRange range = arena.ahead;
    while (range != null && range.revoking && !space.damage.isNoted()) {
      space.claims.awaitMoment();
    }
    space.damage.check();
  }

  /** Waits while pages of an arena are being populated; else they would come back to life. */
  void awaitTouched(ChunkedArena arena) {
    AheadRange range = arena.ahead;
    while (range != null && range.touching && !space.damage.isNoted()) {
      space.claims.awaitMoment();
    }
    space.damage.check();
  }

  /**
   * The end of the committed memory that an arena may take when it takes memory up to an address.
   */
  long limitBehind(ChunkedArena arena, long wanted, long stretchEnd) {
    AheadRange range = arena.ahead;
    return range != null && range.end > wanted ? wanted : stretchEnd;
  }

  /**
   * Notes that an arena has taken memory up to an address.
   *
   * @param newBytes how much of it was not committed before
   * @return whether {@link #request} is to be called, without the lock
   */
  boolean noteTaken(ChunkedArena arena, long from, long to, long newBytes) {
    if (!enabled) {
      return false;
    }
    AheadRange range = arena.ahead;
    long readyBytes = range == null ? 0 : range.sizeBytes();
    // Memory that is warm from an arena before costs no faults and does not make the space hot.
    growth.note(newBytes + Math.min(readyBytes, to - from));
    refused &= growth.isHot();
    if (range == null) {
      return false;
    }
    ready.shorten(range, to);
    turns.note(range, to - from);
    boolean isShort = range.sizeBytes() < turns.windowBytes(range) / 2;
    return wants(isShort || ++commitsUnseen >= COMMITS_PER_LOOK);
  }

  /** Notes that an arena could not keep what it took: it ends at an address as it did before. */
  void noteTakenBack(ChunkedArena arena, long end) {
    AheadRange range = arena.ahead;
    if (range != null) {
      ready.reset(range, end);
    }
  }

  /** Notes that an arena has begun a stretch with a chunk of that level. */
  void noteStretch(int level) {
    stretchLevel = level <= REFILL_LEVEL ? level : stretchLevel;
  }

  /** Notes that small arenas come whose first memory is cold. */
  boolean noteSmall() {
    refillWanted = space.trimmer.wantsReserve(REFILL_BYTES);
    return wants(refillWanted);
  }

  private boolean wants(boolean worthIt) {
    if (!growth.isHot() || requested || !worthIt || refused) {
      return false;
    }
    requested = true;
    commitsUnseen = 0;
    return true;
  }

  /** Has the thread look at this space. */
  void request() {
    try {
      space.settings.touchHelper().requests().accept(this);
    } catch (Throwable e) {
      // No thread could be started, or the Java heap is full.
      noteRequestFailed();
    }
  }

  /** The space does without help, and does not ask again until it has grown slowly for a while. */
  void noteRequestFailed() {
    space.lock.lock();
    try {
      refused = true;
      requested = false;
    } finally {
      space.lock.unlock();
    }
  }

  /** An arena begins another stretch: what was ready in the old one is of no use. */
  void endStretch(ChunkedArena arena) {
    AheadRange range = arena.ahead;
    if (range == null) {
      return;
    }
    if (range.sizeBytes() > 0) {
      giveBackHere(range);
    }
    ready.reset(range, 0);
  }

  /** Called before the chunks of an arena become free: nothing of them may be on its way then. */
  void forget(ChunkedArena arena) {
    AheadRange range = arena.ahead;
    while (range != null && range.isBusy() && !space.damage.isNoted()) {
      range.closing = true;
      space.claims.awaitMoment();
      range = arena.ahead;
    }
    if (range != null && !space.damage.isNoted()) {
      space.lock.changing = true;
      ready.remove(range);
      arena.ahead = null;
      turns.forget(range);
      space.lock.changing = false;
    }
  }

  /** Rare, and little memory: under the lock. Where pages are being populated they stay. */
  private void giveBackHere(AheadRange range) {
    long from = range.start;
    long sizeBytes = range.sizeBytes();
    ready.remove(range);
    if (range.touching || space.trimmer.aboveFloorBytes() < sizeBytes) {
      return;
    }
    Claim one = new Claim();
    one.add(from, sizeBytes);
    if (one.discard(space.settings.os(), space.settings.commitMode()) > 0) {
      range.arena.committedBytes -= one.settleDiscarded(space.nodes);
      space.counters.uncommits++;
    }
  }

  // ---- called by the thread, without the lock ----

  private boolean stepWhole() {
    makeRoom();
    int error = -1;
    try {
      if (!collectAll()) {
        error = 0;
        return false;
      }
      error = batch.populate(space.settings.os());
    } finally {
      finish(error); // always: a thread may wait for the memory in the batch
    }
    return true;
  }

  /**
   * Makes some memory ready. A step that ends in the middle is damage, which ends all waits for it.
   *
   * @return whether there may be more to do
   */
  boolean step() {
    try {
      return stepWhole();
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      space.damage.note(e);
      throw e;
    }
  }

  private boolean collectAll() {
    space.lock.lock();
    try {
      collect();
      requested = !batch.isEmpty();
      return requested;
    } finally {
      space.lock.unlock();
    }
  }

  /** Much at a time: each call interrupts the other cores. */
  private void makeRoom() {
    long readyBytes;
    long mostBytes;
    space.lock.lock();
    try {
      readyBytes = ready.totalBytes();
      mostBytes = mostReadyBytes();
    } finally {
      space.lock.unlock();
    }
    if (readyBytes + TouchBatch.MOST_BYTES > mostBytes) {
      var _ = revokeUnneeded(mostBytes / 2);
    }
  }

  private void collect() {
    boolean open = space.isOpenForTrim() && !space.damage.isNoted();
    if (!open || !growth.isHotNow() || space.claims.isAwaited()) {
      return;
    }
    collectRefills();
    collectTurns(TOO_LATE);
    if (batch.isEmpty()) {
      collectTurns(0);
    }
    collectStretch();
  }

  /** Those whose turn comes at once would be met while their pages come: leaves them out. */
  private void collectTurns(int countLeftOut) {
    AheadRange range = turns.last();
    long restBytes = mostReadyBytes() / 2; // or the last would push out those that come first
    for (int i = 0;
        i < TouchBatch.MOST_RANGES && range != null && restBytes > 0 && !batch.isFull();
        i++) {
      long windowBytes = turns.windowBytes(range);
      if (i == 0 || i > countLeftOut) {
        collect(range, windowBytes);
      }
      restBytes -= windowBytes;
      range = turns.after(range);
    }
  }

  /** Where arenas come one after the other, the next one is to find its first memory warm. */
  private void collectStretch() {
    boolean useful =
        turns.usualBytes() >= REFILL_BYTES
            && stretchLevel != 0
            && !batch.isFull()
            && space.trimmer.wantsReserve(REFILL_BYTES)
            && space.chunks.wouldTakeCold(stretchLevel);
    if (useful) {
      var _ = collectChunk(stretchLevel);
    }
  }

  private void collectRefills() {
    while (refillWanted && !batch.isFull()) {
      refillWanted = space.trimmer.wantsReserve(REFILL_BYTES) && collectChunk(REFILL_LEVEL);
    }
  }

  /** Makes the begin of a free chunk of that level ready. */
  private boolean collectChunk(int level) {
    batch.chunks.prepare();
    if (isTight(REFILL_BYTES)) {
      return false;
    }
    space.lock.changing = true;
    long handle = Chunk.NONE;
    try {
      handle = space.chunks.takeCold(level); // may take another root into use, or nothing
    } finally {
      space.lock.changing = handle != Chunk.NONE;
    }
    if (handle == Chunk.NONE) {
      return false;
    }
    Node node = space.nodes.ofRoot(Chunk.root(handle));
    long result = -1;
    try {
      result = space.commit(node.reservation, node.offsetBytes(handle), REFILL_BYTES);
    } catch (OutOfMemoryError e) {
      notTaken(handle);
      throw e;
    }
    if (result < 0) {
      notTaken(handle);
      return false;
    }
    batch.chunks.add(handle);
    batch.add(node.address(handle), REFILL_BYTES);
    space.trimmer.beginTransit(Claims.Use.BRIEF, REFILL_BYTES);
    growth.note(REFILL_BYTES); // an arena has taken as much
    space.counters.commits++;
    space.lock.changing = false;
    return true;
  }

  /** The end of a change: the chunk is free again. */
  private void notTaken(long handle) {
    space.chunks.putBack(handle);
    refused = true;
    space.lock.changing = false;
  }

  private boolean isTight(long sizeBytes) {
    return space.settings.budget().availableBytes() / BUDGET_WINDOWS < sizeBytes;
  }

  private void collect(AheadRange range, long windowBytes) {
    ChunkedArena arena = range.arena;
    boolean closed = arena.slot < 0; // it is still known as the next of another
    boolean busy = closed || range.closing || range.isBusy() || range.start == 0;
    boolean enough =
        range.sizeBytes() >= (range == turns.last() ? windowBytes - windowBytes / 4 : windowBytes);
    if (busy || enough) {
      return;
    }
    long granuleBytes = space.settings.granuleBytes();
    long from = Math.max(range.start, range.end);
    long limit = Math.min(arena.stretchEnd & -granuleBytes, from + batch.restBytes());
    long to = Math.min(limit, space.alignToGranule(range.start + windowBytes));
    boolean tight = isTight(windowBytes);
    boolean inGranule = space.alignToGranule(from) != from; // which it shares with others
    if (to <= from || inGranule || tight || ready.totalBytes() + to - from > mostReadyBytes()) {
      return;
    }
    Reservation reservation = space.nodes.nodeOf(from).reservation;
    long result = space.commit(reservation, from - reservation.baseAddress(), to - from);
    if (result < 0) {
      refused = true;
      return;
    }
    arena.committedBytes += result;
    ready.extend(range, to);
    if (result > 0) {
      range.touching = true;
      space.claims.begin(Claims.Use.BRIEF);
      batch.add(range, from, to - from);
      space.counters.commits++;
    }
    space.lock.changing = false;
  }

  private void finish(int error) {
    space.lock.lock();
    try {
      space.lock.changing = true;
      for (int i = 0; i < batch.countRanges(); i++) {
        batch.range(i).touching = false;
        space.claims.end(Claims.Use.BRIEF);
      }
      for (int i = 0; i < batch.chunks.count(); i++) {
        space.trimmer.endTransit(Claims.Use.BRIEF, REFILL_BYTES);
        space.chunks.putBack(batch.chunks.get(i));
      }
      // Committed nevertheless; a thread that touches it gets the kernel's own answer.
      refused |= error < 0;
      space.lock.changing = false;
    } finally {
      batch.clear();
      space.lock.unlock();
    }
  }

  /**
   * Gives back what is ready and not taken, the oldest first; by any thread, without the lock.
   *
   * @return bytes given back
   */
  long revokeDownTo(long keepBytes) {
    return revoke(keepBytes, false);
  }

  /** The same, but what was pretouched stays. */
  long revokeUnneeded(long keepBytes) {
    return revoke(keepBytes, true);
  }

  private long revoke(long keepBytes, boolean aboveFloor) {
    long doneBytes = 0;
    while (enabled && !space.damage.isNoted()) {
      Revocation revocation = new Revocation();
      space.lock.lock();
      try {
        long excessBytes = ready.totalBytes() - keepBytes;
        long mostBytes = aboveFloor ? space.trimmer.aboveFloorBytes() : Long.MAX_VALUE;
        select(excessBytes, mostBytes, revocation);
      } finally {
        space.lock.unlock();
      }
      if (revocation.ranges.isEmpty()) {
        break;
      }
      space.trimmer.discard(revocation);
      doneBytes += revocation.claim.discardedBytes();
      if (!revocation.isGone()) {
        break; // the kernel refuses: trying again at once would not help
      }
    }
    return doneBytes;
  }

  private void select(long wantedBytes, long mostBytes, Revocation revocation) {
    long excessBytes = wantedBytes;
    AheadRange range = ready.oldest();
    while (range != null && excessBytes > 0 && revocation.ranges.size() < TouchBatch.MOST_RANGES) {
      boolean fits = revocation.claim.totalBytes() + range.sizeBytes() <= mostBytes;
      if (fits && !range.isBusy() && !range.closing) {
        revocation.ranges.add(range);
        revocation.claim.add(range.start, range.sizeBytes());
        excessBytes -= range.sizeBytes();
      }
      range = range.newer;
    }
    // Last: an error of the heap above must not leave a range that cannot be taken.
    space.lock.changing = true;
    space.trimmer.begin(revocation);
    for (int i = 0; i < revocation.ranges.size(); i++) {
      revocation.ranges.get(i).revoking = true;
      space.claims.begin(Claims.Use.BRIEF);
    }
    space.lock.changing = false;
  }

  /** The ready memory that goes back. */
  private final class Revocation extends DiscardBatch {
    final List<AheadRange> ranges = new ArrayList<>();

    @Override
    void settled(long goneBytes) {
      for (int i = 0; i < ranges.size(); i++) {
        AheadRange range = ranges.get(i);
        range.revoking = false;
        space.claims.end(Claims.Use.BRIEF);
        if (isGone()) { // in discard mode, as always here, all of it or nothing
          range.arena.committedBytes -= range.sizeBytes();
          ready.reset(range, range.start);
          space.counters.uncommits++;
        }
      }
    }
  }
}
