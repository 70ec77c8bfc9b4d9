package dev.arenal.page.granule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cached granules of a supply: committed, unused, and joined with their neighbours.
 *
 * <p>Remembers which granules came back as one page, and whose it was, so that a hit can be told
 * from a cut (statistics only). Not thread-safe.
 */
final class RangeCache {
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

  final GranuleRanges ranges;

  /** For each granule that is cached the first one of the page it came back with. */
  private final int[] @Nullable [] firsts;

  private final int[] @Nullable [] owners;

  RangeCache(int granuleCount) {
    ranges = new GranuleRanges(granuleCount);
    int sectionCount = (granuleCount >>> SECTION_SHIFT) + 1;
    firsts = new int[sectionCount][];
    owners = new int[sectionCount][];
  }

  int totalGranules() {
    return ranges.totalGranules();
  }

  /** Makes room for a range, so that adding it cannot run out of heap. */
  void prepare(int from, int count) {
    ranges.prepare(from, count);
    for (int section = from >>> SECTION_SHIFT;
        section <= (from + count - 1) >>> SECTION_SHIFT;
        section++) {
      if (owners[section] == null) {
        int[] added = new int[SECTION_SIZE];
        owners[section] = new int[SECTION_SIZE];
        firsts[section] = added;
      }
    }
  }

  void add(int from, int count, int owner) {
    ranges.add(from, count);
    fill(firsts, from, count, from);
    fill(owners, from, count, owner);
  }

  /** Adds a range that was just removed, as if it had never been away. */
  void putBack(int from, int count) {
    ranges.add(from, count);
  }

  void remove(int from, int count) {
    ranges.remove(from, count);
  }

  /** The first cached granule from there on; {@link GranuleRanges#NONE} if there is none. */
  int firstCached(int from) {
    int start = ranges.lastFrom(from, 1);
    return start != GranuleRanges.NONE && from < start + ranges.lengthAt(start)
        ? from
        : ranges.firstFrom(from, 1);
  }

  /** How many from that one on are cached, too. */
  int cachedCount(int from) {
    int start = ranges.lastFrom(from, 1);
    return start + ranges.lengthAt(start) - from;
  }

  /** The name for taking this range, which is cached. */
  Hit hit(int from, int count, int owner) {
    for (int i = 0; i < count; i++) {
      if (get(firsts, from + i) != from) {
        return Hit.L3;
      }
    }
    int end = from + count;
    boolean goesOn = end >>> SECTION_SHIFT < firsts.length && get(firsts, end) == from;
    if (goesOn && ranges.contains(end)) {
      return Hit.L3;
    }
    return get(owners, from) == owner ? Hit.L1 : Hit.L2;
  }

  private static int get(int[] @Nullable [] sections, int granule) {
    int[] section = sections[granule >>> SECTION_SHIFT];
    return section == null ? GranuleRanges.NONE : section[granule & (SECTION_SIZE - 1)];
  }

  @SuppressWarnings("NullAway") // prepared
  private static void fill(int[] @Nullable [] sections, int from, int count, int value) {
    int end = from + count;
    for (int at = from; at < end; ) {
      int sectionEnd = Math.min(end, (at | (SECTION_SIZE - 1)) + 1);
      int offset = at & (SECTION_SIZE - 1);
      Arrays.fill(sections[at >>> SECTION_SHIFT], offset, offset + sectionEnd - at, value);
      at = sectionEnd;
    }
  }
}
