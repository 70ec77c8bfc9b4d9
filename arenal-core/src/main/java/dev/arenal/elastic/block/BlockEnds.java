package dev.arenal.elastic.block;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the blocks begin and end that have references: a bit for the first word of each, a bit for
 * the last, and four bits for how many bytes of that the block leaves unused (8 where it is empty).
 *
 * <p>In sections of 64 KiB that come into being with their first mark; a section whose blocks fill
 * their words needs two planes of bits, 3.1 % of what it describes. Without the plane of the
 * beginnings a reference to a block that is gone would name the block that ends next.
 */
public final class BlockEnds {
  private static final int SECTION_WORDS = 8192;
  private static final int SECTION_LONGS = SECTION_WORDS / Long.SIZE;
  private static final int BEGINNINGS = 1;
  private static final int FIRST_SLACK = 2;
  private static final int PLANE_COUNT = 6;

  private final long[] @Nullable [] sections;

  public BlockEnds(long wordCount) {
    sections = new long[(int) ((wordCount + SECTION_WORDS - 1) / SECTION_WORDS)][];
  }

  /** Marks the block that starts at a word; marks inside it are taken away. */
  public void mark(long word, long sizeBytes) {
    long wordCount = Math.max(1, (sizeBytes + 7) >>> 3);
    int slack = (int) ((wordCount << 3) - sizeBytes);
    long last = word + wordCount - 1;
    // First: where the Java heap is full, nothing has changed.
    long[] section = section(last, slack == 0 ? FIRST_SLACK : PLANE_COUNT);
    long[] first = section(word, FIRST_SLACK);
    clear(word, wordCount, first, section);
    int bit = (int) (word % SECTION_WORDS);
    first[BEGINNINGS * SECTION_LONGS + (bit >>> 6)] |= 1L << bit;
    bit = (int) (last % SECTION_WORDS);
    section[bit >>> 6] |= 1L << bit;
    for (int plane = FIRST_SLACK; plane < section.length / SECTION_LONGS; plane++) {
      if ((slack & (1 << (plane - FIRST_SLACK))) != 0) {
        section[plane * SECTION_LONGS + (bit >>> 6)] |= 1L << bit;
      }
    }
  }

  private long[] section(long word, int planeCount) {
    int index = (int) (word / SECTION_WORDS);
    long[] section = sections[index];
    int longs = SECTION_LONGS * planeCount;
    if (section == null || section.length < longs) {
      section = section == null ? new long[longs] : Arrays.copyOf(section, longs);
      sections[index] = section;
    }
    return section;
  }

  /** Size of the marked block that starts at a word; -1 if none does. */
  public long sizeBytes(long word) {
    int index = (int) (word / SECTION_WORDS);
    int from = (int) (word % SECTION_WORDS);
    long[] first = sections[index];
    if (first == null || (first[BEGINNINGS * SECTION_LONGS + (from >>> 6)] & (1L << from)) == 0) {
      return -1;
    }
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

  /** Takes the marks of a range away. */
  public void clear(long word, long wordCount) {
    clear(word, wordCount, null, null);
  }

  /** The same; a section that the range covers is dropped, but for those two. */
  @SuppressWarnings("ReferenceEquality") // arrays
  private void clear(long word, long wordCount, long @Nullable [] kept, long @Nullable [] keptToo) {
    long end = word + wordCount;
    for (long at = word; at < end; ) {
      int index = (int) (at / SECTION_WORDS);
      long sectionEnd = Math.min(end, (long) (index + 1) * SECTION_WORDS);
      long[] section = sections[index];
      boolean isKept = section == kept || section == keptToo;
      if (section != null && !isKept && sectionEnd - at == SECTION_WORDS) {
        sections[index] = null;
      } else if (section != null) {
        clear(section, (int) (at % SECTION_WORDS), (int) (sectionEnd - at));
      }
      at = sectionEnd;
    }
  }

  /** Estimate of the heap that this takes. */
  public long metadataBytes() {
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
    for (int plane = FIRST_SLACK; plane < section.length / SECTION_LONGS; plane++) {
      long bits = section[plane * SECTION_LONGS + (bit >>> 6)];
      slack |= (int) ((bits >>> bit) & 1) << (plane - FIRST_SLACK);
    }
    return slack;
  }
}
