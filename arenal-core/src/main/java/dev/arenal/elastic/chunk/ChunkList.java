package dev.arenal.elastic.chunk;

import java.util.Arrays;

/**
 * A list of chunk handles without boxes. The first has a field: of a million arenas most have one
 * chunk, and an array for each would be most of the metadata.
 */
public final class ChunkList {
  private static final long[] NOTHING = {};

  private long first;
  private long[] others = NOTHING;
  private int count;

  public int count() {
    return count;
  }

  public long get(int index) {
    return index == 0 ? first : others[index - 1];
  }

  public long last() {
    return get(count - 1);
  }

  /** Makes room for one more, so that {@link #add} cannot run out of heap. */
  public void prepare() {
    if (count > 0 && count > others.length) {
      others = Arrays.copyOf(others, count + Math.max(2, count >> 1));
    }
  }

  public void add(long handle) {
    if (count == 0) {
      first = handle;
    } else {
      prepare();
      others[count - 1] = handle;
    }
    count++;
  }

  public void set(int index, long handle) {
    if (index == 0) {
      first = handle;
    } else {
      others[index - 1] = handle;
    }
  }

  /** The handles in the order of their addresses. */
  public long[] sorted() {
    long[] handles = new long[count];
    for (int i = 0; i < count; i++) {
      handles[i] = get(i);
    }
    Arrays.sort(handles);
    return handles;
  }

  /** Makes one the last, with those behind it in their order. */
  public void moveBehind(int index) {
    long handle = get(index);
    for (int i = index + 1; i < count; i++) {
      set(i - 1, get(i));
    }
    set(count - 1, handle);
  }

  public void truncate(int newCount) {
    count = newCount;
  }

  /** Estimate of the heap that the handles take. */
  public long metadataBytes() {
    return Long.BYTES + (others.length == 0 ? 0 : 16 + (long) Long.BYTES * others.length);
  }

  public void clear() {
    others = NOTHING;
    count = 0;
  }
}
