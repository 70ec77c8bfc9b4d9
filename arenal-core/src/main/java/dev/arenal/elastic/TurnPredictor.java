package dev.arenal.elastic;

import org.jspecify.annotations.Nullable;

/**
 * The order in which arenas took memory, and how much: it tells which takes some next.
 *
 * <p>A visit is what one arena takes before another one does. Where arenas take turns, the order of
 * the last round is expected again; where one goes on and on, more of it. Guarded by the lock of
 * the space.
 */
final class TurnPredictor {
  private static final long LARGEST_WINDOW_BYTES = 256 * 1024;
  private static final long SMALLEST_WINDOW_BYTES = 32 * 1024;

  /** Bytes made ready at most for an arena that has to wait for its turn. */
  private static final long LARGEST_TURN_BYTES = 64 * 1024;

  /** Visits in the moving mean. */
  private static final int MEAN_VISITS = 8;

  /** A visit that is this many times as long as usual is not a turn. */
  private static final int LONG_VISIT = 4;

  private @Nullable AheadRange last;
  private long usualBytes;

  /** The arena that took memory last. */
  @Nullable AheadRange last() {
    return last;
  }

  /** The time of a visit, a moving mean of all arenas. */
  long usualBytes() {
    return usualBytes;
  }

  /** Notes that an arena has taken memory. */
  void note(AheadRange range, long sizeBytes) {
    AheadRange before = last;
    if (range != before) {
      if (before != null) {
        before.next = range;
        usualBytes += (before.visitBytes - usualBytes) / MEAN_VISITS;
      }
      range.beginVisit();
      last = range;
    }
    range.visitBytes += sizeBytes;
  }

  /** The arena whose turn is expected after another one's; null at the end of a round. */
  @Nullable AheadRange after(AheadRange range) {
    return range.next == last ? null : range.next;
  }

  void forget(AheadRange range) {
    range.next = null; // or a chain of closed arenas would hang on one that lives
    if (last == range) {
      last = null;
    }
  }

  /** How much of an arena is to be ready. */
  long windowBytes(AheadRange range) {
    ChunkedArena arena = range.arena;
    long takenBytes = Math.max(0, arena.committedBytes - range.sizeBytes());
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
    long longBytes = LONG_VISIT * Math.max(range.usualVisitBytes, usualBytes);
    return usualBytes >= SMALLEST_WINDOW_BYTES
        || range.visitBytes > Math.max(SMALLEST_WINDOW_BYTES, longBytes);
  }
}
