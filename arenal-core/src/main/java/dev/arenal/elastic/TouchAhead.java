package dev.arenal.elastic;

import dev.arenal.memory.CommitMode;
import dev.arenal.memory.DeadRanges;
import dev.arenal.memory.Reservation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes memory ready on another core before the arenas of a space need it: the read-ahead of file
 * systems, for memory.
 *
 * <p>A page costs as much to fault in as a hundred small blocks to allocate. While a space grows
 * fast, {@link TouchThread} commits and populates what is expected to be taken next: more of the
 * arena that grows on its own, the window doubling as it goes on; where arenas take turns, a little
 * of each that is next in the order of the last round; and where many small ones come, the reserve.
 * What nobody takes goes back. See docs/adr/0010.
 *
 * <p>Guarded by the lock of the space; the kernel is called without it.
 */
final class TouchAhead {
  /** How far the largest window reaches. */
  private static final long LARGEST_WINDOW_BYTES = 256 * 1024;

  private static final long SMALLEST_WINDOW_BYTES = 32 * 1024;

  /** What is made ready at most for an arena that has to wait for its turn. */
  private static final long LARGEST_TURN_BYTES = 64 * 1024;

  /** What may be ready and not taken, of all arenas together. */
  private static final long MOST_READY_BYTES = 1L << 20;

  private static final int READY_FRACTION = 64;

  /** A batch of this size takes well below 100 µs, which is what a close may have to wait for. */
  private static final long BATCH_BYTES = 128 * 1024;

  private static final int BATCH_RANGES = 32;

  /** Arenas whose turn comes sooner than their pages could. */
  private static final int TOO_LATE = 4;

  /**
   * A space is hot while it takes this much within that time: some ten thousand faults a second.
   */
  private static final long HOT_BYTES = 128 * 1024;

  private static final long HOT_NANOS = 1_000_000;

  /** The moving mean is over so many turns. */
  private static final int TURNS = 8;

  private static final long REFILL_BYTES = 64 * 1024;
  private static final int REFILL_LEVEL = Chunk.levelFor(REFILL_BYTES);

  /** A budget with less left than this many windows is not to be used up ahead. */
  private static final int BUDGET_WINDOWS = 8;

  /** Commits without need for which it is not worth to look again. */
  private static final int COMMITS_PER_LOOK = 4;

  private final SpaceState space;
  private final boolean enabled;
  private final AheadList ready = new AheadList();
  private final Batch batch = new Batch();
  private @Nullable AheadRange last;
  private long hotBytes;
  private long hotSinceNanos;
  private boolean hot;
  private boolean refillWanted;
  private boolean refused;
  private int commitsUnseen;

  /** What arenas take between two turns, a moving mean. */
  private long usualTurnBytes;

  /** Level of the chunk that a new arena would take. */
  private int stretchLevel;

  /** Whether {@link TouchThread} knows that there may be something to do. */
  private boolean requested;

  TouchAhead(SpaceState space, boolean wanted) {
    this.space = space;
    SpaceSettings settings = space.settings;
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

  /** Whether more is ready than the demand of late deserves. */
  boolean exceedsDemand() {
    return ready.totalBytes() > mostReadyBytes();
  }

  long mostReadyBytes() {
    long mostBytes = Math.max(MOST_READY_BYTES, space.nodes.committedBytes() / READY_FRACTION);
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
      if (hot) {
        arena.ahead = new AheadRange(arena);
      }
      return;
    }
    while (range.revoking) {
      space.returned.awaitUninterruptibly();
    }
  }

  /** How far an arena that takes memory up to an address may take what is committed behind it. */
  long limitBehind(ChunkedArena arena, long wanted, long stretchEnd) {
    AheadRange range = arena.ahead;
    return range != null && range.end > wanted ? wanted : stretchEnd;
  }

  /**
   * Notes that an arena has taken memory up to an address.
   *
   * @return whether {@link #request} is to be called, without the lock
   */
  boolean noteTaken(ChunkedArena arena, long from, long to) {
    if (!enabled) {
      return false;
    }
    noteHeat(to - from);
    AheadRange range = arena.ahead;
    if (range == null) {
      return false;
    }
    ready.shorten(range, to);
    if (range != last) {
      if (last != null) {
        last.next = range;
        usualTurnBytes += (last.visitBytes - usualTurnBytes) / TURNS;
      }
      range.beginVisit();
      last = range;
    }
    range.visitBytes += to - from;
    boolean isShort = range.sizeBytes() < windowBytes(range) / 2;
    return wants(isShort || ++commitsUnseen >= COMMITS_PER_LOOK);
  }

  /** Notes that an arena could not keep what it took: it ends at an address as it did before. */
  void noteTakenBack(ChunkedArena arena, long end) {
    AheadRange range = arena.ahead;
    if (range != null) {
      ready.remove(range);
      range.start = end;
      range.end = end;
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
    if (!hot || requested || !worthIt || refused) {
      return false;
    }
    requested = true;
    commitsUnseen = 0;
    return true;
  }

  /** Has the thread look at this space. */
  void request() {
    space.settings.touchHelper().requests().accept(this);
  }

  private void noteHeat(long sizeBytes) {
    hotBytes += sizeBytes;
    if (hotBytes >= HOT_BYTES) {
      long nowNanos = nanoTime();
      hot = nowNanos - hotSinceNanos < HOT_NANOS;
      refused &= hot;
      hotSinceNanos = nowNanos;
      hotBytes = 0;
    }
  }

  /** Also false when nothing has been taken for a while. */
  private boolean isHotNow() {
    hot &= nanoTime() - hotSinceNanos < 2 * HOT_NANOS;
    return hot;
  }

  private long nanoTime() {
    return space.settings.touchHelper().nanoTime().getAsLong();
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
    range.start = 0;
    range.end = 0;
  }

  /** Called before the chunks of an arena become free: nothing of them may be on its way then. */
  void forget(ChunkedArena arena) {
    AheadRange range = arena.ahead;
    while (range != null && (range.touching || range.revoking)) {
      space.returned.awaitUninterruptibly();
      range = arena.ahead;
    }
    if (range != null) {
      ready.remove(range);
      arena.ahead = null;
      range.next = null; // or a chain of closed arenas would hang on one that lives
      last = last == range ? null : last;
    }
  }

  /** Rare, and little memory: under the lock. Where pages are being populated they stay. */
  private void giveBackHere(AheadRange range) {
    long from = range.start;
    long sizeBytes = range.sizeBytes();
    ready.remove(range);
    if (range.touching) {
      return;
    }
    DeadRanges one = new DeadRanges();
    one.add(from, sizeBytes);
    if (one.giveBack(space.settings.os(), space.settings.commitMode()) > 0) {
      noteUncommitted(range.arena, from, sizeBytes);
    }
  }

  private void noteUncommitted(ChunkedArena arena, long from, long sizeBytes) {
    Reservation reservation = space.nodeOf(from).reservation;
    arena.committedBytes -= reservation.uncommitted(from - reservation.baseAddress(), sizeBytes);
    space.counters.uncommits++;
  }

  // ---- called by the thread, without the lock ----

  /**
   * Makes some memory ready.
   *
   * @return whether there may be more to do
   */
  boolean step() {
    makeRoom();
    int error = -1;
    try {
      if (!collectAll()) {
        error = 0;
        return false;
      }
      error = batch.populate();
    } finally {
      finish(error); // always: somebody may wait for what is in the batch
    }
    return true;
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
    if (readyBytes + BATCH_BYTES > mostBytes) {
      var _ = revokeDownTo(mostBytes / 2);
    }
  }

  private void collect() {
    if (!isHotNow() || !space.isOpenForTrim()) {
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
    AheadRange range = last;
    for (int i = 0; i < BATCH_RANGES && range != null && !batch.isFull(); i++) {
      if (i == 0 || i > countLeftOut) {
        collect(range, windowBytes(range));
      }
      range = range.next == last ? null : range.next;
    }
  }

  /** Where arenas come one after the other, the next one is to find its first memory warm. */
  private void collectStretch() {
    boolean useful =
        usualTurnBytes >= REFILL_BYTES
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
    long handle = space.chunks.takeCold(level);
    if (handle == Chunk.NONE) {
      return false;
    }
    Node node = space.nodes.ofRoot(Chunk.root(handle));
    if (node.reservation.commit(node.offsetBytes(handle), REFILL_BYTES) != REFILL_BYTES) {
      space.chunks.putBack(handle);
      refused = true;
      return false;
    }
    batch.chunks.add(handle);
    batch.add(node.address(handle), REFILL_BYTES);
    space.trimmer.noteInTransit(REFILL_BYTES);
    space.counters.commits++;
    return true;
  }

  private void collect(AheadRange range, long windowBytes) {
    ChunkedArena arena = range.arena;
    boolean closed = arena.slot < 0; // it is still known as the next of another
    boolean busy = closed || range.touching || range.revoking || range.start == 0;
    boolean enough =
        range.sizeBytes() >= (range == last ? windowBytes - windowBytes / 4 : windowBytes);
    if (busy || enough) {
      return;
    }
    long granuleBytes = space.settings.granuleBytes();
    long from = Math.max(range.start, range.end);
    long limit = Math.min(arena.stretchEnd & -granuleBytes, from + batch.restBytes());
    long to = Math.min(limit, space.alignToGranule(range.start + windowBytes));
    boolean tight = space.settings.budget().availableBytes() / BUDGET_WINDOWS < windowBytes;
    boolean inGranule = space.alignToGranule(from) != from; // which it shares with others
    if (to <= from || inGranule || tight) {
      return;
    }
    batch.prepare();
    Reservation reservation = space.nodeOf(from).reservation;
    long result = reservation.commit(from - reservation.baseAddress(), to - from);
    if (result < 0) {
      refused = true;
      return;
    }
    arena.committedBytes += result;
    ready.extend(range, to);
    if (result > 0) {
      range.touching = true;
      batch.add(range, from, to - from);
      space.counters.commits++;
    }
  }

  /** How much of an arena is to be ready. */
  private long windowBytes(AheadRange range) {
    ChunkedArena arena = range.arena;
    long takenBytes = arena.committedBytes - range.sizeBytes();
    long bytes;
    if (range != last) {
      bytes = Math.min(range.usualVisitBytes, LARGEST_TURN_BYTES);
    } else if (growsAlone(range)) {
      long likelyBytes = arena.history.likelyBytes(takenBytes) - takenBytes;
      bytes = Math.clamp(range.visitBytes, SMALLEST_WINDOW_BYTES, LARGEST_WINDOW_BYTES);
      bytes = Math.max(bytes, Math.min(likelyBytes, LARGEST_WINDOW_BYTES));
    } else {
      bytes = Math.max(0, range.usualVisitBytes - range.visitBytes);
    }
    long expectedBytes = arena.history.expectedBytes(takenBytes);
    return expectedBytes == GrowthHistory.UNBOUNDED
        ? bytes
        : Math.min(bytes, expectedBytes - takenBytes);
  }

  /** Whether the arena that took memory last will go on, as opposed to arenas taking turns. */
  private boolean growsAlone(AheadRange range) {
    return usualTurnBytes >= SMALLEST_WINDOW_BYTES
        || range.visitBytes
            > Math.max(SMALLEST_WINDOW_BYTES, 4 * Math.max(range.usualVisitBytes, usualTurnBytes));
  }

  private void finish(int error) {
    space.lock.lock();
    try {
      for (AheadRange range : batch.ranges) {
        range.touching = false;
      }
      for (int i = 0; i < batch.chunks.count(); i++) {
        space.trimmer.noteInTransit(-REFILL_BYTES);
        space.chunks.putBack(batch.chunks.get(i));
      }
      // Committed all the same; who touches it gets the kernel's own answer.
      refused |= error < 0;
      batch.clear();
      space.returned.signalAll();
    } finally {
      space.lock.unlock();
    }
  }

  /**
   * Gives back what is ready and not taken, the oldest first; by any thread, without the lock.
   *
   * @return bytes given back
   */
  long revokeDownTo(long keepBytes) {
    long doneBytes = 0;
    while (enabled) {
      List<AheadRange> ranges = new ArrayList<>();
      DeadRanges dead = new DeadRanges();
      space.lock.lock();
      try {
        select(keepBytes, ranges, dead);
      } finally {
        space.lock.unlock();
      }
      if (ranges.isEmpty()) {
        break;
      }
      try {
        var _ = dead.giveBack(space.settings.os(), space.settings.commitMode());
      } finally {
        doneBytes += revoked(ranges, dead.givenBackBytes() == dead.totalBytes());
      }
      if (dead.givenBackBytes() < dead.totalBytes()) {
        break; // the kernel refuses: trying again at once would not help
      }
    }
    return doneBytes;
  }

  private void select(long keepBytes, List<AheadRange> ranges, DeadRanges dead) {
    long excessBytes = ready.totalBytes() - keepBytes;
    AheadRange range = ready.oldest();
    while (range != null && excessBytes > 0 && ranges.size() < BATCH_RANGES) {
      if (!range.touching && !range.revoking) {
        ranges.add(range);
        dead.add(range.start, range.sizeBytes());
        excessBytes -= range.sizeBytes();
      }
      range = range.newer;
    }
    // Last: an error of the heap above must not leave a range that nobody may take.
    ranges.forEach(selected -> selected.revoking = true);
  }

  private long revoked(List<AheadRange> ranges, boolean done) {
    long bytes = 0;
    space.lock.lock();
    try {
      for (AheadRange range : ranges) {
        range.revoking = false;
        if (done) {
          long start = range.start;
          long sizeBytes = range.sizeBytes();
          bytes += sizeBytes;
          ready.remove(range);
          range.start = start;
          range.end = start;
          noteUncommitted(range.arena, start, sizeBytes);
        }
      }
      space.returned.signalAll();
    } finally {
      space.lock.unlock();
    }
    return bytes;
  }

  /** What one step populates. */
  private final class Batch {
    final List<AheadRange> ranges = new ArrayList<>();
    final ChunkList chunks = new ChunkList();
    private final long[] addresses = new long[BATCH_RANGES + 2];
    private final long[] sizesBytes = new long[BATCH_RANGES + 2];
    private int count;
    private long totalBytes;

    boolean isEmpty() {
      return count == 0;
    }

    boolean isFull() {
      return totalBytes >= BATCH_BYTES || count >= BATCH_RANGES;
    }

    long restBytes() {
      return BATCH_BYTES - totalBytes;
    }

    /** Makes room for one more range, so that {@link #add} cannot run out of heap. */
    void prepare() {
      ((ArrayList<AheadRange>) ranges).ensureCapacity(ranges.size() + 1);
    }

    void add(AheadRange range, long address, long sizeBytes) {
      ranges.add(range);
      add(address, sizeBytes);
    }

    void add(long address, long sizeBytes) {
      addresses[count] = address;
      sizesBytes[count++] = sizeBytes;
      totalBytes += sizeBytes;
    }

    int populate() {
      return space.settings.os().populateAll(addresses, sizesBytes, count);
    }

    void clear() {
      ranges.clear();
      chunks.clear();
      count = 0;
      totalBytes = 0;
    }
  }
}
