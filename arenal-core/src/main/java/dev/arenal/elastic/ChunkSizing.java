package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.PiecePages;

/**
 * How much an arena takes when it needs more.
 *
 * <p>Addresses are cheap, committed memory is not: an arena that will fill granules gets a stretch
 * of its own, doubled each time, of which it commits what it uses. Only what stays below half a
 * granule is worth sharing one: a <em>piece</em>. An arena has at most two pieces, its beginning
 * and its end, or four if it stays tiny, since each can keep a granule committed that is free
 * otherwise. See docs/adr/0003.
 */
final class ChunkSizing {
  private static final long SMALLEST_STRETCH_BYTES = 16 * 1024;
  private static final long LARGE_STRETCH_BYTES = 4L << 20;
  private static final long LARGEST_AHEAD_BYTES = 256 * 1024;
  private static final long SMALLEST_LIKELY_BYTES = 16 * 1024;
  private static final long LARGEST_LIKELY_BYTES = 64 * 1024;
  private static final int MAX_PIECES = 2;

  /** The same for an arena that is expected to stay below half a granule in all. */
  private static final int MAX_PIECES_TINY = 4;

  /** An arena of a balanced space commits up to this fraction of its size ahead. */
  private static final int AHEAD_FRACTION = 256;

  private final SpaceSettings settings;
  private final long largestStretchBytes;

  ChunkSizing(SpaceSettings settings) {
    this.settings = settings;
    // In a fixed space what an arena does not use of its stretch is lost to the others.
    this.largestStretchBytes =
        settings.isGrowable()
            ? Chunk.ROOT_BYTES
            : Math.clamp(
                Long.highestOneBit(settings.fixedSizeBytes() / 256),
                Math.max(SMALLEST_STRETCH_BYTES, settings.granuleBytes()),
                Chunk.ROOT_BYTES);
  }

  /** Whether the arena would rather take a piece than commit another granule of its stretch. */
  boolean prefersPiece(ChunkedArena arena, long usedBytes, long sizeBytes) {
    return arena.growth == ArenaGrowth.ADAPTIVE
        && settings.reclaimPolicy() != ReclaimPolicy.NONE
        && isWorthAPiece(arena, usedBytes, expectedRestBytes(arena, usedBytes, sizeBytes));
  }

  private boolean isWorthAPiece(ChunkedArena arena, long usedBytes, long restBytes) {
    long half = settings.granuleBytes() / 2;
    int most = usedBytes + restBytes <= half ? MAX_PIECES_TINY : MAX_PIECES;
    return restBytes <= half && arena.pieceCount < most;
  }

  /** Bytes to take; at least {@code sizeBytes} unless that is more than a root. */
  long wantedBytes(ChunkedArena arena, long usedBytes, long sizeBytes) {
    long bytes =
        switch (arena.growth) {
          case MICRO -> Chunk.UNIT_BYTES;
          case STANDARD -> usedBytes < 12 * 1024 ? 4096 : usedBytes < 20 * 1024 ? 8192 : 16384;
          case LARGE -> stretchBytes(Math.max(usedBytes, LARGE_STRETCH_BYTES));
          case ADAPTIVE -> adaptiveBytes(arena, usedBytes, sizeBytes);
        };
    if (sizeBytes > Chunk.ROOT_BYTES) {
      return (sizeBytes + Chunk.ROOT_BYTES - 1) & -Chunk.ROOT_BYTES;
    }
    long leastBytes = Math.max(bytes, sizeBytes);
    return leastBytes <= PiecePages.LARGEST_BYTES ? leastBytes : ceilingPowerOfTwo(leastBytes);
  }

  /**
   * Bytes to commit beyond what is needed now. Pages that come one by one cost a fault each, pages
   * that come together half of that: a little of what a large arena has, and what arenas of its
   * kind nearly always come to use.
   */
  long aheadBytes(ChunkedArena arena, long usedBytes, long sizeBytes) {
    return switch (settings.reclaimPolicy()) {
      case NONE -> Chunk.ROOT_BYTES;
      case BALANCED -> {
        long bytes = Math.min(usedBytes / AHEAD_FRACTION, LARGEST_AHEAD_BYTES);
        bytes = Math.max(bytes, likelyAheadBytes(arena, usedBytes, sizeBytes));
        yield bytes & -settings.granuleBytes();
      }
      case AGGRESSIVE -> 0;
    };
  }

  /**
   * The size that the history promises, but no more at a time than the arena has, so that it may
   * err.
   */
  private long likelyAheadBytes(ChunkedArena arena, long usedBytes, long sizeBytes) {
    if (arena.growth != ArenaGrowth.ADAPTIVE) {
      return 0;
    }
    long endBytes = usedBytes + sizeBytes;
    long likelyBytes =
        (arena.lastRoundBytes >= endBytes
                ? arena.lastRoundBytes
                : arena.history.likelyBytes(endBytes))
            - endBytes;
    long mostBytes = Math.clamp(usedBytes, SMALLEST_LIKELY_BYTES, LARGEST_LIKELY_BYTES);
    return Math.min(likelyBytes, mostBytes);
  }

  private long adaptiveBytes(ChunkedArena arena, long usedBytes, long sizeBytes) {
    long restBytes = expectedRestBytes(arena, usedBytes, sizeBytes);
    if (isWorthAPiece(arena, usedBytes, restBytes)) {
      return restBytes;
    }
    boolean known = restBytes < GrowthHistory.UNBOUNDED / 2;
    if (known && usedBytes == 0 && restBytes < SMALLEST_STRETCH_BYTES) {
      // Side by side, arenas that stay small fill runs of pages, which come and go in one call.
      return Math.max(restBytes, settings.granuleBytes());
    }
    long usualBytes = Math.max(usedBytes, 4 * settings.granuleBytes());
    return stretchBytes(known ? Math.max(usualBytes, restBytes) : usualBytes);
  }

  /** The history of an arena before its reset predicts more than that of others of its kind. */
  private long expectedRestBytes(ChunkedArena arena, long usedBytes, long sizeBytes) {
    long endBytes = usedBytes + sizeBytes;
    long totalBytes =
        arena.lastRoundBytes >= endBytes
            ? arena.lastRoundBytes
            : arena.history.expectedBytes(endBytes);
    return totalBytes - usedBytes;
  }

  private long stretchBytes(long bytes) {
    return Math.clamp(
        ceilingPowerOfTwo(bytes),
        Math.min(SMALLEST_STRETCH_BYTES, largestStretchBytes),
        largestStretchBytes);
  }

  private static long ceilingPowerOfTwo(long bytes) {
    return bytes <= 1 ? 1 : Long.highestOneBit(bytes - 1) << 1;
  }
}
