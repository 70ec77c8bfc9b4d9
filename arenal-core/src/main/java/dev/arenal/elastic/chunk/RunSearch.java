package dev.arenal.elastic.chunk;

/**
 * Finds free chunks of a node that follow each other and make up a given size together.
 *
 * <p>A row of {@code n} units holds an aligned block of a quarter of it or more, and so a free
 * chunk of at least that size. So only chunks of that size are looked at, which are few, and from
 * each of them the row is followed to its ends. The pieces that fill a space are not looked at.
 *
 * <p>Creates nothing. Guarded by the lock of the space.
 */
final class RunSearch {
  private RunSearch() {}

  /**
   * The row at the lowest address.
   *
   * @param stepUnits the row starts at an address that is a multiple of that many units
   * @return a handle whose root and unit are the start, or {@link Chunk#NONE}
   */
  static long find(ChunkManager chunks, Node node, long neededUnits, long stepUnits) {
    long best = firstAligned(chunks, node, unusedFrom(node), neededUnits, stepUnits);
    int halves = Long.SIZE - 2 - Long.numberOfLeadingZeros(neededUnits + 1);
    int mostLevel = Chunk.LOWEST - Math.min(halves, Chunk.LOWEST);
    for (int level = 0; level <= mostLevel; level++) {
      long found = find(chunks, node, level, neededUnits, stepUnits);
      best = best < 0 || (found >= 0 && found < best) ? found : best;
    }
    return best < 0
        ? Chunk.NONE
        : Chunk.handle(
            node.rootAt(best << Chunk.UNIT_SHIFT), node.unitAt(best << Chunk.UNIT_SHIFT), 0);
  }

  /** The unit of the node from which on none of its roots is in use. */
  private static long unusedFrom(Node node) {
    return (long) node.usedRoots << Chunk.LOWEST;
  }

  /** The lowest row around a free chunk of a level, as a unit of the node; negative if none. */
  private static long find(
      ChunkManager chunks, Node node, int level, long neededUnits, long stepUnits) {
    int end = node.firstRoot + node.usedRoots;
    int index = chunks.nextRootWithFree(level, node.firstRoot);
    while (index >= 0 && index < end) {
      RootChunk root = chunks.root(index);
      for (int slot = root.firstFree(level); slot >= 0; slot = root.nextFree(level, slot + 1)) {
        long at =
            ((long) (index - node.firstRoot) << Chunk.LOWEST) + (long) slot * Chunk.units(level);
        long found = firstAligned(chunks, node, at, neededUnits, stepUnits);
        if (found >= 0) {
          return found;
        }
      }
      index = chunks.nextRootWithFree(level, index + 1);
    }
    return -1;
  }

  /** The first aligned unit of the row around a unit, if what follows is enough; else negative. */
  private static long firstAligned(
      ChunkManager chunks, Node node, long around, long neededUnits, long stepUnits) {
    // Far enough: if the row begins lower yet, there is an aligned unit with enough behind it.
    long start = startOfRow(chunks, node, around, neededUnits + stepUnits);
    long first = -(node.reservation.baseAddress() >>> Chunk.UNIT_SHIFT) & (stepUnits - 1);
    long at = first + ((start - first + stepUnits - 1) & -stepUnits);
    if (at + neededUnits > node.reservation.sizeBytes() >>> Chunk.UNIT_SHIFT) {
      return -1;
    }
    long neededBytes = neededUnits << Chunk.UNIT_SHIFT;
    return chunks.freeBytesAt(node, at << Chunk.UNIT_SHIFT, neededBytes) >= neededBytes ? at : -1;
  }

  /** Where the free chunks begin that end at a unit of the node, or lower than that limit. */
  private static long startOfRow(ChunkManager chunks, Node node, long end, long limitUnits) {
    long at = end;
    while (at > 0 && end - at < limitUnits) {
      long before = at - 1;
      RootChunk root = chunks.root(node.firstRoot + (int) (before >>> Chunk.LOWEST));
      int level = root.freeLevelBefore((int) (before & (Chunk.ROOT_UNITS - 1)) + 1);
      if (level < 0) {
        break;
      }
      at -= Chunk.units(level);
    }
    return at;
  }
}
