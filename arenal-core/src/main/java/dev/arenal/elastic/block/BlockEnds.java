package dev.arenal.elastic.block;

import java.util.BitSet;
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
  private static final int BEGINNINGS = 1;
  private static final int FIRST_SLACK = 2;
  private static final int SLACK_BITS = 4;

  private final @Nullable BitSet[] sections;

  public BlockEnds(long wordCount) {
    sections = new BitSet[(int) ((wordCount + SECTION_WORDS - 1) / SECTION_WORDS)];
  }

  /** Marks the block that starts at a word; marks inside it are taken away. */
  public void mark(long word, long sizeBytes) {
    long wordCount = Math.max(1, (sizeBytes + 7) >>> 3);
    int slack = (int) ((wordCount << 3) - sizeBytes);
    long last = word + wordCount - 1;
    // First: where the Java heap is full, nothing has changed.
    BitSet section = section(last, slack == 0 ? FIRST_SLACK : FIRST_SLACK + SLACK_BITS);
    BitSet first = section(word, FIRST_SLACK);
    clear(word, wordCount, first, section);
    first.set(BEGINNINGS * SECTION_WORDS + (int) (word % SECTION_WORDS));
    int bit = (int) (last % SECTION_WORDS);
    section.set(bit);
    for (int i = 0; i < SLACK_BITS; i++) {
      section.set((FIRST_SLACK + i) * SECTION_WORDS + bit, (slack >>> i & 1) != 0);
    }
  }

  /** The section of a word, with room for so many planes. */
  private BitSet section(long word, int planeCount) {
    int index = (int) (word / SECTION_WORDS);
    BitSet section = sections[index];
    if (section == null) {
      section = new BitSet(planeCount * SECTION_WORDS);
      sections[index] = section;
    }
    if (section.size() < planeCount * SECTION_WORDS) {
      section.set(planeCount * SECTION_WORDS - 1);
      section.clear(planeCount * SECTION_WORDS - 1);
    }
    return section;
  }

  /** Size of the marked block that starts at a word; -1 if none does. */
  public long sizeBytes(long word) {
    int index = (int) (word / SECTION_WORDS);
    int from = (int) (word % SECTION_WORDS);
    BitSet section = sections[index];
    if (section == null || !section.get(BEGINNINGS * SECTION_WORDS + from)) {
      return -1;
    }
    for (; index < sections.length; index++, from = 0) {
      section = sections[index];
      int bit = section == null ? -1 : section.nextSetBit(from);
      if (section != null && bit >= 0 && bit < SECTION_WORDS) {
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
  @SuppressWarnings("ReferenceEquality") // the sections themselves
  private void clear(long word, long wordCount, @Nullable BitSet kept, @Nullable BitSet keptToo) {
    long end = word + wordCount;
    for (long at = word; at < end; ) {
      int index = (int) (at / SECTION_WORDS);
      long sectionEnd = Math.min(end, (long) (index + 1) * SECTION_WORDS);
      BitSet section = sections[index];
      boolean isKept = section == kept || section == keptToo;
      if (section != null && !isKept && sectionEnd - at == SECTION_WORDS) {
        sections[index] = null;
      } else if (section != null) {
        int from = (int) (at % SECTION_WORDS);
        for (int plane = 0; plane < FIRST_SLACK + SLACK_BITS; plane++, from += SECTION_WORDS) {
          section.clear(from, from + (int) (sectionEnd - at));
        }
      }
      at = sectionEnd;
    }
  }

  /** Estimate of the heap that this takes. */
  public long metadataBytes() {
    long bytes = 16 + 4L * sections.length;
    for (BitSet section : sections) {
      bytes += section == null ? 0 : 40 + section.size() / Byte.SIZE;
    }
    return bytes;
  }

  private static int slack(BitSet section, int bit) {
    int slack = 0;
    for (int i = 0; i < SLACK_BITS; i++) {
      slack |= section.get((FIRST_SLACK + i) * SECTION_WORDS + bit) ? 1 << i : 0;
    }
    return slack;
  }
}
