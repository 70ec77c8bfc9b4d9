package dev.arenal.elastic;

import dev.arenal.elastic.block.UsedRanges;
import dev.arenal.elastic.chunk.ChunkList;
import dev.arenal.memory.Budget;
import dev.arenal.os.NativeMemory;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.Reservation;
import dev.arenal.supply.Retry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The common part of confined and shared arenas: everything but how the bump pointer moves.
 *
 * <p>An arena bumps through a <em>stretch</em>: chunks that follow each other in memory.
 *
 * <pre>
 *  stretchStart        top     limit  exposedEnd   committedEnd             stretchEnd
 *      | blocks ........ | zero .. | .... | may be dirty | addresses only ......|
 * </pre>
 *
 * Up to {@code exposedEnd} memory is committed and reads as zero (INV-ARENA-1). A fast path
 * compares with the limit only; all that is rare hides behind it: the limit is 0 while there are
 * free blocks to look at, and stops at the next step of the growth history. A stretch grows in
 * place if what follows is free, and is retired otherwise.
 *
 * <p>Guarded by the owner: the owner thread of a confined arena, the monitor of a shared one.
 * {@code committedBytes} and {@code chunks} change under the lock of the space as well, so that a
 * report sees sums that are right.
 */
abstract sealed class ChunkedArena implements ElasticArena permits ConfinedArena, SharedArena {
  /** Dirty memory is zeroed ahead of the bump pointer in steps that fit the first-level cache. */
  private static final long ZERO_STEP_BYTES = 8192;

  /** No process has more addresses; far from an overflow where it is added to one. */
  private static final long MAX_BLOCK_BYTES = 1L << 48;

  final SpaceState space;
  final @Nullable String name;
  final ArenaGrowth growth;

  /** That of its kind, as soon as its first block says which; guarded by the owner. */
  GrowthHistory history;

  final ChunkList chunks = new ChunkList();

  /** Number of this arena in its space; -1 once it is closed. Guarded by the lock of the space. */
  int slot = -1;

  long stretchStart;
  long stretchEnd;
  long committedEnd;
  long exposedEnd;
  private long dirtyEnd;
  private int nextHistoryStep;
  int pieceCount;

  /** Arenas of one kind share pages. Guarded by the lock of the space. */
  int pieceKind;

  private int stretchCount;

  /** Of {@link #makeRoom}: the block that it has just found lies beside the stretch. */
  boolean isAside;

  /** Whether the last of these may hold bytes other than zero. */
  boolean isAsideDirty;

  /** Whether the kernel could not back what {@link StretchGrowth#commit} last committed. */
  boolean isUnbacked;

  private @Nullable UsedRanges retired;

  /** Bytes that the last round used, if it used any; 0 before the first reset. */
  long lastRoundBytes;

  /** Bytes skipped for alignment. */
  long gapBytes;

  @Nullable EarlyFrees earlyFrees;

  /** Committed bytes in the chunks of this arena; written under the lock of the space. */
  long committedBytes;

  ChunkedArena(SpaceState space, @Nullable String name, ArenaGrowth growth) {
    this.space = space;
    this.name = name;
    this.growth = Objects.requireNonNull(growth, "growth");
    this.history = space.history(0);
  }

  /** The bump pointer; 0 while there is no stretch. */
  abstract long top();

  /**
   * Whether this is a confined arena whose thread has ended. No thread can use its segments any
   * more, nor close it.
   */
  boolean isOrphan() {
    return false;
  }

  /** The arena of the JDK whose scope the segments of this round have; a reset replaces it. */
  abstract Arena inner();

  @Override
  public final MemorySegment.Scope scope() {
    return inner().scope();
  }

  @Override
  public final @Nullable String name() {
    return name;
  }

  @Override
  public final long usedBytes() {
    if (!inner().scope().isAlive()) {
      return 0;
    }
    EarlyFrees frees = earlyFrees;
    long freeBytes = frees == null ? 0 : frees.blocks.totalBytes();
    long usedBytes = bumpedBytes(topRacy()) - gapBytes - freeBytes - unclaimedBytes();
    // For another thread than the owner the summands may be of two stretches, or of two rounds.
    return Math.clamp(usedBytes, 0, Math.max(0, committedBytes));
  }

  /** Bytes of a block on its way to a program that may not get it; by any thread. */
  long unclaimedBytes() {
    return 0;
  }

  /**
   * Writes what this arena holds to {@code tally}; under the lock of the space, by any thread. The
   * owner may be at work meanwhile: only numbers are read, each of them old or new.
   */
  final void tallyRacy(UsageTally tally) {
    tally.setRacy(this, usedBytes(), earlyFrees, committedEnd - topRacy());
  }

  /**
   * The bump pointer for other threads than the owner. A stretch begins under the lock of the space
   * and the pointer follows later: until then there is no block in it.
   */
  private long topRacy() {
    return stretchTop(top());
  }

  /** A bump pointer as it must be in this stretch: at its start, if it is from another one. */
  final long stretchTop(long top) {
    return top >= stretchStart && top <= stretchEnd ? top : stretchStart;
  }

  /** Throws as {@code Arena.ofConfined().allocate} does for a bad size or alignment. */
  static void checkRequest(long sizeBytes, long alignmentBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(
          "allocation size is negative: byteSize=" + sizeBytes + " (expected 0 or more)");
    }
    if (alignmentBytes <= 0 || (alignmentBytes & (alignmentBytes - 1)) != 0) {
      throw new IllegalArgumentException(
          "alignment is wrong: byteAlignment=" + alignmentBytes + " (expected a power of two)");
    }
  }

  /** Bytes that a block of this size takes; an empty one takes 8, to have an address of its own. */
  final long blockBytes(long sizeBytes, long alignmentBytes) {
    if (sizeBytes > MAX_BLOCK_BYTES || alignmentBytes > MAX_BLOCK_BYTES) {
      throw space.outOfMemory(this, sizeBytes, alignmentBytes, SpaceState.NO_SUCH_ADDRESSES);
    }
    return Math.max(8, (sizeBytes + 7) & -8L);
  }

  /** Of two refusals, the first of which may be none, the one that others may mend. */
  static long mendable(long first, long second) {
    return first < 0 && isFinal(second) ? first : second;
  }

  /** Whether a refusal stays one, whatever others give back. */
  private static boolean isFinal(long refusal) {
    return refusal == SpaceState.NO_ADDRESSES || refusal == SpaceState.NO_HEAP;
  }

  /**
   * One attempt to find room for a block, under the guard of the owner from beginning to end: a
   * refusal has changed nothing, so that no thread sees half of it while others are asked for
   * memory.
   *
   * @param round the arena inside that the block is for
   * @param modest whether to take no more than is needed
   * @return the address of the block, which is zero; or a refusal, which is negative
   * @throws IllegalStateException if that round is over
   */
  long attempt(Arena round, long blockBytes, long alignmentBytes, boolean modest) {
    NativeMemory.checkAccessible(round);
    space.damage.check();
    try {
      return attemptWhole(blockBytes, alignmentBytes, modest);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      space.damage.note(e);
      throw e;
    }
  }

  /** The same in a round that lives, of a space without damage. */
  abstract long attemptWhole(long blockBytes, long alignmentBytes, boolean modest);

  /**
   * Finds room for a block. Where it is refused, claimed memory is waited for and reclaimers of the
   * budget are called between two attempts, without any lock: they may do what they like with this
   * arena, too.
   *
   * @throws OutOfMemoryError if there is no room; nothing has changed then
   */
  final long obtain(Arena round, long blockBytes, long alignmentBytes) {
    long start = attempt(round, blockBytes, alignmentBytes, false);
    if (start < 0) {
      Refused refused = new Refused(round, blockBytes, alignmentBytes);
      if (!refused.attempt()) {
        refused.run();
      }
      start = refused.result;
    }
    if (start < 0) {
      throw space.outOfMemory(this, blockBytes, alignmentBytes, start);
    }
    return start;
  }

  /** A request that the space, the budget or the kernel has refused; now it is modest. */
  private final class Refused extends Retry {
    private final Arena round;
    private final long blockBytes;
    private final long alignmentBytes;

    /** Of the last attempt. */
    private long result;

    /** Calls of reclaimers, before the attempt after its own. */
    private int endedBefore;

    /** Whether it has waited for those of other threads. */
    private boolean hasAwaited;

    Refused(Arena round, long blockBytes, long alignmentBytes) {
      super(space.claims, true, space.claims.settledCountRacy());
      this.round = round;
      this.blockBytes = blockBytes;
      this.alignmentBytes = alignmentBytes;
    }

    @Override
    protected boolean attempt() {
      if (!round.scope().isAlive()) {
        throw new IllegalStateException(
            "arena was closed or reset while it allocated: "
                + description()
                + " (a reclaimer of a budget must do neither to the arena that asks)");
      }
      result = ChunkedArena.this.attempt(round, blockBytes, alignmentBytes, true);
      return result >= 0;
    }

    @Override
    protected boolean askOthers(boolean isFirst) {
      space.damage.check();
      if (isFinal(result)) {
        return false;
      }
      Budget budget = space.settings.budget();
      Ledger ledger = Ledger.of(budget);
      long wantedBytes = space.alignToGranule(blockBytes);
      if (!isFirst) {
        // Its free memory did not serve the request, which may be too large for the budget.
        boolean isPossible = wantedBytes <= Math.max(budget.limitBytes(), budget.committedBytes());
        leaveForNow(); // a reclaimer of another thread may trim this space, and make way for it
        boolean gives = !hasAwaited && ledger.awaitOthers(endedBefore);
        hasAwaited = true;
        gives |= isPossible && space.giveWay(result);
        if (isPossible && result == Reservation.REFUSED_BY_BUDGET) {
          gives |= ledger.giveWay(space, null, wantedBytes);
        }
        return gives;
      }
      enter();
      var _ = ledger.reclaim(space, wantedBytes); // 0 where another thread has just been given all
      endedBefore = ledger.endedReclaimsVolatile();
      return true;
    }

    @Override
    protected void discardPutOff() {
      space.trimmer.trimExcess();
    }
  }

  /** The space and the arena, for a message. */
  public final String description() {
    return "space=" + space.settings.name() + ", arena=" + name;
  }

  @Override
  public final String toString() {
    return "ElasticArena["
        + description()
        + (inner().scope().isAlive() ? ", usedBytes=" + usedBytes() : ", closed")
        + "]";
  }

  /** Takes a block back; under the guard of the owner. */
  final void addFree(MemorySegment block, long top) {
    space.damage.check();
    Objects.requireNonNull(block, "block");
    EarlyFrees frees = earlyFrees();
    try {
      frees.add(block, top);
    } catch (StackOverflowError | AssertionError | IndexOutOfBoundsException e) {
      space.damage.note(e);
      throw e;
    }
  }

  /** The blocks given back early, from now on if there were none; under the guard of the owner. */
  final EarlyFrees earlyFrees() {
    EarlyFrees frees = earlyFrees;
    if (frees == null) {
      frees = new EarlyFrees(this);
      earlyFrees = frees;
    }
    return frees;
  }

  /**
   * Makes room for a block: exposes more of the stretch, commits more of it, grows it, or begins
   * another one.
   *
   * @return the address of the block, and its end is exposed; or a refusal, which changes nothing
   */
  final long makeRoom(long top, long sizeBytes, long alignmentBytes, boolean modest) {
    long usedBytes = bumpedBytes(top);
    if (stretchEnd == 0 && lastRoundBytes == 0) {
      begin(sizeBytes);
    }
    long start = (top + alignmentBytes - 1) & -alignmentBytes;
    long end = start + sizeBytes;
    boolean fits = end <= stretchEnd;
    long aside = 0;
    if (stretchEnd != 0 && start - top >= space.settings.granuleBytes()) {
      aside = takeAside(sizeBytes, alignmentBytes);
      if (aside >= 0) {
        noteGrowth(usedBytes + sizeBytes);
        return aside;
      } // else there may be room here, or behind the stretch, if with a gap
    }
    if (fits && end <= committedEnd) {
      expose(end);
    } else {
      boolean piece = fits && space.sizing.prefersPiece(this, usedBytes, sizeBytes);
      if (fits && !piece) {
        long result = space.growth.commit(this, end, usedBytes, sizeBytes, modest);
        if (result < 0 && modest && !isUnbacked) { // others may have left committed memory
          start = space.growth.grow(this, top, sizeBytes, alignmentBytes, usedBytes, false, true);
          result = mendable(result, start);
        }
        if (result < 0) {
          return mendable(aside, result);
        }
      } else {
        long own = start;
        start = space.growth.grow(this, top, sizeBytes, alignmentBytes, usedBytes, !piece, modest);
        if (start < 0 && piece) { // there is room here, if not for so little memory
          long refusal =
              mendable(start, space.growth.commit(this, end, usedBytes, sizeBytes, modest));
          start = refusal < 0 ? refusal : own;
        }
        if (start < 0) {
          return mendable(aside, start);
        }
      }
      end = start + sizeBytes;
      expose(end);
    }
    noteGrowth(usedBytes + sizeBytes);
    return start;
  }

  private long takeAside(long sizeBytes, long alignmentBytes) {
    var _ = earlyFrees(); // takes the block if it does not get its segment
    long start = space.growth.takeAside(this, sizeBytes, alignmentBytes);
    isAside = start >= 0;
    return start;
  }

  /** A block that has chunks of its own, beside the stretch; under the lock of the space. */
  final void noteAside(long start, long end, boolean dirty) {
    prepareRetire().add(start, end);
    stretchCount++;
    isAsideDirty = dirty;
  }

  private void begin(long firstBytes) {
    history = space.history(firstBytes);
    // Where nothing is counted there is nothing to stop for either: other arenas learn nothing.
    boolean isCounted = growth == ArenaGrowth.ADAPTIVE && history.countsNextPlain();
    nextHistoryStep = isCounted ? 0 : history.stepCount();
  }

  /** The end up to which the fast path may go from {@code top} on. */
  final long limit(long top) {
    return (earlyFrees != null && !earlyFrees.blocks.isEmpty()) ? 0 : bumpLimit(top);
  }

  /** The same where no free block does: up to here there is nothing to do but to bump. */
  final long bumpLimit(long top) {
    if (nextHistoryStep >= history.stepCount()) {
      return exposedEnd;
    }
    long toNextStep = GrowthHistory.sizeOf(nextHistoryStep) - bumpedBytes(top);
    return Math.min(exposedEnd, top + Math.max(0, toNextStep));
  }

  /** Notes that memory up to {@code end} is committed now. */
  final void committedTo(long end, boolean dirty) {
    if (dirty) {
      dirtyEnd = end;
    }
    committedEnd = end;
  }

  /** Whether nothing of the stretch from an address on has been used since it was committed. */
  final boolean isZeroFrom(long from) {
    return dirtyEnd <= from;
  }

  /** Retires the current stretch, whose blocks end at {@code top}, and begins another. */
  final void beginStretch(long top, long start, long end, long newCommittedEnd, boolean dirty) {
    if (top > stretchStart) {
      prepareRetire().add(stretchStart, top);
    }
    stretchCount++;
    setStretch(start, end);
    committedTo(newCommittedEnd, dirty);
  }

  /** Nothing of it is known to be committed yet. */
  private void setStretch(long start, long end) {
    stretchStart = start;
    stretchEnd = end;
    exposedEnd = start;
    dirtyEnd = start;
    committedEnd = start;
  }

  /**
   * Begins another round: the scope of all blocks has ended, the last of which ends at {@code top}.
   * An arena with one stretch of no more than the reserve keeps it, without the lock of the space;
   * any other gives everything back, and its next stretch is as large as the round was.
   *
   * @return what is due when the round has begun, for {@link SpaceState#perform}
   */
  final int restart(long top) {
    int due = 0;
    long usedBytes = bumpedBytes(top);
    lastRoundBytes = usedBytes > 0 ? usedBytes : lastRoundBytes;
    boolean keeps = keepsStretch();
    endEarlyFrees();
    earlyFrees = null;
    gapBytes = 0;
    if (keeps) {
      dirtyEnd = exposedEnd < dirtyEnd ? dirtyEnd : top;
      exposedEnd = stretchStart;
    } else if (stretchCount > 0) {
      due = space.takeBackAll(this);
      retired = null;
      stretchCount = 0;
      pieceCount = 0;
      setStretch(0, 0);
    }
    return due;
  }

  /** Free blocks of it do not count as kept any more: the arena ends, or its round. */
  final void endEarlyFrees() {
    EarlyFrees frees = earlyFrees;
    if (frees != null) {
      frees.end();
    }
  }

  private boolean keepsStretch() {
    EarlyFrees frees = earlyFrees;
    return stretchCount == 1
        && committedBytes <= space.settings.reserveBytes()
        && (frees == null || !frees.hasDiscarded())
        && space.references == null; // those to its blocks have to be forgotten
  }

  /** Makes room to retire a stretch, so that {@link #beginStretch} cannot run out of heap. */
  final UsedRanges prepareRetire() {
    UsedRanges ranges = retired;
    if (ranges == null) {
      ranges = new UsedRanges();
      retired = ranges;
    }
    ranges.prepare();
    return ranges;
  }

  /** Whether a range has been handed out by this arena, as far as that can be told. */
  final boolean hasHandedOut(long address, long sizeBytes, long top) {
    long end = address + sizeBytes;
    if (address >= stretchStart && end <= top) {
      return end > address;
    }
    return hasHandedOutBefore(address, end, top);
  }

  /** The same for a range that is not all in this stretch. */
  private boolean hasHandedOutBefore(long address, long end, long top) {
    // Where stretches meet, blocks given back in both are one block when they are handed out again.
    long at = address;
    while (at < end && at >= 0) {
      boolean current = at >= stretchStart && at < top;
      at = current ? top : retired == null ? -1 : retired.endOfRangeWith(at);
    }
    return end > address && at >= end;
  }

  /** Zeroed memory up to {@code end} at least. Only what may be dirty is written to. */
  private void expose(long end) {
    if (exposedEnd < dirtyEnd) {
      long zeroEnd = Math.min(dirtyEnd, Math.max(end, exposedEnd + ZERO_STEP_BYTES));
      NativeMemory.zero(exposedEnd, zeroEnd - exposedEnd);
      exposedEnd = zeroEnd;
    }
    if (exposedEnd >= dirtyEnd) {
      exposedEnd = committedEnd;
    }
  }

  private long bumpedBytes(long top) {
    UsedRanges ranges = retired; // once: a reset of another thread makes it null
    return (ranges == null ? 0 : ranges.totalBytes()) + top - stretchStart;
  }

  private void noteGrowth(long usedBytes) {
    int reached = Math.min(GrowthHistory.stepOf(usedBytes), history.stepCount() - 1);
    while (nextHistoryStep <= reached) {
      history.noteReachedOpaque(nextHistoryStep++);
    }
  }
}
