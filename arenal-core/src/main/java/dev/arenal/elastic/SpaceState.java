package dev.arenal.elastic;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.ChunkManager;
import dev.arenal.elastic.chunk.Nodes;
import dev.arenal.elastic.chunk.SpaceCounters;
import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.Damage;
import dev.arenal.guard.StackReserve;
import dev.arenal.memory.Budget;
import dev.arenal.os.Errno;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.Reservation;
import dev.arenal.supply.Claims;
import dev.arenal.supply.Discard;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The state that the arenas of a space share: nodes, free chunks, settings and the one lock that
 * guards them.
 *
 * <p>Apart from {@link ElasticSpace} so that arenas do not keep the handle alive that the program
 * may forget to close.
 */
final class SpaceState {
  /**
   * A refusal: no address space of that size is left. Other refusals are those of {@link
   * Reservation#commit}.
   */
  static final long NO_ADDRESSES = Long.MIN_VALUE + 1;

  /** A refusal: the bookkeeping for so much memory would not fit into the Java heap. */
  static final long NO_HEAP = Long.MIN_VALUE + 2;

  /** A refusal: more than the addresses that any process has. */
  static final long NO_SUCH_ADDRESSES = Long.MIN_VALUE + 3;

  /** Work that is due after chunks have come back. */
  private static final int DUE_TRIM = 1;

  private static final int DUE_CLOSE = 2;

  final SpaceSettings settings;
  final SpaceCounters counters;
  final Nodes nodes;
  final ChunkManager chunks;
  final ChunkSizing sizing;
  final StretchGrowth growth;
  final Trimmer trimmer;
  final SpacePretouch pretouch = new SpacePretouch(this);
  final SpaceStatistics statistics = new SpaceStatistics(this);

  /** Only for a fixed space that is small enough. */
  final @Nullable References references;

  /** Where it is noted, nothing is handed out nor given back range by range any more. */
  final Damage damage;

  /** Taken after the monitor of a shared arena; only the lock of the mappings is taken after it. */
  final SpaceLock lock;

  /** Free chunks that threads have claimed, and the threads that wait for them. */
  final Claims claims;

  /** This space, for discards. */
  final Discard.Owner discards;

  /**
   * Those of adaptive arenas, kind by kind; all from the beginning, since later the heap may be
   * full.
   */
  private final GrowthHistory[] kinds = new GrowthHistory[GrowthHistory.KIND_COUNT];

  /** Committed bytes of blocks that arenas were given back early, about; by any thread. */
  final AtomicLong earlyFreeBytes = new AtomicLong();

  private @Nullable ChunkedArena[] arenas = new ChunkedArena[8];
  private int[] unusedSlots = new int[8];
  private int unusedSlotCount;
  private int slotCount;

  /** No arena before it is held; so that a close of many arenas does not look at all each time. */
  private int firstHeldSlot;

  private volatile boolean closed; // written under the lock
  private boolean abandoned;

  SpaceState(SpaceSettings settings, Nodes nodes, SpaceCounters counters) {
    this.settings = settings;
    this.damage = new Damage("space", settings.name());
    this.lock = new SpaceLock(damage);
    this.claims = new Claims(lock, damage);
    this.nodes = nodes;
    this.discards =
        new Discard.Owner(
            SpaceStatistics.KIND,
            settings.name(),
            settings.os(),
            settings.commitMode(),
            nodes,
            claims);
    this.counters = counters;
    boolean nameable =
        !settings.isGrowable() && settings.fixedSizeBytes() < References.MAX_SPACE_BYTES;
    long grainBytes = nameable ? Chunk.UNIT_BYTES : 1L << Chunk.PIECE_SHIFT;
    this.chunks = new ChunkManager(nodes, counters, settings.granuleBytes(), grainBytes);
    this.sizing = new ChunkSizing(settings);
    this.growth = new StretchGrowth(this);
    this.trimmer = new Trimmer(this);
    this.references = nameable ? new References(this, nodes.get(0)) : null;
    GrowthHistory all = new GrowthHistory(settings.granuleBytes(), null);
    for (int i = 0; i < kinds.length; i++) {
      kinds[i] = new GrowthHistory(settings.granuleBytes(), all);
    }
  }

  /** The history of adaptive arenas that begin with such a block. */
  GrowthHistory history(long firstBytes) {
    return kinds[GrowthHistory.kindOf(firstBytes)];
  }

  // ---- arenas ----

  void register(ChunkedArena arena) {
    lock.lock();
    try {
      requireOpen();
      damage.check();
      if (unusedSlotCount == 0 && slotCount == arenas.length) {
        // Both at once, so that nothing needs the heap when the arena is closed.
        unusedSlots = Arrays.copyOf(unusedSlots, 2 * slotCount);
        arenas = Arrays.copyOf(arenas, 2 * slotCount);
      }
      int slot = unusedSlotCount > 0 ? unusedSlots[--unusedSlotCount] : slotCount++;
      if (slot < firstHeldSlot) { // first, and without a call: a close must see the arena
        firstHeldSlot = slot;
      }
      arenas[slot] = arena;
      arena.slot = slot;
      counters.arenaBirths++;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes the chunks of a closed arena back; no effect if that has been done. Complete also where
   * the Java heap is full; a damaged space forgets the arena, and keeps what it had until it is
   * closed itself.
   *
   * @return what is due now, for {@link #perform}
   */
  int release(ChunkedArena arena) {
    lock.lock();
    try {
      int slot = arena.slot;
      if (slot < 0) {
        return 0;
      }
      int due = 0;
      if (!damage.isNoted()) {
        lock.changing = true;
        takeBack(arena);
        due = trimmer.noteReleased() ? DUE_TRIM : 0;
      }
      // Without a call, so that it cannot end in the middle.
      unusedSlots[unusedSlotCount++] = slot;
      arenas[slot] = null;
      arena.slot = -1;
      counters.arenaDeaths++;
      lock.changing = false;
      return abandoned && !isHeld() ? DUE_CLOSE : due;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes all chunks of an arena back that goes on without any.
   *
   * @return what is due now, for {@link #perform}
   * @throws IllegalStateException if the space is damaged; nothing has changed then
   */
  int takeBackAll(ChunkedArena arena) {
    lock.lock();
    try {
      damage.check();
      lock.changing = true;
      takeBack(arena);
      int due = trimmer.noteReleased() ? DUE_TRIM : 0;
      lock.changing = false;
      return due;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Does what is due after chunks have come back: without the lock, when nothing is half done, and
   * without the monitor of an arena, since the kernel may be busy with it.
   */
  void perform(int due) {
    if ((due & DUE_TRIM) != 0) {
      trimmer.trimExcess();
    }
    if ((due & DUE_CLOSE) != 0) {
      close();
    }
  }

  private void takeBack(ChunkedArena arena) {
    for (int i = arena.chunks.count() - 1; i >= 0; i--) {
      forgetOwner(arena.chunks.get(i));
      chunks.giveBack(arena.chunks.get(i));
    }
    arena.chunks.clear();
    arena.committedBytes = 0;
    arena.endEarlyFrees();
  }

  int arenaCount() {
    return slotCount - unusedSlotCount;
  }

  /** Whether any open arena is no {@linkplain ChunkedArena#isOrphan orphan}; under the lock. */
  private boolean isHeld() {
    while (firstHeldSlot < slotCount && !isHeld(arenas[firstHeldSlot])) {
      firstHeldSlot++;
    }
    return firstHeldSlot < slotCount;
  }

  private static boolean isHeld(@Nullable ChunkedArena arena) {
    return arena != null && !arena.isOrphan();
  }

  /** Number of open arenas without orphans; under the lock. */
  int heldArenaCount() {
    int heldArenaCount = 0;
    for (int slot = firstHeldSlot; slot < slotCount; slot++) {
      heldArenaCount += isHeld(arenas[slot]) ? 1 : 0;
    }
    return heldArenaCount;
  }

  int capacityArenas() {
    return slotCount;
  }

  @Nullable ChunkedArena arena(int slot) {
    return arenas[slot];
  }

  // ---- changes ----

  /**
   * Commits as {@link Reservation#commit} does, as the beginning of a change if anything is
   * committed; under the lock.
   */
  long commit(Reservation reservation, long offsetBytes, long sizeBytes) {
    boolean nested = lock.changing;
    lock.changing = true;
    long result = -1;
    try {
      result = reservation.commit(offsetBytes, sizeBytes);
    } catch (OutOfMemoryError e) {
      lock.changing = nested; // the heap is full, and nothing has changed
      throw e;
    }
    lock.changing = nested || result >= 0;
    return result;
  }

  /** Merges what came back last, as a change of its own; under the lock. */
  void mergeReturned() {
    lock.changing = true;
    var _ = chunks.mergeReturned();
    lock.changing = false;
  }

  // ---- chunks and addresses ----

  long address(long handle) {
    return nodes.ofRoot(Chunk.root(handle)).address(handle);
  }

  long end(long handle) {
    return address(handle) + Chunk.bytes(handle);
  }

  /** Bytes in committed granules; takes the lock. */
  long committedBytes() {
    lock.lock();
    try {
      return nodes.committedBytes();
    } finally {
      lock.unlock();
    }
  }

  long alignToGranule(long address) {
    return (address + settings.granuleBytes() - 1) & -settings.granuleBytes();
  }

  /** Makes room for {@link #noteOwner}, so that it cannot run out of heap. */
  void prepareOwner(ChunkedArena arena, int fromChunk) {
    if (references != null) {
      for (int i = fromChunk; i < arena.chunks.count(); i++) {
        var _ = references.ownersOf(arena.chunks.get(i));
      }
    }
  }

  /** Notes that an arena has taken its chunks from {@code fromChunk} on. */
  void noteOwner(ChunkedArena arena, int fromChunk) {
    if (references != null) {
      for (int i = fromChunk; i < arena.chunks.count(); i++) {
        references.noteOwner(arena, arena.chunks.get(i));
      }
    }
  }

  /** Notes that a chunk, or a part of one, belongs to no arena any more. */
  void forgetOwner(long handle) {
    if (references != null) {
      references.noteOwner(null, handle);
    }
  }

  /** Notes that a block has been given back early, so that references to it are refused. */
  void forgetReference(long address, long sizeBytes) {
    if (references != null) {
      lock.lock();
      try {
        lock.changing = true;
        references.forget(address, sizeBytes);
        lock.changing = false;
      } finally {
        lock.unlock();
      }
    }
  }

  // ---- refusals ----

  /**
   * Gives back what this space can do without to the others of its budget; what is claimed now
   * counts, too. Nothing goes back for a request of this space: what a reclaimer of the program has
   * just freed here may serve it as it is ({@link #giveWay}).
   *
   * @return bytes given back; not 0 if any were claimed
   */
  long reclaim() {
    Budget budget = settings.budget();
    Ledger.Request request = Ledger.of(budget).request();
    boolean isHelpful = request == null || !request.isAbove(budget.limitBytes());
    if (!isHelpful || Ledger.of(budget).isReclaimingFor(this) || damage.isNoted()) {
      return 0;
    }
    StackReserve.ensure();
    try {
      boolean waited = claims.awaitDiscards();
      long bytes = trimmer.discardAll();
      return waited ? Math.max(bytes, 1) : bytes;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      damage.note(e);
      throw e;
    }
  }

  /**
   * Gives free memory of this space back for a request of its own, which that memory did not serve:
   * too many parts, for example. Nothing goes back where the budget would refuse the request all
   * the same, since more than that is committed above its limit.
   *
   * @param refusal of the request
   * @return whether any has gone back
   */
  boolean giveWay(long refusal) {
    if (!StackReserve.isThere()) {
      return false;
    }
    try {
      return mayHelp(refusal) && trimmer.discardAll() > 0;
    } catch (
        OutOfMemoryError e) { // of the Java heap, and the request is refused for its own reason
      return false;
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      damage.note(e);
      throw e;
    }
  }

  /** Whether there is room for a granule where all that is free has gone back. */
  private boolean mayHelp(long refusal) {
    if (refusal != Reservation.REFUSED_BY_BUDGET) {
      return true;
    }
    Budget budget = settings.budget();
    lock.lock();
    try {
      damage.check();
      mergeReturned();
      long lackingBytes = budget.committedBytes() + settings.granuleBytes() - budget.limitBytes();
      return lackingBytes <= chunks.freeCommittedBytes();
    } finally {
      lock.unlock();
    }
  }

  /** The error for a request of an arena, counted and recorded. */
  OutOfNativeMemoryError outOfMemory(
      ChunkedArena arena, long requestedBytes, long alignmentBytes, long refusal) {
    OutOfNativeMemoryError error =
        SpaceMessage.ofRefusal(this, arena, requestedBytes, alignmentBytes, refusal);
    lock.lock();
    try {
      counters.allocationsFailedLimit++;
    } finally {
      lock.unlock();
    }
    MemoryEvents.outOfMemory(
        SpaceStatistics.KIND,
        settings.name(),
        requestedBytes,
        error.committedBytes(),
        settings.budget().limitBytes());
    return error;
  }

  // ---- the end ----

  /** Closes the space; refuses while arenas are open that some thread can use or close. */
  void close() {
    lock.lock();
    try {
      requireUnused();
      claims.awaitNone(settings.longestCloseWaitNanos());
      requireUnused(); // the lock may have been free meanwhile
      releaseOrphans();
      closed = true;
      nodes.release();
      if (nodes.reservedBytes() > 0) {
        throw new IllegalStateException(
            "address space was not given back: space="
                + settings.name()
                + ", reservedBytes="
                + nodes.reservedBytes()
                + ", errno="
                + Errno.name(nodes.lastErrno())
                + " (close the space again)");
      }
    } finally {
      lock.unlock();
    }
    statistics.close();
  }

  private void requireUnused() {
    if (pretouch.active) {
      throw new IllegalStateException(
          "space is being pretouched: space="
              + settings.name()
              + " (expected the pretouch to have ended or to be cancelled before the close)");
    }
    if (isHeld()) {
      throw new IllegalStateException(SpaceMessage.ofOpenArenas(this));
    }
  }

  private void releaseOrphans() {
    for (int slot = 0; slot < slotCount && arenaCount() > 0; slot++) {
      ChunkedArena arena = arenas[slot];
      if (arena != null) {
        var _ = release(arena); // nothing is due: the space is being closed
      }
    }
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException(
          "space is closed: space=" + settings.name() + " (expected an open space)");
    }
  }

  /** Whether it is closed, for good; without the lock it may be closed a moment later. */
  boolean isClosedVolatile() {
    return closed;
  }

  /**
   * The handle is gone without a close: memory goes back now, or, since segments may outlive the
   * handle, when the last open arena is closed.
   *
   * @return number of open arenas
   */
  int abandon() {
    int openArenas;
    lock.lock();
    try {
      abandoned = true;
      openArenas = heldArenaCount();
    } finally {
      lock.unlock();
    }
    if (openArenas == 0) {
      close();
    }
    return openArenas;
  }
}
