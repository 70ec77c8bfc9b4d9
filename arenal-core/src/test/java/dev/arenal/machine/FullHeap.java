package dev.arenal.machine;

import java.util.ArrayList;
import java.util.List;

/** A Java heap without room, for a child JVM that is none of the tests' own. */
public final class FullHeap {
  private static final int LARGEST_BYTES = 1 << 20;
  private static final int LEAST_BYTES = 16;

  private FullHeap() {}

  /** Takes the Java heap, down to the last words; it has room again where these are cleared. */
  public static List<byte[]> take() {
    List<byte[]> blocks = new ArrayList<>(1 << 20);
    for (int sizeBytes = LARGEST_BYTES; sizeBytes >= LEAST_BYTES; ) {
      try {
        blocks.add(new byte[sizeBytes]);
      } catch (OutOfMemoryError e) {
        sizeBytes /= 2;
      }
    }
    return blocks;
  }
}
