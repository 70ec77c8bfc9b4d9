package dev.arenal.page.span;

import java.util.Arrays;

/**
 * How many holes of each class a page has, and so of which it has any.
 *
 * <p>Not thread-safe: the lock of the heap guards it. Needs no Java heap once it is there.
 */
final class HoleCounts {
  private final short[] counts = new short[HoleClasses.COUNT];

  /** A bit for each class of which there are some. */
  final long[] present = new long[HoleClasses.WORDS];

  private int units;

  /** Units of all of them. */
  int units() {
    return units;
  }

  /** There is a hole of so many units, none if it is zero. */
  void add(int length) {
    if (length == 0) {
      return;
    }
    int holeClass = HoleClasses.of(length);
    if (counts[holeClass]++ == 0) {
      present[holeClass >>> 6] |= 1L << holeClass;
    }
    units += length;
  }

  /** There is one less. */
  void remove(int length) {
    if (length == 0) {
      return;
    }
    int holeClass = HoleClasses.of(length);
    if (--counts[holeClass] == 0) {
      present[holeClass >>> 6] &= ~(1L << holeClass);
    }
    units -= length;
  }

  /** There are none. */
  void clear() {
    Arrays.fill(counts, (short) 0);
    Arrays.fill(present, 0);
    units = 0;
  }

  /** Whether another one has the same. */
  boolean isLike(HoleCounts other) {
    return units == other.units
        && Arrays.equals(counts, other.counts)
        && Arrays.equals(present, other.present);
  }

  /** No hole is longer than that. */
  int longestBound() {
    return longestBound(present, 0);
  }

  /** The same of words elsewhere. */
  static int longestBound(long[] words, int at) {
    for (int i = HoleClasses.WORDS - 1; i >= 0; i--) {
      long word = words[at + i];
      if (word != 0) {
        return HoleClasses.longest((i << 6) + Long.SIZE - 1 - Long.numberOfLeadingZeros(word));
      }
    }
    return 0;
  }
}
