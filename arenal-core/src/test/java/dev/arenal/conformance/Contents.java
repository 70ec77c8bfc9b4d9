package dev.arenal.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;

/** Writes a tag all over a block and checks it; where blocks are large, to a part of them. */
public final class Contents {
  private static final int FULL_BYTES = 16 * 1024;
  private static final MemorySegment[] PATTERNS = new MemorySegment[256];

  static {
    for (int tag = 0; tag < PATTERNS.length; tag++) {
      PATTERNS[tag] = MemorySegment.ofArray(new byte[FULL_BYTES]).fill((byte) tag);
    }
  }

  private Contents() {}

  public static void write(MemorySegment segment, byte tag) {
    long sizeBytes = segment.byteSize();
    if (sizeBytes <= FULL_BYTES) {
      var _ = segment.fill(tag);
      return;
    }
    for (long at = 0; at < sizeBytes; at += stepBytes(sizeBytes)) {
      segment.set(JAVA_BYTE, at, tag);
    }
    segment.set(JAVA_BYTE, sizeBytes - 1, tag);
  }

  /** Offset of the first byte that is not the tag; -1 if all are that are looked at. */
  public static long mismatch(MemorySegment segment, byte tag) {
    long sizeBytes = segment.byteSize();
    if (sizeBytes <= FULL_BYTES) {
      MemorySegment pattern = PATTERNS[tag & 255];
      return MemorySegment.mismatch(segment, 0, sizeBytes, pattern, 0, sizeBytes);
    }
    for (long at = 0; at < sizeBytes; at += stepBytes(sizeBytes)) {
      if (segment.get(JAVA_BYTE, at) != tag) {
        return at;
      }
    }
    return segment.get(JAVA_BYTE, sizeBytes - 1) == tag ? -1 : sizeBytes - 1;
  }

  /** Offset of the first byte that is not zero; large blocks at more places than are written to. */
  public static long mismatchZero(MemorySegment segment) {
    long sizeBytes = segment.byteSize();
    if (sizeBytes <= FULL_BYTES) {
      return mismatch(segment, (byte) 0);
    }
    long step = stepBytes(sizeBytes) / 8;
    for (long at = 0; at < sizeBytes; at += step) {
      if (segment.get(JAVA_BYTE, at) != 0) {
        return at;
      }
    }
    return -1;
  }

  private static long stepBytes(long sizeBytes) {
    return sizeBytes <= 1 << 20 ? 2048 : 128 * 1024;
  }
}
