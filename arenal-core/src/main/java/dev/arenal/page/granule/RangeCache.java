package dev.arenal.page.granule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cached granules of a supply: committed, unused, and joined with their neighbours.
 *
 * <p>Remembers which granules came back as one page, and whose it was, so that a hit can be told
 * from a cut (statistics only). A range that is removed, and added without an owner, is as it was.
 */
final class RangeCache extends GranuleRanges {
  /** How well the range taken from the cache matches the request. */
  enum Hit {
    /** A page of this very size, given back by the same owner. */
    L1,
    /** A page of this very size, given back by another owner. */
    L2,
    /** Cut from something larger, or joined from neighbours. */
    L3
  }

  /** The owner of ranges that did not come back as a page. */
  static final int NO_OWNER = -1;

  private static final int SECTION_SHIFT = 10;
  private static final int SECTION_SIZE = 1 << SECTION_SHIFT;

  /**
   * For each granule that is cached the first one of the page it came back with; for that one its
   * owner, as {@link #firstOf} has it.
   */
  private final int[] @Nullable [] origins;

  RangeCache(int granuleCount) {
    super(granuleCount);
    origins = new int[(granuleCount >>> SECTION_SHIFT) + 1][];
  }

  @Override
  void prepare(int from, int count) {
    super.prepare(from, count);
    for (int section = from >>> SECTION_SHIFT;
        section <= (from + count - 1) >>> SECTION_SHIFT;
        section++) {
      if (origins[section] == null) {
        origins[section] = new int[SECTION_SIZE];
      }
    }
  }

  void add(int from, int count, int owner) {
    add(from, count);
    setOrigins(from, from + 1, firstOf(owner));
    setOrigins(from + 1, from + count, from);
  }

  /** The origin of the first granule of a page of that owner: less than 0, as no granule is. */
  private static int firstOf(int owner) {
    return NO_OWNER - 1 - owner;
  }

  /** The first cached granule from there on; {@link GranuleRanges#NONE} if there is none. */
  int firstCached(int from) {
    return contains(from) ? from : firstFrom(from, 1);
  }

  /** How many from that one on are cached, too. */
  int cachedCount(int from) {
    int start = lastFrom(from, 1);
    return start + lengthAt(start) - from;
  }

  /** The name for taking this range, which is cached. */
  Hit hit(int from, int count, int owner) {
    int origin = origin(from);
    boolean isWhole = origin < 0;
    for (int i = 1; i < count && isWhole; i++) {
      isWhole = origin(from + i) == from;
    }
    int end = from + count;
    boolean goesOn = end >>> SECTION_SHIFT < origins.length && origin(end) == from;
    if (!isWhole || (goesOn && contains(end))) {
      return Hit.L3;
    }
    return origin == firstOf(owner) ? Hit.L1 : Hit.L2;
  }

  private int origin(int granule) {
    int[] section = origins[granule >>> SECTION_SHIFT];
    return section == null ? NONE : section[granule & (SECTION_SIZE - 1)];
  }

  @SuppressWarnings("NullAway") // prepared
  private void setOrigins(int from, int end, int origin) {
    for (int at = from; at < end; ) {
      int sectionEnd = Math.min(end, (at | (SECTION_SIZE - 1)) + 1);
      int offset = at & (SECTION_SIZE - 1);
      Arrays.fill(origins[at >>> SECTION_SHIFT], offset, offset + sectionEnd - at, origin);
      at = sectionEnd;
    }
  }
}
