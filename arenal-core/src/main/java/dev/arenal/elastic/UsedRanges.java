package dev.arenal.elastic;

import java.util.Arrays;

/** The parts of an arena's retired stretches that were handed out, as pairs of addresses. */
final class UsedRanges {
  private long[] starts = new long[2];
  private long[] ends = new long[2];
  private int count;
  private long totalBytes;

  void add(long start, long end) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    starts[count] = start;
    ends[count++] = end;
    totalBytes += end - start;
  }

  long totalBytes() {
    return totalBytes;
  }

  boolean contains(long start, long end) {
    for (int i = count - 1; i >= 0; i--) {
      if (start >= starts[i] && end <= ends[i]) {
        return true;
      }
    }
    return false;
  }
}
