package dev.arenal.page;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;

/**
 * The contents that tests write into buffers and check: noise that differs for each mark, and at
 * each place, so that contents at a wrong place are noticed too. Buffers of more than a megabyte
 * are written to at each 64 KiB only, or tests would do nothing but fault memory in.
 */
final class Noise {
  private static final int DENSE_BYTES = 1 << 20;
  private static final int SPARSE_BYTES = 1 << 10;
  private static final int STRIDE_BYTES = 64 << 10;
  private static final int ZERO_STRIDE_BYTES = 16 << 10;
  private static final int MARK_COUNT = 1 << 16;
  private static final MemorySegment NOISE = noise();
  private static final MemorySegment ZEROS = Arena.global().allocate(DENSE_BYTES);

  private Noise() {}

  private static MemorySegment noise() {
    SplittableRandom random = new SplittableRandom(7);
    MemorySegment noise = Arena.global().allocate(DENSE_BYTES + 8L * MARK_COUNT, 8);
    for (long at = 0; at < noise.byteSize(); at += 8) {
      noise.set(ValueLayout.JAVA_LONG, at, random.nextLong());
    }
    return noise;
  }

  /** Writes to all of it, or all over it where it is large. */
  static void write(MemorySegment segment, int mark) {
    long sizeBytes = segment.byteSize();
    long stride = sizeBytes <= DENSE_BYTES ? DENSE_BYTES : STRIDE_BYTES;
    for (long at = 0; at < sizeBytes; at += stride) {
      MemorySegment.copy(NOISE, offset(mark, at), segment, at, pieceBytes(sizeBytes, at));
    }
    if (sizeBytes > DENSE_BYTES) {
      long at = lastPiece(sizeBytes);
      MemorySegment.copy(NOISE, offset(mark, at), segment, at, sizeBytes - at);
    }
  }

  /** Where it is not what was written; -1 if it is. */
  static long mismatch(MemorySegment segment, int mark) {
    long sizeBytes = segment.byteSize();
    long stride = sizeBytes <= DENSE_BYTES ? DENSE_BYTES : STRIDE_BYTES;
    for (long at = 0; at < sizeBytes; at += stride) {
      long found = mismatchAt(segment, mark, at, pieceBytes(sizeBytes, at));
      if (found >= 0) {
        return found;
      }
    }
    long at = lastPiece(sizeBytes);
    return sizeBytes > DENSE_BYTES ? mismatchAt(segment, mark, at, sizeBytes - at) : -1;
  }

  private static long mismatchAt(MemorySegment segment, int mark, long at, long sizeBytes) {
    long offset = offset(mark, at);
    long found =
        MemorySegment.mismatch(segment, at, at + sizeBytes, NOISE, offset, offset + sizeBytes);
    return found < 0 ? -1 : at + found;
  }

  /** The first byte that is not zero; -1 if none is found. */
  static long firstNonZero(MemorySegment segment) {
    long total = segment.byteSize();
    long stride = total <= DENSE_BYTES ? DENSE_BYTES : ZERO_STRIDE_BYTES;
    for (long at = 0; at < total; at += stride) {
      long sizeBytes = pieceBytes(total, at);
      long found = MemorySegment.mismatch(segment, at, at + sizeBytes, ZEROS, 0, sizeBytes);
      if (found >= 0) {
        return at + found;
      }
    }
    return -1;
  }

  private static long pieceBytes(long sizeBytes, long at) {
    return Math.min(sizeBytes <= DENSE_BYTES ? DENSE_BYTES : SPARSE_BYTES, sizeBytes - at);
  }

  private static long lastPiece(long sizeBytes) {
    return (sizeBytes - 1) & -SPARSE_BYTES;
  }

  private static long offset(int mark, long at) {
    return 8 * ((mark + at / DENSE_BYTES) & (MARK_COUNT - 1)) + at % DENSE_BYTES;
  }
}
