package dev.arenal.page;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.touch.TouchPiece;
import dev.arenal.touch.Toucher;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What a pretouch makes resident in no page: granules of the cache, and fresh ones, which it
 * commits for the cache.
 *
 * <p>Memory that is just being touched is claimed, so that nobody else has it, and counts against
 * the capacity; a thread that needs it waits for it ({@link SupplyState#awaitTouched}). Cached
 * granules are away for some of them at a time only; fresh ones from {@link #nextFresh} on, which
 * counts them against the budget.
 */
final class TouchedGranules {
  private static final int MOST_AT_ONCE = 4;

  /** Half a gigabyte of free granules may bring huge pages to whoever takes them meanwhile. */
  private static final int MOST_ADVISED = 256;

  /** Memory that others are just committing may make up for a budget that is used up. */
  private static final int MOST_TRIES = 100;

  private static final long TRY_NANOS = 1_000_000;

  /** Fresh granules in hand, in a list: there is one for each thread at most. */
  private static final class Fresh {
    final TouchPiece piece;
    final int first;
    final int count;

    /** The next in the list; guarded by the lock of the supply. */
    @Nullable Fresh next;

    /** Written by the thread that has it in hand; read under the lock after that, or by it. */
    volatile boolean isCommitted;

    Fresh(TouchPiece piece, int first, int count) {
      this.piece = piece;
      this.first = first;
      this.count = count;
    }
  }

  private final SupplyState supply;
  private final GranuleStates granules;
  private final Uncommitter uncommitter;
  private final long targetBytes;

  // Guarded by the lock of the supply.

  /** Cached granules below it have had their turn. */
  private int cursor;

  /** Those that have not been touched yet. */
  private @Nullable Fresh inHand;

  private int countInHand;

  /** A thread that gives back all the time does not keep it going for ever. */
  private long restFresh;

  /** Granules that it has committed. */
  private final BitSet grown;

  /** Granules that it has touched, wherever they were: each of them once. */
  private final BitSet touched;

  TouchedGranules(SupplyState supply, Uncommitter uncommitter, long targetBytes) {
    this.supply = supply;
    this.granules = supply.granules;
    this.uncommitter = uncommitter;
    this.targetBytes = targetBytes;
    this.restFresh = Math.ceilDiv(targetBytes, PageSupply.GRANULE_BYTES);
    this.grown = new BitSet(granules.addresses.countGranules());
    this.touched = new BitSet(granules.addresses.countGranules());
  }

  // ---- what is cached ----

  /** What is cached behind the last piece; null if that is nothing. */
  @Nullable TouchPiece nextCached(long mostBytes) {
    supply.lock.lock();
    try {
      int from = granules.cache.firstCached(cursor);
      while (from != GranuleRanges.NONE && touched.get(from)) {
        from = granules.cache.firstCached(touched.nextClearBit(from));
      }
      if (from == GranuleRanges.NONE) {
        return null;
      }
      int count = Math.min(granules.cache.countCached(from), atMost(mostBytes));
      int next = touched.nextSetBit(from);
      count = next < 0 ? count : Math.min(count, next - from);
      cursor = from + count;
      return piece(from, count);
    } finally {
      supply.lock.unlock();
    }
  }

  /** {@link #nextCached} begins anew, for what has come into the cache since. */
  void beginAgain() {
    supply.lock.lock();
    try {
      cursor = 0;
    } finally {
      supply.lock.unlock();
    }
  }

  /** Notes what has been touched in pages, whole granules. */
  void noteTouched(long address, long endAddress) {
    int first = granules.addresses.granule(address);
    int count = (int) ((endAddress - address) / PageSupply.GRANULE_BYTES);
    supply.lock.lock();
    try {
      touched.set(first, first + count);
    } finally {
      supply.lock.unlock();
    }
  }

  /** Touches a piece, as far as it has not been taken by somebody. */
  int touch(TouchPiece piece, Toucher toucher) {
    Fresh fresh;
    supply.lock.lock();
    try {
      fresh = find(piece);
    } finally {
      supply.lock.unlock();
    }
    return fresh == null ? touchCached(piece, toucher) : touchFresh(fresh, toucher);
  }

  private int touchCached(TouchPiece piece, Toucher toucher) {
    int at = granules.addresses.granule(piece.address());
    int end = at + (int) (piece.sizeBytes() / PageSupply.GRANULE_BYTES);
    while (at < end) {
      int from;
      int count;
      supply.lock.lock();
      try {
        supply.letOthersTake();
        from = granules.cache.firstCached(at);
        if (from == GranuleRanges.NONE || from >= end) {
          return 0;
        }
        count = Math.min(granules.cache.countCached(from), end - from);
        count = Math.min(count, MOST_AT_ONCE);
        granules.claimTouched(from, count);
        supply.countAssembling++;
      } finally {
        supply.lock.unlock();
      }
      int error = -Errno.EFAULT;
      try {
        error = toucher.touch(granules.addresses.address(from), bytes(count));
      } finally {
        supply.lock.lock();
        try {
          granules.putTouched(from, count);
          touched.set(from, from + count);
          supply.noteRefused(error);
          supply.noteAssembled();
        } finally {
          supply.lock.unlock();
        }
      }
      if (error < 0) {
        return error;
      }
      at = from + count;
    }
    return 0;
  }

  // ---- what is free ----

  /**
   * Claims free granules as long as less than the target is committed.
   *
   * @return null if it is reached, or if capacity or addresses are at their end
   * @throws OutOfMemoryError if the budget refuses
   */
  @Nullable TouchPiece nextFresh(long mostBytes) {
    supply.lock.lock();
    try {
      for (int i = 0; i < MOST_TRIES; i++) {
        int count = Math.min(countMissing(), Math.min(atMost(mostBytes), MOST_AT_ONCE));
        int from = granules.free.lowest(1);
        if (count <= 0 || from == GranuleRanges.NONE) {
          return null;
        }
        TouchPiece piece = claimFresh(from, Math.min(count, granules.free.lengthAt(from)));
        if (piece != null) {
          return piece;
        }
        supply.awaitAssembled(TRY_NANOS);
      }
      throw budgetRefused();
    } finally {
      supply.lock.unlock();
    }
  }

  /** A fresh piece and what is free behind it: whole granules, which come and go as such. */
  TouchPiece hugeRange(TouchPiece piece) {
    supply.lock.lock();
    try {
      if (find(piece) == null) {
        return piece;
      }
      int from = granules.addresses.granule(piece.address());
      int end = from + (int) (piece.sizeBytes() / PageSupply.GRANULE_BYTES);
      boolean isFree = end < granules.addresses.countGranules() && granules.free.contains(end);
      int count = isFree ? granules.free.lengthAt(end) : 0;
      return piece(from, end - from + Math.min(count, MOST_ADVISED));
    } finally {
      supply.lock.unlock();
    }
  }

  /** Granules that may and shall be committed; the lock is held. */
  private int countMissing() {
    long committedBytes = granules.addresses.committedBytes() + bytes(countInHand);
    long count = Math.ceilDiv(targetBytes - committedBytes, PageSupply.GRANULE_BYTES);
    return (int) Math.min(Math.min(count, restFresh), granules.roomGranules());
  }

  /** Null if the budget refuses; the lock is held. */
  private @Nullable TouchPiece claimFresh(int from, int count) {
    // Room comes first: where the Java heap is full, nothing has changed.
    granules.prepare(from, count);
    TouchPiece piece = piece(from, count);
    Fresh fresh = new Fresh(piece, from, count);
    if (!granules.addresses.tryCount(bytes(count))) {
      return null;
    }
    fresh.next = inHand;
    inHand = fresh;
    granules.claimFree(from, count);
    granules.touchedGranules += count;
    grown.set(from, from + count);
    countInHand += count;
    restFresh -= count;
    supply.countAssembling++;
    return piece;
  }

  private OutOfMemoryError budgetRefused() {
    return new OutOfMemoryError(
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
            + " (somebody else has taken what there was: raise its limit, or ask for less; what"
            + " was taken has gone back)");
  }

  /** Commits what its thread has claimed, and touches it. */
  private int touchFresh(Fresh fresh, Toucher toucher) {
    int error = supply.mode == CommitMode.PROTECT ? allow(fresh) : 0;
    if (error == 0) {
      fresh.isCommitted = true;
      error = toucher.touch(fresh.piece.address(), fresh.piece.sizeBytes());
    }
    if (error < 0) {
      note(error);
    }
    return error;
  }

  /** Null if it is not fresh; the lock is held. */
  @SuppressWarnings("ReferenceEquality") // the same range may be claimed again, as something else
  private @Nullable Fresh find(TouchPiece piece) {
    Fresh fresh = inHand;
    while (fresh != null && fresh.piece != piece) {
      fresh = fresh.next;
    }
    return fresh;
  }

  /** The lock is held. */
  private void unlink(Fresh fresh) {
    if (inHand == fresh) {
      inHand = fresh.next;
      return;
    }
    for (Fresh at = inHand; at != null; at = at.next) {
      if (at.next == fresh) {
        at.next = fresh.next;
        return;
      }
    }
  }

  private int allow(Fresh fresh) {
    return supply.os.allow(granules.addresses.address(fresh.first), bytes(fresh.count));
  }

  private void note(int error) {
    supply.lock.lock();
    try {
      supply.noteRefused(error);
    } finally {
      supply.lock.unlock();
    }
  }

  /** A fresh piece is cached from now on, or free again where nothing has been committed. */
  void putDown(TouchPiece piece) {
    supply.lock.lock();
    try {
      Fresh fresh = find(piece);
      if (fresh != null) {
        putDown(fresh);
      }
    } finally {
      supply.lock.unlock();
    }
  }

  /** The lock is held; needs no Java heap. */
  private void putDown(Fresh fresh) {
    unlink(fresh);
    granules.touchedGranules -= fresh.count;
    countInHand -= fresh.count;
    if (fresh.isCommitted) {
      granules.addresses.noteCommitted(fresh.first, fresh.count);
      granules.putCached(fresh.first, fresh.count, RangeCache.NO_OWNER);
      touched.set(fresh.first, fresh.first + fresh.count);
    } else {
      granules.addresses.uncountRefused(bytes(fresh.count));
      granules.putFree(fresh.first, fresh.count);
      grown.clear(fresh.first, fresh.first + fresh.count);
    }
    supply.noteAssembled();
  }

  /** Gives back what was committed and is cached still; once, at the end. */
  void undo() {
    supply.lock.lock();
    try {
      for (Fresh fresh = inHand; fresh != null; fresh = inHand) {
        putDown(fresh);
      }
    } finally {
      supply.lock.unlock();
    }
    uncommitter.giveBack(grown);
  }

  private TouchPiece piece(int from, int count) {
    return new TouchPiece(granules.addresses.address(from), bytes(count));
  }

  /** At least one. */
  private static int atMost(long sizeBytes) {
    return Math.clamp(sizeBytes / PageSupply.GRANULE_BYTES, 1, Integer.MAX_VALUE);
  }

  private static long bytes(int count) {
    return count * PageSupply.GRANULE_BYTES;
  }
}
