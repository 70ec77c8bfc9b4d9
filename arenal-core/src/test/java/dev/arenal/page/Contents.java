package dev.arenal.page;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * What tests write into buffers and look for again: a stretch of noise that is different for each
 * mark, and at each place within it, so that contents at a wrong place are noticed too.
 */
final class Contents {
  private static final int PIECE_BYTES = 1 << 20;
  private static final int COUNT_MARKS = 1 << 16;
  private static final MemorySegment NOISE = noise();
  private static final MemorySegment ZEROS = Arena.global().allocate(PIECE_BYTES);

  private Contents() {}

  private static MemorySegment noise() {
    SplittableRandom random = new SplittableRandom(7);
    MemorySegment noise = Arena.global().allocate(PIECE_BYTES + 8L * COUNT_MARKS, 8);
    for (long at = 0; at < noise.byteSize(); at += 8) {
      noise.set(ValueLayout.JAVA_LONG, at, random.nextLong());
    }
    return noise;
  }

  /** Writes all of it. */
  static void write(MemorySegment segment, int mark) {
    for (long at = 0; at < segment.byteSize(); at += PIECE_BYTES) {
      long sizeBytes = Math.min(PIECE_BYTES, segment.byteSize() - at);
      MemorySegment.copy(NOISE, offset(mark, at), segment, at, sizeBytes);
    }
  }

  /** Where it is not what was written; -1 if it is. */
  static long mismatch(MemorySegment segment, int mark) {
    for (long at = 0; at < segment.byteSize(); at += PIECE_BYTES) {
      long sizeBytes = Math.min(PIECE_BYTES, segment.byteSize() - at);
      long offset = offset(mark, at);
      long found =
          MemorySegment.mismatch(
              segment, at, at + sizeBytes, NOISE, offset, offset + sizeBytes);
      if (found >= 0) {
        return at + found;
      }
    }
    return -1;
  }

  /** The first byte that is not zero; -1 if there is none. */
  static long firstNonZero(MemorySegment segment) {
    for (long at = 0; at < segment.byteSize(); at += PIECE_BYTES) {
      long sizeBytes = Math.min(PIECE_BYTES, segment.byteSize() - at);
      long found = MemorySegment.mismatch(segment, at, at + sizeBytes, ZEROS, 0, sizeBytes);
      if (found >= 0) {
        return at + found;
      }
    }
    return -1;
  }

  private static long offset(int mark, long at) {
    return 8 * ((mark + at / PIECE_BYTES) & (COUNT_MARKS - 1));
  }
}
