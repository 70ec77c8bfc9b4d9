package dev.arenal.elastic.chunk;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The free chunks of a space: hands them out, splits them, and merges them when they come back.
 *
 * <p>Buddies merge as far as they can, except for the chunk of each size that came back last. Among
 * chunks of one level the one at the lowest address is taken; one that holds committed memory goes
 * before one that does not, so that memory that is there already is used before the kernel is asked
 * for more. Knows what is committed from the nodes, and commits nothing itself. Guarded by the lock
 * of the space.
 */
public final class ChunkManager {
  /** Larger chunks merge at once: they are few, and worth more in one piece. */
  private static final int RETURNED_FROM_LEVEL = 6;

  private final Nodes nodes;
  private final SpaceCounters counters;

  /** Chunks up to this level cover whole granules; smaller ones share theirs. */
  private final int granuleLevel;

  private final BitSet[] rootsWithFree = new BitSet[Chunk.LEVEL_COUNT];
  private final BitSet[] rootsWithCommitted;
  private RootChunk[] roots = new RootChunk[4];

  /** The arenas' memory in pieces, which would leave more than half of a page unused. */
  public final PiecePages pieces;

  /** Committed bytes in free chunks that cover whole granules: what could be given back. */
  private long freeCommittedBytes;

  /**
   * For each level the chunk that came back last, not merged yet: what an arena leaves, the next
   * one takes, and to merge up to the root and split down again for that is most of the work. Free
   * like the others, but in no bit map.
   */
  private final long[] returned = new long[Chunk.LEVEL_COUNT];

  private final long[] returnedBytes = new long[Chunk.LEVEL_COUNT];

  /**
   * @param pieceGrainBytes what the sizes of pieces are multiples of: 64, or more up to 2 KiB
   */
  public ChunkManager(
      Nodes nodes, SpaceCounters counters, long granuleBytes, long pieceGrainBytes) {
    this.nodes = nodes;
    this.counters = counters;
    this.granuleLevel = Chunk.levelFor(granuleBytes);
    rootsWithCommitted = new BitSet[granuleLevel + 1];
    for (int level = 0; level < Chunk.LEVEL_COUNT; level++) { // no lambda: linking one takes long
      rootsWithFree[level] = new BitSet();
    }
    for (int level = 0; level <= granuleLevel; level++) {
      rootsWithCommitted[level] = new BitSet();
    }
    Arrays.fill(returned, Chunk.NONE);
    pieces = new PiecePages(this, pieceGrainBytes);
  }

  public long freeCommittedBytes() {
    return freeCommittedBytes;
  }

  public int granuleLevel() {
    return granuleLevel;
  }

  public long freeCount(int level) {
    long count = returned[level] == Chunk.NONE ? 0 : 1;
    BitSet marked = rootsWithFree[level];
    for (int index = marked.nextSetBit(0); index >= 0; index = marked.nextSetBit(index + 1)) {
      count += roots[index].freeCount(level);
    }
    return count;
  }

  /**
   * Takes a free chunk of level {@code preferred}, splitting a larger one or reserving more address
   * space if need be; where that fails, a smaller one down to {@code lowest}.
   *
   * @return a handle, or {@link Chunk#NONE}
   */
  public long take(int preferred, int lowest) {
    boolean onlyOthersCommitted =
        preferred <= granuleLevel && returnedBytes[preferred] == 0 && freeCommittedBytes > 0;
    if (returned[preferred] != Chunk.NONE && !onlyOthersCommitted) {
      counters.chunksTaken++;
      return takeReturned(preferred);
    }
    // A chunk smaller than a granule lies in a granule that is committed for its neighbours anyway.
    long taken = takeFirst(preferred, granuleLevel + 1, preferred, false);
    int from = Math.min(preferred, granuleLevel);
    taken = taken == Chunk.NONE ? takeFirst(from, 0, preferred, true) : taken;
    taken = taken == Chunk.NONE ? takeFirst(from, 0, preferred, false) : taken;
    if (taken == Chunk.NONE && (addRoot() || mergeReturned())) {
      return take(preferred, lowest);
    }
    for (int level = preferred + 1; taken == Chunk.NONE && level <= lowest; level++) {
      taken = takeFirst(level, level, level, false);
    }
    return taken;
  }

  /** Takes a chunk out of the first one of these levels, from small to large, that is free. */
  private long takeFirst(int smallest, int largest, int target, boolean committed) {
    for (int level = smallest; level >= largest; level--) {
      int index = (committed ? rootsWithCommitted : rootsWithFree)[level].nextSetBit(0);
      if (index >= 0) {
        RootChunk root = roots[index];
        int slot = committed ? root.nextCommitted(level, 0) : root.firstFree(level);
        long taken = split(root, level, slot * Chunk.units(level), target, true);
        counters.chunksTaken++;
        return taken;
      }
    }
    return Chunk.NONE;
  }

  /** Takes a chunk for pieces, which are counted instead of it. */
  long takePage(int level) {
    long page = take(level, level);
    counters.chunksTaken -= page == Chunk.NONE ? 0 : 1;
    return page;
  }

  /** Notes that a chunk is cut into pieces, or whole again; smaller ones are parts of cut ones. */
  void setCut(long page, boolean value) {
    if (Chunk.level(page) == granuleLevel) {
      roots[Chunk.root(page)].setCut(Chunk.unit(page) >>> (Chunk.LOWEST - granuleLevel), value);
    }
  }

  /**
   * The first granule in a range of roots in use that is cut into smaller chunks or pieces, or is
   * not, as an offset; the end of the range if none is.
   */
  public long nextGranule(Node node, long offsetBytes, long endBytes, boolean isCut) {
    long at = offsetBytes;
    while (at < endBytes) {
      int index = node.rootAt(at);
      int granule =
          roots[index].nextGranule(node.unitAt(at) >>> (Chunk.LOWEST - granuleLevel), isCut);
      if (granule >= 0) {
        long found = node.rootOffsetBytes(index) + granule * Chunk.sizeBytes(granuleLevel);
        return Math.clamp(found, at, endBytes);
      }
      at = node.rootOffsetBytes(index + 1);
    }
    return endBytes;
  }

  /**
   * Bytes of free chunks that follow each other from an offset in a node on, up to a limit; takes
   * no root into use to find out.
   */
  public long freeBytesAt(Node node, long offsetBytes, long limitBytes) {
    long sizeBytes = node.reservation.sizeBytes();
    long at = offsetBytes;
    while (at - offsetBytes < limitBytes && at < sizeBytes) {
      if (at >= node.usedBytes()) {
        return (sizeBytes & -Chunk.UNIT_BYTES) - offsetBytes;
      }
      int level = freeLevelAt(roots[node.rootAt(at)], node.unitAt(at));
      if (level < 0) {
        break;
      }
      at += Chunk.sizeBytes(level);
    }
    return at - offsetBytes;
  }

  /**
   * Takes free chunks that follow each other from an offset on, until they sum up to at least
   * {@code sizeBytes}; the caller has seen by {@link #freeBytesAt} that they do.
   */
  public void takeAt(Node node, long offsetBytes, long sizeBytes, ChunkList into) {
    long end = offsetBytes + sizeBytes;
    for (long at = offsetBytes; at < end; ) {
      while (!node.isUsed(node.rootAt(at))) {
        openRoot(node);
      }
      RootChunk root = roots[node.rootAt(at)];
      int unit = node.unitAt(at);
      int level = freeLevelAt(root, unit);
      // The largest power of two that fits; the rest comes from what follows.
      int target = node.levelAt(at, level, end - at);
      into.prepare();
      into.add(takeAt(root, level, unit, target));
      counters.chunksTaken++;
      at += Chunk.sizeBytes(target);
    }
  }

  /** Takes the chunk of a level that starts at a unit out of the free one that starts there. */
  private long takeAt(RootChunk root, int freeLevel, int unit, int target) {
    int level = freeLevel;
    if (returned[level] == Chunk.handle(root.index, unit, level)) {
      long latest = takeReturned(level);
      if (level == target) {
        return latest;
      }
      merge(latest);
      level = root.freeLevelAt(unit);
    }
    return split(root, level, unit, target, false);
  }

  /**
   * Finds free chunks that follow each other and sum up to {@code sizeBytes}, from an address
   * aligned to {@code alignmentBytes} on. Where that is more than a root, a node of its own has
   * such an address at its start, so that no roots before it have to be taken into use.
   *
   * <p>For what no single chunk can hold. Costs time in the number of free chunks of at least a
   * quarter of the size, not of those that are smaller.
   *
   * @return a handle whose root and unit are the start, or {@link Chunk#NONE}
   */
  public long findRun(long sizeBytes, long alignmentBytes) {
    var _ = mergeReturned();
    long neededBytes = (sizeBytes + Chunk.UNIT_BYTES - 1) & -Chunk.UNIT_BYTES;
    long stepBytes = Math.max(Chunk.UNIT_BYTES, alignmentBytes);
    for (int i = 0; i < nodes.count(); i++) {
      long found = RunSearch.find(this, nodes.get(i), neededBytes, stepBytes);
      if (found != Chunk.NONE) {
        return found;
      }
    }
    Node added = nodes.add(sizeBytes, Math.max(alignmentBytes, Chunk.ROOT_BYTES));
    return added == null ? Chunk.NONE : Chunk.handle(added.firstRoot, 0, 0);
  }

  /** The first root from there that has a free merged chunk of a level, or -1. */
  int nextRootWithFree(int level, int from) {
    return rootsWithFree[level].nextSetBit(from);
  }

  /**
   * Takes a chunk back: it is the next to be taken; the one that was so merges with its buddies.
   */
  public void giveBack(long handle) {
    counters.chunksReturned++;
    long chunk = Chunk.isPiece(handle) ? pieces.giveBack(handle) : handle;
    if (chunk == Chunk.NONE) {
      return;
    }
    int level = Chunk.level(chunk);
    long merging = chunk;
    if (level >= RETURNED_FROM_LEVEL) {
      merging = takeReturned(level);
      returned[level] = chunk;
      returnedBytes[level] = level <= granuleLevel ? committedBytes(chunk) : 0;
      freeCommittedBytes += returnedBytes[level];
    }
    if (merging != Chunk.NONE) {
      merge(merging);
    }
  }

  /** Merges what came back last; whether there was any. */
  public boolean mergeReturned() {
    boolean any = false;
    for (int level = RETURNED_FROM_LEVEL; level < Chunk.LEVEL_COUNT; level++) {
      if (returned[level] != Chunk.NONE) {
        merge(takeReturned(level));
        any = true;
      }
    }
    return any;
  }

  private long takeReturned(int level) {
    long handle = returned[level];
    returned[level] = Chunk.NONE;
    freeCommittedBytes -= returnedBytes[level];
    returnedBytes[level] = 0;
    return handle;
  }

  /** Level of the free chunk that starts at a unit, or -1. */
  int freeLevelAt(RootChunk root, int unit) {
    int level = root.freeLevelAt(unit);
    for (int i = RETURNED_FROM_LEVEL; level < 0 && i < Chunk.LEVEL_COUNT; i++) {
      if (returned[i] == Chunk.handle(root.index, unit, i)) {
        level = i;
      }
    }
    return level;
  }

  private void merge(long handle) {
    RootChunk root = roots[Chunk.root(handle)];
    int level = Chunk.level(handle);
    int slot = Chunk.unit(handle) / Chunk.units(level);
    long bytes = level <= granuleLevel ? committedBytes(root, level, slot) : 0;
    while (level > 0 && root.isFree(level, slot ^ 1)) {
      bytes += remove(root, level, slot ^ 1);
      if (level-- == granuleLevel + 1) {
        root.setCut(slot >>> 1, false);
        bytes = committedBytes(root, granuleLevel, slot >>> 1);
      }
      slot >>>= 1;
      counters.chunkMerges++;
    }
    insert(root, level, slot, bytes);
  }

  /**
   * Takes a committed merged chunk out of the free chunks, so that its memory can be given back to
   * the kernel without the lock: the largest, and of those the one at the highest address.
   *
   * @param last what the caller took before, to go on behind it; {@link Chunk#NONE} to begin
   * @return a handle, or {@link Chunk#NONE} if there is none
   */
  public long takeLargestCommitted(long last) {
    int from = last == Chunk.NONE ? 0 : Chunk.level(last);
    for (int level = from; level <= granuleLevel; level++) {
      boolean isBegun = last != Chunk.NONE && level == from;
      int most = isBegun ? Chunk.root(last) : rootsWithCommitted[level].length() - 1;
      int end = isBegun ? Chunk.unit(last) / Chunk.units(level) : 1 << level;
      for (int index = previousCommitted(level, most); index >= 0; ) {
        int slot = roots[index].lastCommitted(level, index == most ? end : 1 << level);
        if (slot >= 0) {
          remove(roots[index], level, slot);
          return Chunk.handle(index, slot * Chunk.units(level), level);
        }
        index = previousCommitted(level, index - 1);
      }
    }
    return Chunk.NONE;
  }

  /** The last root up to there that has a committed merged chunk of a level, or -1. */
  private int previousCommitted(int level, int most) {
    return most < 0 ? -1 : rootsWithCommitted[level].previousSetBit(most);
  }

  /**
   * Level of the free chunk of whole granules in which an offset lies, or -1; what came back last
   * is to be {@linkplain #mergeReturned merged} before.
   */
  public int freeLevelAround(Node node, long offsetBytes) {
    RootChunk root = roots[node.rootAt(offsetBytes)];
    for (int level = 0; level <= granuleLevel; level++) {
      if (root.isFree(level, node.unitAt(offsetBytes) >>> (Chunk.LOWEST - level))) {
        return level;
      }
    }
    return -1;
  }

  /**
   * Takes the largest chunk of whole granules that starts at an offset, and ends at another at
   * most, out of the free chunk around it; the rest of that stays free.
   *
   * @return {@link Chunk#NONE} if nothing is free there
   */
  public long takeWithin(Node node, long offsetBytes, long endBytes) {
    int level = freeLevelAround(node, offsetBytes);
    if (level < 0) {
      return Chunk.NONE;
    }
    int target = node.levelAt(offsetBytes, level, endBytes - offsetBytes);
    RootChunk root = roots[node.rootAt(offsetBytes)];
    return split(root, level, node.unitAt(offsetBytes), target, false);
  }

  /** Puts back what {@link #takeLargestCommitted} took, or what was taken and could not be used. */
  public void putBack(long handle) {
    long chunk = Chunk.isPiece(handle) ? pieces.giveBack(handle) : handle;
    if (chunk != Chunk.NONE) {
      merge(chunk);
    }
  }

  /** The same for each of a list from an index on, which become free. */
  public void putBack(ChunkList handles, int from) {
    for (int i = handles.count() - 1; i >= from; i--) {
      putBack(handles.get(i));
    }
  }

  private boolean addRoot() {
    Node node = nodes.withRoom();
    if (node == null) {
      node = nodes.add(Chunk.ROOT_BYTES, Chunk.ROOT_BYTES);
    }
    if (node == null) {
      return false;
    }
    openRoot(node);
    return true;
  }

  /** Takes the next root of a node into use. The last root of a fixed space may be cut short. */
  public void openRoot(Node node) {
    int index = node.firstRoot + node.usedRoots;
    int unitCount = node.unitCount(index);
    RootChunk root = new RootChunk(index, granuleLevel + 1);
    root.prepare(unitCount == Chunk.ROOT_UNITS ? 0 : Chunk.LOWEST);
    prepareMarks(rootsWithFree, index);
    prepareMarks(rootsWithCommitted, index);
    if (index >= roots.length) {
      roots = Arrays.copyOf(roots, Math.max(2 * roots.length, index + 1));
    }
    // From here on nothing needs the heap, nor does it where chunks are split and merged.
    roots[index] = root;
    node.usedRoots++;
    for (int unit = 0; unit < unitCount; ) {
      int size = Integer.highestOneBit(unitCount - unit);
      int level = Chunk.LOWEST - Integer.numberOfTrailingZeros(size);
      insert(root, level, unit / size, 0);
      unit += size;
    }
  }

  /**
   * Makes room to mark a root in each of these sets. Only where there is none: a set without any
   * other mark looks for one in all of its words when its last one is cleared.
   */
  private static void prepareMarks(BitSet[] sets, int index) {
    for (BitSet set : sets) {
      if (index >= set.size()) {
        set.set(index);
        set.clear(index);
      }
    }
  }

  /**
   * Takes a chunk of level {@code target} out of a free one, in which a unit lies; the rest of that
   * stays free.
   *
   * @param towardsCommitted whether to leave the unit, at the start of the free chunk, for the half
   *     that holds committed memory
   */
  private long split(
      RootChunk root, int freeLevel, int unit, int target, boolean towardsCommitted) {
    root.prepare(target);
    long bytes = remove(root, freeLevel, unit >>> (Chunk.LOWEST - freeLevel));
    int at = unit;
    for (int level = freeLevel + 1; level <= target; level++) {
      int left = at >>> (Chunk.LOWEST - level) & ~1;
      long leftBytes = bytes == 0 || level > granuleLevel ? 0 : committedBytes(root, level, left);
      if (towardsCommitted && leftBytes == 0 && bytes != 0 && level <= granuleLevel) {
        at += Chunk.units(level);
      }
      int slot = at >>> (Chunk.LOWEST - level);
      long ownBytes = slot == left ? leftBytes : bytes - leftBytes;
      insert(root, level, slot ^ 1, bytes - ownBytes);
      bytes = ownBytes;
      counters.chunkSplits++;
    }
    if (freeLevel <= granuleLevel && target > granuleLevel) {
      root.setCut(at >>> (Chunk.LOWEST - granuleLevel), true);
    }
    return Chunk.handle(root.index, at, target);
  }

  /**
   * Adds a free chunk.
   *
   * @param committedBytes bytes committed in it; of no meaning for a chunk smaller than a granule
   */
  private void insert(RootChunk root, int level, int slot, long committedBytes) {
    root.setFree(level, slot);
    rootsWithFree[level].set(root.index);
    if (level <= granuleLevel && committedBytes != 0) {
      root.setCommitted(level, slot, true);
      rootsWithCommitted[level].set(root.index);
      freeCommittedBytes += committedBytes;
    }
  }

  /** Takes a free chunk out; returns the bytes committed in it if it covers whole granules. */
  private long remove(RootChunk root, int level, int slot) {
    root.clearFree(level, slot);
    if (root.freeCount(level) == 0) {
      rootsWithFree[level].clear(root.index);
    }
    if (level > granuleLevel || !root.isCommitted(level, slot)) {
      return 0;
    }
    root.setCommitted(level, slot, false);
    if (root.committedCount(level) == 0) {
      rootsWithCommitted[level].clear(root.index);
    }
    long bytes = committedBytes(root, level, slot);
    freeCommittedBytes -= bytes;
    return bytes;
  }

  /** Committed bytes in a chunk: all of one smaller than a granule, which is not free. */
  public long committedBytes(long handle) {
    int level = Chunk.level(handle);
    if (level > granuleLevel) {
      return Chunk.bytes(handle);
    }
    Node node = nodes.ofRoot(Chunk.root(handle));
    return node.reservation.committedBytes(node.offsetBytes(handle), Chunk.sizeBytes(level));
  }

  private long committedBytes(RootChunk root, int level, int slot) {
    return committedBytes(Chunk.handle(root.index, slot * Chunk.units(level), level));
  }

  /** Committed bytes in free chunks of a level. */
  public long committedFreeBytes(int level) {
    if (level > granuleLevel) {
      return freeCount(level) * Chunk.sizeBytes(level);
    }
    long bytes = returnedBytes[level];
    BitSet marked = rootsWithCommitted[level];
    for (int index = marked.nextSetBit(0); index >= 0; index = marked.nextSetBit(index + 1)) {
      RootChunk root = roots[index];
      for (int slot = root.nextCommitted(level, 0);
          slot >= 0;
          slot = root.nextCommitted(level, slot + 1)) {
        bytes += committedBytes(root, level, slot);
      }
    }
    return bytes;
  }

  /** Checks every root; marks the units of free chunks in {@code inUse}, one set per root. */
  public void verify(BitSet[] inUse) {
    long sumBytes = 0;
    for (int index = 0; index < roots.length; index++) {
      RootChunk root = roots[index];
      if (root == null) {
        continue;
      }
      root.verify(inUse[index]);
      for (int level = 0; level < Chunk.LEVEL_COUNT; level++) {
        check(
            rootsWithFree[level].get(index) == (root.freeCount(level) > 0),
            "INV-CHUNK-3: roots with free chunks are marked",
            index,
            level);
      }
    }
    for (int level = 0; level < Chunk.LEVEL_COUNT; level++) {
      verifyReturned(level, inUse);
      sumBytes += level <= granuleLevel ? committedFreeBytes(level) : 0;
    }
    check(sumBytes == freeCommittedBytes, "INV-CHUNK-4: free committed bytes", -1, -1);
  }

  private void verifyReturned(int level, BitSet[] inUse) {
    long handle = returned[level];
    if (handle == Chunk.NONE) {
      return;
    }
    BitSet units = inUse[Chunk.root(handle)];
    int from = Chunk.unit(handle);
    int next = units.nextSetBit(from);
    boolean overlaps = next >= 0 && next < from + Chunk.units(level);
    check(!overlaps, "INV-CHUNK-1: overlap of the latest", Chunk.root(handle), level);
    units.set(from, from + Chunk.units(level));
  }

  public int capacityRoots() {
    return roots.length;
  }

  public RootChunk root(int index) {
    return roots[index];
  }

  private static void check(boolean condition, String what, int root, int level) {
    if (!condition) {
      throw new AssertionError(what + ": root=" + root + ", level=" + level);
    }
  }
}
