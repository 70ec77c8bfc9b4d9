package dev.arenal.soak;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The contents that are written into blocks and checked: words that differ for each mark and at
 * each place. Blocks of more than 16 KiB are written to here and there only.
 */
final class Stamp {
  private static final long DENSE_BYTES = 16 << 10;
  private static final long LARGE_BYTES = 1 << 20;
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private Stamp() {}

  static void write(MemorySegment segment, long mark) {
    long sizeBytes = segment.byteSize();
    long stepBytes = stepBytes(sizeBytes);
    for (long at = 0; at <= sizeBytes - 8; at += stepBytes) {
      segment.set(JAVA_LONG_UNALIGNED, at, word(mark, at));
    }
    for (long at = sizeBytes & -8; at < sizeBytes; at++) {
      segment.set(JAVA_BYTE, at, (byte) word(mark, at));
    }
  }

  /** Where something else is than was written; -1 if it is all there. */
  static long mismatch(MemorySegment segment, long mark) {
    long sizeBytes = segment.byteSize();
    long stepBytes = stepBytes(sizeBytes);
    for (long at = 0; at <= sizeBytes - 8; at += stepBytes) {
      if (segment.get(JAVA_LONG_UNALIGNED, at) != word(mark, at)) {
        return at;
      }
    }
    for (long at = sizeBytes & -8; at < sizeBytes; at++) {
      if (segment.get(JAVA_BYTE, at) != (byte) word(mark, at)) {
        return at;
      }
    }
    return -1;
  }

  private static long stepBytes(long sizeBytes) {
    return sizeBytes <= DENSE_BYTES ? 8 : sizeBytes <= LARGE_BYTES ? 1024 : 64 << 10;
  }

  private static long word(long mark, long at) {
    return (mark + at) * FACTOR | 1; // never zero, in no byte but by chance
  }
}
