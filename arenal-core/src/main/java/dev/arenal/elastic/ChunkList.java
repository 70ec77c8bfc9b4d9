package dev.arenal.elastic;

import java.util.Arrays;

/** A list of chunk handles without boxes. */
final class ChunkList {
  private static final long[] NOTHING = {};

  private long[] handles = NOTHING;
  private int count;

  int count() {
    return count;
  }

  long get(int index) {
    return handles[index];
  }

  long last() {
    return handles[count - 1];
  }

  /** Makes room for one more, so that {@link #add} cannot run out of heap. */
  void prepare() {
    if (count == handles.length) {
      // One first: most arenas of a million have just one chunk.
      handles = Arrays.copyOf(handles, count == 0 ? 1 : count + Math.max(3, count >> 1));
    }
  }

  void add(long handle) {
    prepare();
    handles[count++] = handle;
  }

  void truncate(int newCount) {
    count = newCount;
  }

  /** Estimate of the heap that the handles take. */
  long metadataBytes() {
    return handles.length == 0 ? 0 : 16 + 8L * handles.length;
  }

  void clear() {
    handles = NOTHING;
    count = 0;
  }
}
