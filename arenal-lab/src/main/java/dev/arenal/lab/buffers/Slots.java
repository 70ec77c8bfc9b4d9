package dev.arenal.lab.buffers;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Buffers in the hands of one thread, without gaps: where each one is, its tag, and what its
 * allocator wants back. A tag is a number that no other buffer of the process has, with the size in
 * its lower half.
 */
final class Slots {
  private static final int SIZE_BITS = 32;

  private final boolean hasHandles;
  private long[] addresses;
  private long[] tags;
  private @Nullable Object[] handles;
  private int count;

  Slots(int capacity, boolean hasHandles) {
    this.hasHandles = hasHandles;
    this.addresses = new long[capacity];
    this.tags = new long[capacity];
    this.handles = new @Nullable Object[hasHandles ? capacity : 0];
  }

  /** The tag of a buffer of that size and number. */
  static long tag(int number, int sizeBytes) {
    return ((long) number << SIZE_BITS) | sizeBytes;
  }

  int count() {
    return count;
  }

  long address(int index) {
    return addresses[index];
  }

  long tag(int index) {
    return tags[index];
  }

  int sizeBytes(int index) {
    return (int) tags[index];
  }

  @Nullable Object handle(int index) {
    return handles[index];
  }

  void setHandle(int index, Object handle) {
    handles[index] = handle;
  }

  /** Makes room for one more and returns its index, for an allocator to put a handle there. */
  int next() {
    if (count == addresses.length) {
      grow();
    }
    return count;
  }

  /** Fills the place that {@link #next} made. */
  void add(long address, long tag) {
    addresses[count] = address;
    tags[count] = tag;
    count++;
  }

  /** Takes a buffer out; the last one takes its place. */
  void remove(int index) {
    int last = --count;
    addresses[index] = addresses[last];
    tags[index] = tags[last];
    if (hasHandles) {
      handles[index] = handles[last];
      handles[last] = null;
    }
  }

  /** Moves a buffer from here to another place. */
  void moveTo(Slots other, int index) {
    int place = other.next();
    if (hasHandles) {
      other.handles[place] = handles[index];
    }
    other.add(addresses[index], tags[index]);
    remove(index);
  }

  private void grow() {
    int capacity = Math.max(16, 2 * addresses.length);
    addresses = Arrays.copyOf(addresses, capacity);
    tags = Arrays.copyOf(tags, capacity);
    if (hasHandles) {
      handles = Arrays.copyOf(handles, capacity);
    }
  }
}
