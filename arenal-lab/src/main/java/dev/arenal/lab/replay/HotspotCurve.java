package dev.arenal.lab.replay;

import dev.arenal.lab.trace.TraceSpace;
import java.util.Arrays;

/**
 * The committed bytes of the recorded JVM itself, both its metaspaces together, over the
 * operations.
 */
final class HotspotCurve {
  private long[] operations = new long[64];
  private long[] committedBytes = new long[64];
  private int count;
  private long nonClassBytes;
  private long classBytes;

  /** From here on, {@code operationCount} operations being done, this much is committed. */
  void add(long operationCount, TraceSpace space, long bytes) {
    if (space == TraceSpace.CLASS) {
      classBytes = bytes;
    } else {
      nonClassBytes = bytes;
    }
    if (count > 0 && operations[count - 1] == operationCount) {
      count--;
    } else if (count == operations.length) {
      operations = Arrays.copyOf(operations, 2 * count);
      committedBytes = Arrays.copyOf(committedBytes, 2 * count);
    }
    operations[count] = operationCount;
    committedBytes[count++] = nonClassBytes + classBytes;
  }

  boolean isKnown() {
    return count > 0;
  }

  /**
   * Committed bytes when so many operations are done, just before the next one: what HotSpot
   * commits or gives back between two operations counts as done, which at a valley is in its
   * favour.
   */
  long committedBytesAfter(long operationCount) {
    int found = Arrays.binarySearch(operations, 0, count, operationCount);
    int index = found >= 0 ? found : -found - 2;
    return index < 0 ? 0 : committedBytes[index];
  }
}
