package dev.arenal.elastic.block;

import java.util.Arrays;

/**
 * The parts of an arena's retired stretches that were handed out, as pairs of addresses: in order,
 * those that meet as one, since each block that is given back early is looked up here.
 */
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

  /** Adds a range that overlaps none. */
  public void add(long start, long end) {
    prepare();
    int at = countUpTo(start);
    boolean meetsBefore = at > 0 && ends[at - 1] == start;
    boolean meetsAfter = at < count && starts[at] == end;
    totalBytes += end - start;
    if (meetsBefore && meetsAfter) {
      ends[at - 1] = ends[at];
      move(at + 1, at);
    } else if (meetsBefore) {
      ends[at - 1] = end;
    } else if (meetsAfter) {
      starts[at] = start;
    } else {
      move(at, at + 1);
      starts[at] = start;
      ends[at] = end;
    }
  }

  private void move(int from, int to) {
    System.arraycopy(starts, from, starts, to, count - from);
    System.arraycopy(ends, from, ends, to, count - from);
    count += to - from;
  }

  public long totalBytes() {
    return totalBytes;
  }

  /** End of the range that an address lies in, or -1. */
  public long endOfRangeWith(long address) {
    int at = countUpTo(address) - 1;
    return at >= 0 && address < ends[at] ? ends[at] : -1;
  }

  /** How many ranges begin at an address or below. */
  private int countUpTo(long address) {
    int low = 0;
    for (int rest = count; rest > 0; rest >>>= 1) {
      int middle = low + (rest >>> 1);
      if (starts[middle] <= address) {
        low = middle + 1;
        rest--;
      }
    }
    return low;
  }
}
