package dev.arenal.elastic.block;

import java.util.Arrays;

/** The parts of an arena's retired stretches that were handed out, as pairs of addresses. */
public final class UsedRanges {
  private long[] starts = new long[2];
  private long[] ends = new long[2];
  private int count;
  private long totalBytes;

  /** Makes room for one more, so that {@link #add} cannot run out of heap. */
  public void prepare() {
    if (count == starts.length) {
      long[] moreStarts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      starts = moreStarts;
    }
  }

  public void add(long start, long end) {
    prepare();
    starts[count] = start;
    ends[count++] = end;
    totalBytes += end - start;
  }

  public long totalBytes() {
    return totalBytes;
  }

  /** End of the range that an address lies in, or -1. */
  public long endOfRangeWith(long address) {
    for (int i = count - 1; i >= 0; i--) {
      if (address >= starts[i] && address < ends[i]) {
        return ends[i];
      }
    }
    return -1;
  }
}
