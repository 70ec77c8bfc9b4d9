package dev.arenal.elastic;

import org.jspecify.annotations.Nullable;

/**
 * The ranges of a space that are ready and not taken, the oldest first, and their sum. Guarded by
 * the lock of the space.
 */
final class AheadList {
  private @Nullable AheadRange oldest;
  private @Nullable AheadRange newest;
  private long totalBytes;

  long totalBytes() {
    return totalBytes;
  }

  @Nullable AheadRange oldest() {
    return oldest;
  }

  /** The end of a range moves up; it is the newest now. */
  void extend(AheadRange range, long end) {
    assert end > range.end : "INV-AHEAD-2: the end moves back";
    if (range.sizeBytes() > 0) {
      unlink(range);
    }
    totalBytes += end - range.end;
    range.end = end;
    range.older = newest;
    if (newest == null) {
      oldest = range;
    } else {
      newest.newer = range;
    }
    newest = range;
  }

  /** The start of a range moves up, at most beyond its end. */
  void shorten(AheadRange range, long start) {
    if (start < range.start) {
      // An error of the JVM came between what the space and what the arena noted.
      reset(range, start);
      return;
    }
    long before = range.sizeBytes();
    range.taken(start);
    long after = range.sizeBytes();
    totalBytes -= before - after;
    if (before > 0 && after == 0) {
      unlink(range);
    }
  }

  /** Removes a range; its memory is no longer tracked here. */
  void remove(AheadRange range) {
    shorten(range, Math.max(range.start, range.end));
  }

  /** There is nothing in a range, and the next comes from an address on. */
  void reset(AheadRange range, long start) {
    remove(range);
    range.start = start;
    range.end = start;
  }

  private void unlink(AheadRange range) {
    AheadRange older = range.older;
    AheadRange newer = range.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    range.older = null;
    range.newer = null;
  }
}
