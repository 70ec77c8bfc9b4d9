package dev.arenal.elastic.chunk;

/**
 * Finds free chunks of a node that follow each other and make up a given size together.
 *
 * <p>A row of {@code n} units holds an aligned block of a quarter of it or more, and so a free
 * chunk of at least that size. So only chunks of that size are looked at, which are few, and from
 * each of them the row is followed to its ends, each row once for a level. The pieces that fill a
 * space are not looked at.
 *
 * <p>Creates nothing. Guarded by the lock of the space.
 */
final class RunSearch {
  private RunSearch() {}

  /**
   * The row at the lowest address.
   *
   * @param neededBytes a multiple of a unit
   * @param stepBytes the row starts at an address that is a multiple of that, a unit or more
   * @return a handle whose root and unit are the start, or {@link Chunk#NONE}
   */
  static long find(ChunkManager chunks, Node node, long neededBytes, long stepBytes) {
    long best = firstAligned(chunks, node, node.usedBytes(), neededBytes, stepBytes);
    int halves = Long.SIZE - 2 - Long.numberOfLeadingZeros((neededBytes >>> Chunk.UNIT_SHIFT) + 1);
    int mostLevel = Chunk.LOWEST - Math.min(halves, Chunk.LOWEST);
    for (int level = 0; level <= mostLevel; level++) {
      long found = find(chunks, node, level, neededBytes, stepBytes);
      best = best < 0 || (found >= 0 && found < best) ? found : best;
    }
    return best < 0 ? Chunk.NONE : Chunk.handle(node.rootAt(best), node.unitAt(best), 0);
  }

  /** The lowest row around a free chunk of a level, as an offset in the node; negative if none. */
  private static long find(
      ChunkManager chunks, Node node, int level, long neededBytes, long stepBytes) {
    int end = node.firstRoot + node.usedRoots;
    long passed = 0; // each row is followed once, not from each of its chunks
    int index = chunks.nextRootWithFree(level, node.firstRoot);
    while (index >= 0 && index < end) {
      RootChunk root = chunks.root(index);
      for (int slot = root.firstFree(level); slot >= 0; slot = root.nextFree(level, slot + 1)) {
        long at = node.rootOffsetBytes(index) + slot * Chunk.sizeBytes(level);
        if (at >= passed) {
          long found = firstAligned(chunks, node, at, neededBytes, stepBytes);
          if (found >= 0) {
            return found;
          }
          passed = ~found;
        }
      }
      index = chunks.nextRootWithFree(level, index + 1);
    }
    return -1;
  }

  /**
   * The first aligned one of the row around an offset, if what follows is enough; else the
   * complement of an offset: between the two no row is enough.
   */
  private static long firstAligned(
      ChunkManager chunks, Node node, long around, long neededBytes, long stepBytes) {
    // Far enough: if the row begins lower yet, there is an aligned one with enough behind it.
    long start = startOfRow(chunks, node, around, neededBytes + stepBytes);
    long base = node.reservation.baseAddress();
    long at = ((base + start + stepBytes - 1) & -stepBytes) - base;
    if (at + neededBytes > node.reservation.sizeBytes()) {
      return ~node.reservation.sizeBytes();
    }
    long freeBytes = chunks.freeBytesAt(node, at, neededBytes);
    return freeBytes >= neededBytes ? at : ~(at + freeBytes);
  }

  /** Where the free chunks begin that end at an offset in the node, or lower than that limit. */
  private static long startOfRow(ChunkManager chunks, Node node, long end, long limitBytes) {
    long at = end;
    while (at > 0 && end - at < limitBytes) {
      long before = at - Chunk.UNIT_BYTES;
      RootChunk root = chunks.root(node.rootAt(before));
      int level = root.freeLevelBefore(node.unitAt(before) + 1);
      if (level < 0) {
        break;
      }
      at -= Chunk.sizeBytes(level);
    }
    return at;
  }
}
