package dev.arenal.elastic.block;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which words of an arena's memory are in free blocks: a bit for each word of 8 bytes, so that
 * neighbours and overlaps are found by looking, not by searching.
 *
 * <p>In sections of 32 KiB, found by hashing. INV-FREE-4: a section some of whose words are free
 * and some not is there. One that is not there has no free word, or one of the {@link LargeBlocks}
 * covers it: so a free gigabyte takes two sections at most. A section stays, whatever becomes of
 * its words: 528 bytes, 1.6 % of what it describes.
 */
final class FreeWords {
  private static final int SECTION_SHIFT = 12;
  static final int SECTION_WORDS = 1 << SECTION_SHIFT;
  private static final int SECTION_LONGS = SECTION_WORDS / Long.SIZE;

  private final LargeBlocks large;

  /** Numbers of sections, 0 where there is none; a power of two, at most half in use. */
  private long[] numbers = new long[4];

  private long[] @Nullable [] sections = new long[4][];
  private int sectionCount;

  FreeWords(LargeBlocks large) {
    this.large = large;
  }

  /** Where a word is in its section. */
  static int bitOf(long word) {
    return (int) word & (SECTION_WORDS - 1);
  }

  /** The section with a word, which has a long of zeros behind it; null if it is not there. */
  long @Nullable [] section(long word) {
    long number = word >>> SECTION_SHIFT;
    int at = slot(numbers, number);
    return numbers[at] == number ? sections[at] : null;
  }

  /** Where a section is, or should be. */
  private static int slot(long[] numbers, long number) {
    // Sections next to each other never meet; those of stretches far apart are scattered.
    long scattered = number ^ (number >>> 7) ^ (number >>> 14) ^ (number >>> 21);
    int at = (int) scattered & (numbers.length - 1);
    while (numbers[at] != number && numbers[at] != 0) {
      at = (at + 1) & (numbers.length - 1);
    }
    return at;
  }

  /** The 64 bits from one on; those behind the section are 0. */
  static long bitsFrom(long[] section, int from) {
    int index = from >>> 6;
    return (section[index] >>> from) | ((section[index + 1] << 1) << (63 - (from & 63)));
  }

  /** Sets up to 64 bits, all of which are in the section, unless any of them is set. */
  static boolean setClearBits(long[] section, int from, int count) {
    int index = from >>> 6;
    long bits = -1L >>> -count;
    long low = bits << from;
    long high = (bits >>> 1) >>> (63 - (from & 63));
    long first = section[index];
    long second = section[index + 1];
    if (((first & low) | (second & high)) != 0) {
      return false;
    }
    section[index] = first | low;
    section[index + 1] = second | high;
    return true;
  }

  /** The first set bit from one on; -1 if there is none. The last long has none. */
  static int nextBit(long[] bits, int from) {
    for (int at = from; at < (bits.length - 1) * Long.SIZE; at += Long.SIZE) {
      long found = bitsFrom(bits, at);
      if (found != 0) {
        return at + Long.numberOfTrailingZeros(found);
      }
    }
    return -1;
  }

  /** Clears up to 64 bits, all of which are in the section. */
  static void clearBits(long[] section, int from, int count) {
    int index = from >>> 6;
    long bits = -1L >>> -count;
    section[index] &= ~(bits << from);
    section[index + 1] &= ~((bits >>> 1) >>> (63 - (from & 63)));
  }

  /**
   * Makes room for a change of a range, all of whose words are free, or none: afterwards it needs
   * no heap, to and fro.
   */
  void prepare(long address, long sizeBytes) {
    long first = address >>> 3;
    long end = (address + sizeBytes) >>> 3;
    if (bitOf(first) != 0 || end - first < SECTION_WORDS) {
      prepareSection(first >>> SECTION_SHIFT);
    }
    if (bitOf(end) != 0 && (end ^ first) >>> SECTION_SHIFT != 0) {
      prepareSection(end >>> SECTION_SHIFT);
    }
  }

  private void prepareSection(long number) {
    if (numbers[slot(numbers, number)] == number) {
      return;
    }
    long[] section = new long[SECTION_LONGS + 1];
    if (isCovered(number << SECTION_SHIFT)) {
      Arrays.fill(section, 0, SECTION_LONGS, -1L);
    }
    if (2 * (sectionCount + 1) > numbers.length) {
      rehash();
    }
    int at = slot(numbers, number);
    numbers[at] = number;
    sections[at] = section;
    sectionCount++;
  }

  private void rehash() {
    long[] moreNumbers = new long[2 * numbers.length];
    long[] @Nullable [] moreSections = new long[2 * numbers.length][];
    for (int i = 0; i < numbers.length; i++) {
      long[] section = sections[i];
      if (section != null) {
        int at = slot(moreNumbers, numbers[i]);
        moreNumbers[at] = numbers[i];
        moreSections[at] = section;
      }
    }
    numbers = moreNumbers;
    sections = moreSections;
  }

  private boolean isCovered(long word) {
    return large.covers(word << 3);
  }

  /** Whether any byte of a range is in a free word. */
  boolean isAnyFree(long address, long sizeBytes) {
    long end = (address + sizeBytes + 7) >>> 3;
    for (long at = address >>> 3; at < end; at = nextSection(at)) {
      long[] section = section(at);
      if (section == null ? isCovered(at) : isAnySet(section, at, end)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAnySet(long[] section, long from, long end) {
    int at = bitOf(from);
    int to = (int) Math.min(SECTION_WORDS, at + end - from);
    long any = 0;
    for (; to - at > Long.SIZE; at += Long.SIZE) {
      any |= bitsFrom(section, at);
    }
    return (any | (bitsFrom(section, at) & (-1L >>> (at - to)))) != 0;
  }

  /** Marks a range for which room has been made as free. */
  void set(long address, long sizeBytes) {
    mark(address, sizeBytes, true);
  }

  /** Marks a range for which room has been made as not free. */
  void clear(long address, long sizeBytes) {
    int from = bitOf(address >>> 3);
    if (sizeBytes <= Long.SIZE * 8 && from + (sizeBytes >>> 3) <= SECTION_WORDS) {
      long[] section = section(address >>> 3);
      if (section != null) {
        clearBits(section, from, (int) (sizeBytes >>> 3));
      }
      return;
    }
    mark(address, sizeBytes, false);
  }

  private void mark(long address, long sizeBytes, boolean free) {
    long end = (address + sizeBytes) >>> 3;
    for (long at = address >>> 3; at < end; ) {
      long next = Math.min(end, (at & -Long.SIZE) + Long.SIZE); // the bits stand in one long
      long[] section = section(at);
      if (section != null) {
        long bits = (-1L >>> (at - next)) << at;
        int index = bitOf(at) >>> 6;
        section[index] = free ? section[index] | bits : section[index] & ~bits;
      }
      at = section == null ? nextSection(at) : next;
    }
  }

  /**
   * Where the free words begin that end at an address: the address itself if there are none. Where
   * that is more than {@link SmallBins#MOST_BYTES} away, any address that far.
   */
  long startOfFree(long address) {
    long at = address >>> 3;
    long enough = at - SmallBins.MOST_BYTES / 8;
    while (at >= enough) {
      long last = at - 1;
      long[] section = section(last);
      if (section == null) {
        if (!isCovered(last)) {
          break;
        }
        at = last & -SECTION_WORDS;
        continue;
      }
      int bit = bitOf(last);
      int free = Long.numberOfLeadingZeros(~(section[bit >>> 6] << ~bit));
      at -= free;
      if (free <= (bit & 63)) {
        break;
      }
    }
    return at << 3;
  }

  /** Where the free words end that begin at an address, in the same way. */
  long endOfFree(long address) {
    long at = address >>> 3;
    long enough = at + SmallBins.MOST_BYTES / 8;
    while (at <= enough) {
      long[] section = section(at);
      if (section == null) {
        if (!isCovered(at)) {
          break;
        }
        at = nextSection(at);
        continue;
      }
      int bit = bitOf(at);
      int free = Long.numberOfTrailingZeros(~(section[bit >>> 6] >>> bit));
      at += free;
      if (free < Long.SIZE - (bit & 63)) {
        break;
      }
    }
    return at << 3;
  }

  /** Whether a range of so many words is a free block: it is free, and its neighbours are not. */
  boolean isBlock(long address, int wordCount) {
    long word = address >>> 3;
    int from = bitOf(word);
    if (from > 0 && from + wordCount < SECTION_WORDS && wordCount <= Long.SIZE - 2) {
      long[] section = section(word);
      if (section == null) {
        return false;
      }
      long block = -1L >>> -wordCount << 1;
      return (bitsFrom(section, from - 1) & (block | block << 1 | 1)) == block;
    }
    return startOfFree(address) == address
        && endOfFree(address) == address + ((long) wordCount << 3);
  }

  /** Takes the first words of a range if that is a free block; it has so many words or more. */
  boolean takeBlock(long address, int wordCount, int takenCount) {
    int from = bitOf(address >>> 3);
    if (from > 0 && from + wordCount < SECTION_WORDS && wordCount <= Long.SIZE - 2) {
      long[] section = section(address >>> 3);
      long block = -1L >>> -wordCount << 1;
      if (section == null || (bitsFrom(section, from - 1) & (block | block << 1 | 1)) != block) {
        return false;
      }
      clearBits(section, from, takenCount);
      return true;
    }
    boolean isBlock = isBlock(address, wordCount);
    if (isBlock) {
      clear(address, (long) takenCount << 3);
    }
    return isBlock;
  }

  private static long nextSection(long word) {
    return (word & -SECTION_WORDS) + SECTION_WORDS;
  }

  /** Checks that all words of a large block are free, and its neighbours are not. */
  void verifyLarge(long address, long sizeBytes) {
    FreeBlocks.check(startOfFree(address) == address, "INV-FREE-1: start", address);
    long end = address + sizeBytes;
    FreeBlocks.check(endOfFree(end) == end, "INV-FREE-1: end", end);
    for (long at = address; at < end; at = Math.max(at + 8, endOfFree(at))) {
      FreeBlocks.check(isAnyFree(at, 8), "INV-FREE-4: word", at);
    }
  }

  /** Calls {@code visitor} for each small block; checks that the others are known as large ones. */
  void visitSmall(LargeBlocks.Visitor visitor) {
    for (int i = 0; i < numbers.length; i++) {
      long[] section = sections[i];
      for (int bit = 0; section != null && bit < SECTION_WORDS; ) {
        int used = Long.numberOfTrailingZeros(bitsFrom(section, bit));
        if (used != 0) {
          bit += used;
          continue;
        }
        long address = ((numbers[i] << SECTION_SHIFT) + bit) << 3;
        long end = endOfFree(address);
        if (end > address && startOfFree(address) == address) {
          if (end - address <= SmallBins.MOST_BYTES) {
            visitor.visit(address, end - address);
          } else {
            FreeBlocks.check(large.start(large.floor(address)) == address, "INV-FREE-2", address);
          }
        }
        bit += (int) Math.min(SECTION_WORDS, Math.max(1, (end - address) >>> 3));
      }
    }
  }
}
