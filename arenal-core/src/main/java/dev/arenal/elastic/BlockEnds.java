package dev.arenal.elastic;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the blocks end that have references: a bit for the last word of each, and four bits for how
 * many bytes of it the block leaves unused (8 where it is empty).
 *
 * <p>In sections of 64 KiB that come into being with their first mark; a section whose blocks fill
 * their words needs one plane of bits, 1.6 % of what it describes.
 */
final class BlockEnds {
  private static final int SECTION_WORDS = 8192;
  private static final int SECTION_LONGS = SECTION_WORDS / Long.SIZE;
  private static final int COUNT_PLANES = 5;

  private final long[] @Nullable [] sections;

  BlockEnds(long countWords) {
    sections = new long[(int) ((countWords + SECTION_WORDS - 1) / SECTION_WORDS)][];
  }

  /** Marks the block that starts at a word; marks inside it are taken away. */
  void mark(long word, long sizeBytes) {
    long countWords = Math.max(1, (sizeBytes + 7) >>> 3);
    int slack = (int) ((countWords << 3) - sizeBytes);
    clear(word, countWords);
    long last = word + countWords - 1;
    int index = (int) (last / SECTION_WORDS);
    long[] section = sections[index];
    int longs = SECTION_LONGS * (slack == 0 ? 1 : COUNT_PLANES);
    if (section == null || section.length < longs) {
      section = section == null ? new long[longs] : Arrays.copyOf(section, longs);
      sections[index] = section;
    }
    int bit = (int) (last % SECTION_WORDS);
    section[bit >>> 6] |= 1L << bit;
    for (int plane = 1; plane < section.length / SECTION_LONGS; plane++) {
      if ((slack & (1 << (plane - 1))) != 0) {
        section[plane * SECTION_LONGS + (bit >>> 6)] |= 1L << bit;
      }
    }
  }

  /** Size of the marked block that starts at a word; -1 if no mark follows. */
  long sizeBytes(long word) {
    int index = (int) (word / SECTION_WORDS);
    int from = (int) (word % SECTION_WORDS);
    for (; index < sections.length; index++, from = 0) {
      long[] section = sections[index];
      int bit = section == null ? -1 : nextMark(section, from);
      if (section != null && bit >= 0) {
        long last = (long) index * SECTION_WORDS + bit;
        return ((last - word + 1) << 3) - slack(section, bit);
      }
    }
    return -1;
  }

  void clear(long word, long countWords) {
    long end = word + countWords;
    for (long at = word; at < end; ) {
      int index = (int) (at / SECTION_WORDS);
      long sectionEnd = Math.min(end, (long) (index + 1) * SECTION_WORDS);
      long[] section = sections[index];
      if (section != null && sectionEnd - at == SECTION_WORDS) {
        sections[index] = null;
      } else if (section != null) {
        clear(section, (int) (at % SECTION_WORDS), (int) (sectionEnd - at));
      }
      at = sectionEnd;
    }
  }

  /** Estimate of the heap that this takes. */
  long metadataBytes() {
    long bytes = 16 + 4L * sections.length;
    for (long[] section : sections) {
      bytes += section == null ? 0 : 16 + 8L * section.length;
    }
    return bytes;
  }

  private static void clear(long[] section, int from, int count) {
    for (int at = from; at < from + count; ) {
      int next = Math.min((at & -Long.SIZE) + Long.SIZE, from + count);
      long mask = (-1L << at) & (-1L >>> -next);
      for (int i = at >>> 6; i < section.length; i += SECTION_LONGS) {
        section[i] &= ~mask;
      }
      at = next;
    }
  }

  private static int nextMark(long[] section, int from) {
    int index = from >>> 6;
    long bits = section[index] & (-1L << from);
    while (bits == 0) {
      if (++index == SECTION_LONGS) {
        return -1;
      }
      bits = section[index];
    }
    return (index << 6) + Long.numberOfTrailingZeros(bits);
  }

  private static int slack(long[] section, int bit) {
    int slack = 0;
    for (int plane = 1; plane < section.length / SECTION_LONGS; plane++) {
      long bits = section[plane * SECTION_LONGS + (bit >>> 6)];
      slack |= (int) ((bits >>> bit) & 1) << (plane - 1);
    }
    return slack;
  }
}
