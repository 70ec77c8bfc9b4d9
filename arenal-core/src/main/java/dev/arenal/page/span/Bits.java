package dev.arenal.page.span;

/** Ranges of bits in arrays of words. */
final class Bits {
  private Bits() {}

  /** Words that hold so many bits. */
  static long[] ofSize(int bitCount) {
    return new long[(bitCount + Long.SIZE - 1) >>> 6];
  }

  static boolean get(long[] bits, int index) {
    return (bits[index >>> 6] & (1L << index)) != 0;
  }

  static void set(long[] bits, int from, int to) {
    for (int at = from; at < to; at = nextWord(at)) {
      bits[at >>> 6] |= mask(at, to);
    }
  }

  static void clear(long[] bits, int from, int to) {
    for (int at = from; at < to; at = nextWord(at)) {
      bits[at >>> 6] &= ~mask(at, to);
    }
  }

  /** Whether any bit in {@code [from, to)} is set. */
  static boolean any(long[] bits, int from, int to) {
    return nextSet(bits, from, to) < to;
  }

  /** Number of bits set in {@code [from, to)}. */
  static int count(long[] bits, int from, int to) {
    int count = 0;
    for (int at = from; at < to; at = nextWord(at)) {
      count += Long.bitCount(bits[at >>> 6] & mask(at, to));
    }
    return count;
  }

  /** The first set bit in {@code [from, to)}; {@code to} if there is none. */
  static int nextSet(long[] bits, int from, int to) {
    return nextSetInEither(bits, bits, from, to);
  }

  /** The first clear bit in {@code [from, to)}; {@code to} if there is none. */
  static int nextClear(long[] bits, int from, int to) {
    return nextClearInBoth(bits, bits, from, to);
  }

  /** The last bit up to {@code from} that is set; -1 if there is none. */
  static int previousSet(long[] bits, int from) {
    return previousSetInEither(bits, bits, from);
  }

  /** The first bit in {@code [from, to)} that is set in either; {@code to} if there is none. */
  static int nextSetInEither(long[] bits, long[] others, int from, int to) {
    for (int at = from; at < to; at = nextWord(at)) {
      long word = (bits[at >>> 6] | others[at >>> 6]) & (-1L << at);
      if (word != 0) {
        return Math.min(to, (at & -Long.SIZE) + Long.numberOfTrailingZeros(word));
      }
    }
    return to;
  }

  /** The first bit in {@code [from, to)} that is clear in both; {@code to} if there is none. */
  static int nextClearInBoth(long[] bits, long[] others, int from, int to) {
    for (int at = from; at < to; at = nextWord(at)) {
      long word = ~(bits[at >>> 6] | others[at >>> 6]) & (-1L << at);
      if (word != 0) {
        return Math.min(to, (at & -Long.SIZE) + Long.numberOfTrailingZeros(word));
      }
    }
    return to;
  }

  /** The last bit up to {@code from} that is set in either; -1 if there is none. */
  static int previousSetInEither(long[] bits, long[] others, int from) {
    if (from < 0) {
      return -1;
    }
    int index = from >>> 6;
    long word = (bits[index] | others[index]) & (-1L >>> (Long.SIZE - 1 - (from & 63)));
    while (word == 0 && index > 0) {
      index--;
      word = bits[index] | others[index];
    }
    return word == 0 ? -1 : (index << 6) + Long.SIZE - 1 - Long.numberOfLeadingZeros(word);
  }

  /** Whether so many bits or more are set in a row. */
  static boolean hasRun(long word, int length) {
    long starts = length > Long.SIZE ? 0 : word; // of rows of the length so far
    for (int known = 1; known < length && starts != 0; ) {
      int step = Math.min(known, length - known);
      starts &= starts >>> step;
      known += step;
    }
    return starts != 0;
  }

  private static int nextWord(int index) {
    return (index & -Long.SIZE) + Long.SIZE;
  }

  private static long mask(int at, int to) {
    long mask = -1L << at;
    int end = to - (at & -Long.SIZE);
    return end >= Long.SIZE ? mask : mask & ((1L << end) - 1);
  }
}
