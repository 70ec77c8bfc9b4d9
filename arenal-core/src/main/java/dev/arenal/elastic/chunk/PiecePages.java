package dev.arenal.elastic.chunk;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Pages of 4 KiB that small arenas share, in pieces of any number of 64 bytes: without buddies, so
 * that what an arena leaves of a page is no hole of a power of two.
 *
 * <p>A page is a chunk taken from the {@link ChunkManager}, with a map of 64 bits: a bit is set
 * where 64 bytes are free. The lowest page with room is filled first, so that arenas that are born
 * together lie together, and arenas of one kind have a page to themselves while it is filled, so
 * that arenas that may well die together do so, too: see docs/adr/0046. A page whose bits are all
 * set goes back. Commits nothing: a page is committed as long as a piece of it is in use
 * (INV-SPACE-3). Guarded by the lock of the space.
 *
 * <p>INV-PIECE-1: a piece in use has no free bit, and each bit that is not free is in one piece.
 * INV-PIECE-2: the longest run that is known of a page, of 64 pages and of a root is that of the
 * map, or none for the current page of a kind. INV-PIECE-3: a page is current for one kind at most,
 * and a piece of it is in use.
 */
public final class PiecePages {
  private static final int PAGE_SHIFT = 12;
  private static final int PAGE_LEVEL = Chunk.ROOT_SHIFT - PAGE_SHIFT;
  private static final int PAGE_UNITS = 1 << (PAGE_SHIFT - Chunk.PIECE_SHIFT);
  private static final int GROUP_PAGES = 64;
  private static final int GROUP_SHIFT = 6;
  private static final int ROOT_GROUPS = 1 << (PAGE_LEVEL - GROUP_SHIFT);

  public static final long PAGE_BYTES = 1L << PAGE_SHIFT;

  /** A larger request gets a separate page. */
  public static final long LARGEST_BYTES = PAGE_BYTES / 2;

  /** The kind of arenas that are like too few others to have a page to themselves. */
  public static final int COMMON = 0;

  private static final int KINDS_SHIFT = 4;

  /** Fewer arenas of a kind than this get no page: each page costs half of one at a peak. */
  private static final int LEAST_ARENAS = 8;

  /** The longest run of a page that is current for a kind of arenas: none for the others. */
  private static final byte CURRENT = -1;

  /** The place of an arena in a row of arenas that begin alike; beyond that it is the same. */
  private static final int LAST_PLACE = 2;

  private final ChunkManager chunks;

  /** The current page of each kind: its number in all roots, or {@link Chunk#NONE}. */
  private final long[] current = new long[1 + (1 << KINDS_SHIFT)];

  /** How many arenas of each kind there have been, up to {@link #LEAST_ARENAS}. */
  private final byte[] arenas = new byte[current.length];

  private long firstBytesBefore;
  private int place;

  /** Pieces are whole numbers of so many units. */
  private final int grainUnits;

  private @Nullable Root[] roots = {};

  /**
   * @param grainBytes what sizes are rounded up to: 64, or more up to a page
   */
  PiecePages(ChunkManager chunks, long grainBytes) {
    this.chunks = chunks;
    this.grainUnits = (int) (grainBytes >>> Chunk.PIECE_SHIFT);
    Arrays.fill(current, Chunk.NONE);
  }

  /** Bytes of pages in use that belong to no piece; all committed. */
  public long freeBytes() {
    return count(false) << Chunk.PIECE_SHIFT;
  }

  /**
   * The kind of an arena that begins now: arenas are of one kind if they begin with a block of the
   * same size, and have the same place in a row of such arenas. A program that opens several arenas
   * for one purpose, in turn, and keeps some of them, keeps those of the same kinds.
   */
  public int kindOfNext(long firstBytes) {
    place = firstBytes == firstBytesBefore ? Math.min(place + 1, LAST_PLACE) : 0;
    firstBytesBefore = firstBytes;
    int hash = (int) ((firstBytes >>> 3) * (LAST_PLACE + 1) + place) * 0x9E3779B1;
    int kind = 1 + (hash >>> (Integer.SIZE - KINDS_SHIFT));
    if (arenas[kind] < LEAST_ARENAS) {
      arenas[kind]++;
      return COMMON;
    }
    return kind;
  }

  /**
   * Takes a piece of at least that size: from the current page of its kind, else from the lowest
   * page that is current for none, which becomes the current page of this kind.
   *
   * @return a handle, or {@link Chunk#NONE} where there is no address for another page
   */
  public long take(long sizeBytes, int kind) {
    int units = units(sizeBytes);
    long own = current[kind];
    if (own != Chunk.NONE && starts(root(ofRoot(own)).free(inRoot(own)), units) != 0) {
      return take(ofRoot(own), inRoot(own), units);
    }
    long piece = takeFromOthers(units);
    if (piece == Chunk.NONE && shareCurrent()) {
      piece = takeFromOthers(units);
    }
    if (piece != Chunk.NONE && kind != COMMON) {
      setCurrent(kind, number(piece));
    }
    return piece;
  }

  private void setCurrent(int kind, long page) {
    if (current[kind] != Chunk.NONE) {
      root(ofRoot(current[kind])).setCurrent(inRoot(current[kind]), false);
    }
    current[kind] = page;
    if (page != Chunk.NONE) {
      root(ofRoot(page)).setCurrent(inRoot(page), true);
    }
  }

  /**
   * Ends that pages are current, so that each kind may use those of the others; needs no heap.
   *
   * @return whether there were any
   */
  public boolean shareCurrent() {
    boolean any = false;
    for (int kind = 0; kind < current.length; kind++) {
      any |= current[kind] != Chunk.NONE;
      setCurrent(kind, Chunk.NONE);
    }
    return any;
  }

  /** The number of the page of a piece, in all roots. */
  private static long number(long piece) {
    return ((long) Chunk.root(piece) << PAGE_LEVEL) + page(piece);
  }

  private static int ofRoot(long page) {
    return (int) (page >>> PAGE_LEVEL);
  }

  private static int inRoot(long page) {
    return (int) page & ((1 << PAGE_LEVEL) - 1);
  }

  private long takeFromOthers(int units) {
    for (int i = 0; i < roots.length; i++) {
      Root root = roots[i];
      if (root != null && root.longest >= units) {
        return take(i, root.pageWith(units), units);
      }
    }
    long page = chunks.takePage(PAGE_LEVEL);
    if (page == Chunk.NONE) {
      return page;
    }
    try {
      prepare(page);
    } catch (OutOfMemoryError e) { // the heap is full
      chunks.putBack(page);
      throw e;
    }
    chunks.setCut(page, true);
    int at = (int) (Chunk.offsetBytes(page) >>> PAGE_SHIFT);
    root(Chunk.root(page)).set(at, -1L);
    return take(Chunk.root(page), at, units);
  }

  private long take(int index, int page, int units) {
    Root root = root(index);
    long free = root.free(page);
    int first = Long.numberOfTrailingZeros(starts(free, units));
    root.set(page, free & ~bits(first, units));
    return Chunk.piece(index, page * PAGE_UNITS + first, units);
  }

  /**
   * Makes a piece longer where what follows it in its page is free.
   *
   * @return the handle of the longer piece, or {@link Chunk#NONE}
   */
  public long extend(long piece, long byBytes) {
    if (byBytes > PAGE_BYTES) { // also more than an int has units for
      return Chunk.NONE;
    }
    int units = units(byBytes);
    int page = page(piece);
    int from = first(piece) + Chunk.pieceUnits(piece);
    Root root = root(Chunk.root(piece));
    long more = from + units > PAGE_UNITS ? 0 : bits(from, units);
    if (more == 0 || (root.free(page) & more) != more) {
      return Chunk.NONE;
    }
    root.set(page, root.free(page) & ~more);
    return Chunk.piece(
        Chunk.root(piece), page * PAGE_UNITS + first(piece), Chunk.pieceUnits(piece) + units);
  }

  /**
   * The end of a piece that is not needed if so much is used of it.
   *
   * @return the handle of a piece to {@linkplain #giveBack give back}, or {@link Chunk#NONE}
   */
  public long unusedEnd(long piece, long usedBytes) {
    int neededUnits = units(Math.max(1, usedBytes));
    int rest = Chunk.pieceUnits(piece) - neededUnits;
    return rest <= 0
        ? Chunk.NONE
        : Chunk.piece(
            Chunk.root(piece), page(piece) * PAGE_UNITS + first(piece) + neededUnits, rest);
  }

  /**
   * Takes a piece back, or a part of one; needs no heap.
   *
   * @return the page, which is now the caller's to give back, if nothing of it is in use any more;
   *     else {@link Chunk#NONE}
   */
  long giveBack(long piece) {
    Root root = root(Chunk.root(piece));
    int page = page(piece);
    long bits = bits(first(piece), Chunk.pieceUnits(piece));
    assert (root.free(page) & bits) == 0 : "INV-PIECE-1: freed twice: " + Long.toHexString(piece);
    long free = root.free(page) | bits;
    if (free != -1L) {
      root.set(page, free);
      return Chunk.NONE;
    }
    for (int kind = 0; root.isCurrent(page) && kind < current.length; kind++) {
      if (current[kind] == number(piece)) {
        setCurrent(kind, Chunk.NONE);
      }
    }
    root.set(page, 0);
    int unit = page << (PAGE_SHIFT - Chunk.UNIT_SHIFT);
    long whole = Chunk.handle(Chunk.root(piece), unit, PAGE_LEVEL);
    chunks.setCut(whole, false);
    return whole;
  }

  /** The free bits of the page in which a unit of a root lies; 0 if none are free, or no piece. */
  long freeAt(int root, int unit) {
    Root maps = root < roots.length ? roots[root] : null;
    return maps == null ? 0 : maps.free(unit >>> (PAGE_SHIFT - Chunk.UNIT_SHIFT));
  }

  /** How many runs of free units there are. */
  public long freeCount() {
    return count(true);
  }

  private long count(boolean runs) {
    long count = 0;
    for (Root root : roots) {
      count += root == null ? 0 : root.freeCount(runs);
    }
    return count;
  }

  /** Estimate of the heap that the maps take. */
  public long metadataBytes() {
    long bytes = 16 + 4L * roots.length + 32 + 9L * current.length;
    for (Root root : roots) {
      bytes += root == null ? 0 : root.metadataBytes();
    }
    return bytes;
  }

  private int units(long sizeBytes) {
    long units = (sizeBytes + (1 << Chunk.PIECE_SHIFT) - 1) >>> Chunk.PIECE_SHIFT;
    return (int) (units + grainUnits - 1) & -grainUnits;
  }

  private void prepare(long page) {
    int index = Chunk.root(page);
    if (index >= roots.length) {
      roots = Arrays.copyOf(roots, Math.max(2 * roots.length, index + 1));
    }
    Root root = roots[index];
    if (root == null) {
      root = new Root();
      roots[index] = root;
    }
    root.prepare((int) (Chunk.offsetBytes(page) >>> PAGE_SHIFT));
  }

  private Root root(int index) {
    Root root = roots[index];
    if (root == null) {
      throw new AssertionError("root without pieces: root=" + index);
    }
    return root;
  }

  private static int page(long piece) {
    return (int) (Chunk.offsetBytes(piece) >>> PAGE_SHIFT);
  }

  private static int first(long piece) {
    return (int) (Chunk.offsetBytes(piece) >>> Chunk.PIECE_SHIFT) & (PAGE_UNITS - 1);
  }

  private static long bits(int first, int count) {
    return (-1L >>> (Long.SIZE - count)) << first;
  }

  /** The bits at which so many set bits begin. */
  private static long starts(long bits, int count) {
    long starts = bits;
    for (int have = 1; have < count && starts != 0; ) {
      int step = Math.min(have, count - have);
      starts &= starts >>> step;
      have += step;
    }
    return starts;
  }

  /** The longest run of set bits, in steps that halve: which of them still fit. */
  private static int longestRun(long from1) {
    if (from1 == -1L) {
      return Long.SIZE;
    }
    // A bit is set where so many set bits begin.
    long from2 = from1 & from1 >>> 1;
    long from4 = from2 & from2 >>> 2;
    long from8 = from4 & from4 >>> 4;
    long from16 = from8 & from8 >>> 8;
    long from32 = from16 & from16 >>> 16;
    long starts = from32 == 0 ? -1L : from32;
    int length = from32 == 0 ? 0 : 32;
    long longer = starts & from16 >>> length;
    starts = longer == 0 ? starts : longer;
    length += longer == 0 ? 0 : 16;
    longer = starts & from8 >>> length;
    starts = longer == 0 ? starts : longer;
    length += longer == 0 ? 0 : 8;
    longer = starts & from4 >>> length;
    starts = longer == 0 ? starts : longer;
    length += longer == 0 ? 0 : 4;
    longer = starts & from2 >>> length;
    starts = longer == 0 ? starts : longer;
    length += longer == 0 ? 0 : 2;
    return length + ((starts & from1 >>> length) == 0 ? 0 : 1);
  }

  /**
   * Checks the maps; pieces are marked by the caller.
   *
   * @param inUse for each root the units of 64 bytes that are in pieces of arenas
   * @param covered for each root the units of chunks that are accounted for; marks those of pages
   */
  public void verify(BitSet[] inUse, BitSet[] covered) {
    for (int index = 0; index < inUse.length; index++) {
      Root root = index < roots.length ? roots[index] : null;
      long[] usedUnits = inUse[index].toLongArray(); // as many in each as a page has
      for (int page = 0; page < 1 << PAGE_LEVEL; page++) {
        long used = page < usedUnits.length ? usedUnits[page] : 0;
        long free = root == null ? 0 : root.free(page);
        if ((used | free) == 0) {
          continue;
        }
        check((used ^ free) == -1L, "INV-PIECE-1: in one piece or free", index, page);
        check(used != 0, "INV-PIECE-1: an empty page has gone back", index, page);
        int unit = page << (PAGE_SHIFT - Chunk.UNIT_SHIFT);
        int end = unit + (1 << (PAGE_SHIFT - Chunk.UNIT_SHIFT));
        int overlap = covered[index].nextSetBit(unit);
        check(overlap < 0 || overlap >= end, "INV-SPACE-2: a page is no chunk", index, page);
        covered[index].set(unit, end);
      }
      check(root == null || root.isInOrder(), "INV-PIECE-2: longest runs", index, -1);
    }
    verifyCurrent();
  }

  private void verifyCurrent() {
    int count = 0;
    for (long page : current) {
      if (page != Chunk.NONE) {
        Root root = root(ofRoot(page));
        boolean isPage = root.free(inRoot(page)) != -1L && root.isCurrent(inRoot(page));
        check(isPage, "INV-PIECE-3: a current page is in use", ofRoot(page), inRoot(page));
        count++;
      }
    }
    for (Root root : roots) {
      count -= root == null ? 0 : root.currentCount();
    }
    check(count == 0, "INV-PIECE-3: current for one kind", -1, -1);
  }

  private static void check(boolean condition, String what, int root, int page) {
    if (!condition) {
      throw new AssertionError(what + ": root=" + root + ", page=" + page);
    }
  }

  /** The maps of a root: 64 pages have them together, as soon as one of these has pieces. */
  private static final class Root {
    private final @Nullable Group[] groups = new @Nullable Group[ROOT_GROUPS];

    /** The longest run of free units in the pages of each group, and in all. */
    private final byte[] longestOfGroup = new byte[ROOT_GROUPS];

    int longest;

    void prepare(int page) {
      if (groups[page >>> GROUP_SHIFT] == null) {
        groups[page >>> GROUP_SHIFT] = new Group();
      }
    }

    long free(int page) {
      Group group = groups[page >>> GROUP_SHIFT];
      return group == null ? 0 : group.free[page & (GROUP_PAGES - 1)];
    }

    void set(int page, long free) {
      Group group = group(page);
      int inGroup = page & (GROUP_PAGES - 1);
      group.free[inGroup] = free;
      if (!group.isCurrent(inGroup)) {
        noteLongest(group, page, longestRun(free));
      }
    }

    private Group group(int page) {
      Group group = groups[page >>> GROUP_SHIFT];
      if (group == null) {
        throw new AssertionError("page without map: page=" + page);
      }
      return group;
    }

    boolean isCurrent(int page) {
      Group group = groups[page >>> GROUP_SHIFT];
      return group != null && group.isCurrent(page & (GROUP_PAGES - 1));
    }

    /** Whether a page, which has a map, is current: a search for a page passes over it then. */
    void setCurrent(int page, boolean isCurrent) {
      noteLongest(group(page), page, isCurrent ? CURRENT : longestRun(free(page)));
    }

    private void noteLongest(Group group, int page, int now) {
      int at = page >>> GROUP_SHIFT;
      int ofGroup = longestAfter(group.longest, page & (GROUP_PAGES - 1), now, longestOfGroup[at]);
      if (ofGroup != longestOfGroup[at]) {
        longest = longestAfter(longestOfGroup, at, ofGroup, longest);
      }
    }

    /** Changes one of these, and returns the largest of all if it was so before. */
    private static int longestAfter(byte[] all, int at, int now, int largestBefore) {
      int before = all[at];
      all[at] = (byte) now;
      if (now >= largestBefore) {
        return now;
      }
      return before == largestBefore ? largest(all) : largestBefore;
    }

    private static int largest(byte[] all) {
      int largest = 0;
      for (byte each : all) {
        largest = Math.max(largest, each);
      }
      return largest;
    }

    /** The lowest page that has a run of so many free units, of which there is one. */
    int pageWith(int units) {
      int at = firstAtLeast(longestOfGroup, units);
      int first = at << GROUP_SHIFT;
      return first + firstAtLeast(group(first).longest, units);
    }

    private static int firstAtLeast(byte[] all, int least) {
      int at = 0;
      while (all[at] < least) {
        at++;
      }
      return at;
    }

    int currentCount() {
      int count = 0;
      for (Group group : groups) {
        for (int i = 0; group != null && i < GROUP_PAGES; i++) {
          count += group.isCurrent(i) ? 1 : 0;
        }
      }
      return count;
    }

    /** How many free units there are, or runs of them. */
    long freeCount(boolean runs) {
      long count = 0;
      for (Group group : groups) {
        for (int i = 0; group != null && i < GROUP_PAGES; i++) {
          count += Long.bitCount(group.free[i] & (runs ? ~(group.free[i] << 1) : -1L));
        }
      }
      return count;
    }

    long metadataBytes() {
      long bytes = 24 + (16 + 4L * ROOT_GROUPS) + (16 + ROOT_GROUPS);
      for (Group group : groups) {
        bytes += group == null ? 0 : Group.METADATA_BYTES;
      }
      return bytes;
    }

    boolean isInOrder() {
      for (int at = 0; at < ROOT_GROUPS; at++) {
        Group group = groups[at];
        int largest = group == null ? 0 : largest(group.longest);
        if (largest != longestOfGroup[at] || (group != null && !group.isInOrder())) {
          return false;
        }
      }
      return longest == largest(longestOfGroup);
    }
  }

  /** The maps of 64 pages, and the longest run of free units of each, or CURRENT. */
  private static final class Group {
    static final long METADATA_BYTES = 24 + (16 + 8L * GROUP_PAGES) + (16 + GROUP_PAGES);

    final long[] free = new long[GROUP_PAGES];
    final byte[] longest = new byte[GROUP_PAGES];

    boolean isCurrent(int page) {
      return longest[page] == CURRENT;
    }

    boolean isInOrder() {
      for (int i = 0; i < GROUP_PAGES; i++) {
        if (!isCurrent(i) && longest[i] != longestRun(free[i])) {
          return false;
        }
      }
      return true;
    }
  }
}
