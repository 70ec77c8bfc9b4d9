package dev.arenal.reserve;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One bit per granule of a reservation, in sections that come into being when their first bit is
 * set: a reservation of 100 GiB of which little is used must not cost 3 MiB of bits.
 *
 * <p>Not thread-safe.
 */
final class GranuleMask {
  private static final int SECTION_BITS = 4096;
  private static final int SECTION_WORDS = SECTION_BITS / Long.SIZE;

  private final long[] @Nullable [] sections;

  GranuleMask(long granuleCount) {
    sections = new long[Math.toIntExact((granuleCount + SECTION_BITS - 1) / SECTION_BITS)][];
  }

  boolean get(long index) {
    long[] section = sections[(int) (index / SECTION_BITS)];
    int bit = (int) (index % SECTION_BITS);
    return section != null && (section[bit >>> 6] & (1L << bit)) != 0;
  }

  /** Number of bits set in {@code [from, to)}. */
  long count(long from, long to) {
    long count = 0;
    for (long at = from; at < to; ) {
      long[] section = sections[(int) (at / SECTION_BITS)];
      if (section == null) {
        at = Math.min(to, (at / SECTION_BITS + 1) * SECTION_BITS);
        continue;
      }
      long mask = maskFrom(at, to);
      count += Long.bitCount(section[wordOf(at)] & mask);
      at = nextWord(at);
    }
    return count;
  }

  /** Makes the sections of a range, so that {@link #set} cannot run out of heap half-way. */
  void prepare(long from, long to) {
    for (int index = (int) (from / SECTION_BITS); (long) index * SECTION_BITS < to; index++) {
      if (sections[index] == null) {
        sections[index] = new long[SECTION_WORDS];
      }
    }
  }

  /**
   * Lets go of sections of a range in which nothing is set, here and in another mask, which has
   * nothing set where this one has not: they were prepared for nothing.
   */
  void trim(long from, long to, GranuleMask other) {
    for (int index = (int) (from / SECTION_BITS); (long) index * SECTION_BITS < to; index++) {
      long start = (long) index * SECTION_BITS;
      if (next(start, start + SECTION_BITS, true) == start + SECTION_BITS) {
        sections[index] = null;
        other.sections[index] = null;
      }
    }
  }

  /** Sets a range that has been prepared. */
  void set(long from, long to) {
    for (long at = from; at < to; at = nextWord(at)) {
      long[] section = Objects.requireNonNull(sections[(int) (at / SECTION_BITS)]);
      section[wordOf(at)] |= maskFrom(at, to);
    }
  }

  void clear(long from, long to) {
    for (long at = from; at < to; at = nextWord(at)) {
      int index = (int) (at / SECTION_BITS);
      long[] section = sections[index];
      if (at % SECTION_BITS == 0 && to - at >= SECTION_BITS) {
        sections[index] = null; // so that a reservation that was large once does not cost for ever
        at += SECTION_BITS - Long.SIZE;
      } else if (section != null) {
        section[wordOf(at)] &= ~maskFrom(at, to);
      }
    }
  }

  /** The first index in {@code [from, to)} whose bit is {@code value}; {@code to} if none is. */
  long next(long from, long to, boolean value) {
    for (long at = from; at < to; ) {
      long[] section = sections[(int) (at / SECTION_BITS)];
      if (section == null) {
        if (!value) {
          return at;
        }
        at = (at / SECTION_BITS + 1) * SECTION_BITS;
        continue;
      }
      long word = section[wordOf(at)];
      long found = (value ? word : ~word) & (-1L << at);
      if (found != 0) {
        return Math.min(to, (at & -Long.SIZE) + Long.numberOfTrailingZeros(found));
      }
      at = nextWord(at);
    }
    return to;
  }

  /** Estimate of the heap that this takes. */
  long metadataBytes() {
    long bytes = 16 + 4L * sections.length;
    for (long[] section : sections) {
      bytes += section == null ? 0 : 16 + 8L * section.length;
    }
    return bytes;
  }

  private static int wordOf(long index) {
    return (int) (index % SECTION_BITS) >>> 6;
  }

  private static long nextWord(long index) {
    return (index & -Long.SIZE) + Long.SIZE;
  }

  /** The bits of the word of {@code at} that lie in {@code [at, to)}. */
  private static long maskFrom(long at, long to) {
    long mask = -1L << at;
    return nextWord(at) > to ? mask & (-1L >>> -to) : mask;
  }
}
