package dev.arenal.elastic;

import dev.arenal.elastic.block.BlockEnds;
import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.Node;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * 32-bit names for the blocks of a fixed space: HotSpot's compressed class pointers.
 *
 * <p>A reference is the offset of a block in words of 8 bytes, plus one, so that 0 names nothing.
 * To turn it into a segment again takes the arena of the block, known for each unit of a chunk, and
 * its size, of which the end is marked when the reference is made. Guarded by the lock of the
 * space.
 */
final class References {
  /** Words that an unsigned int can name. */
  static final long MAX_SPACE_BYTES = 1L << 35;

  private final SpaceState state;
  private final Node node;

  /** For each root in use: the slot of the arena of each unit, plus one. */
  private final int[] @Nullable [] owners;

  private final BlockEnds ends;

  References(SpaceState state, Node node) {
    this.state = state;
    this.node = node;
    this.owners = new int[node.capacityRoots][];
    this.ends = new BlockEnds(node.reservation.sizeBytes() >>> 3);
  }

  /** Estimate of the heap that this takes. */
  long metadataBytes() {
    long bytes = 16 + 4L * owners.length + ends.metadataBytes();
    for (int[] row : owners) {
      bytes += row == null ? 0 : 16 + 4L * row.length;
    }
    return bytes;
  }

  /** The owners in the root of a chunk. */
  int[] ownersOf(long handle) {
    int root = Chunk.root(handle);
    int[] row = owners[root];
    if (row == null) {
      row = new int[Chunk.ROOT_UNITS];
      owners[root] = row;
    }
    return row;
  }

  void noteOwner(@Nullable ChunkedArena arena, long handle) {
    int[] row = ownersOf(handle);
    int from = Chunk.unit(handle);
    int to = from + (int) (Chunk.bytes(handle) >>> Chunk.UNIT_SHIFT);
    Arrays.fill(row, from, to, arena == null ? 0 : arena.slot + 1);
    if (arena == null) {
      ends.clear(node.offsetBytes(handle) >>> 3, Chunk.bytes(handle) >>> 3);
    }
  }

  /** Forgets a block that was given back early. */
  void forget(long address, long sizeBytes) {
    ends.clear((address - node.reservation.baseAddress()) >>> 3, sizeBytes >>> 3);
  }

  /** A reference to a block. Where the Java heap is full, nothing has changed. */
  int reference(MemorySegment block) {
    ChunkedArena arena = ownerOf(block.address());
    if (!block.isNative()
        || (block.address() & 7) != 0
        || arena == null
        || !arena.scope().equals(block.scope())
        || arena != ownerOf(block.address() + Math.max(1, block.byteSize()) - 1)) {
      throw new IllegalArgumentException(
          "segment is not a block of this space: space="
              + state.settings.name()
              + ", address=0x"
              + Long.toHexString(block.address())
              + ", byteSize="
              + block.byteSize()
              + " (expected a segment that an open arena of this space returned, whole)");
    }
    long word = (block.address() - node.reservation.baseAddress()) >>> 3;
    state.lock.changing = true;
    try {
      ends.mark(word, block.byteSize());
    } catch (OutOfMemoryError e) { // nothing has changed
      state.lock.changing = false;
      throw e;
    }
    state.lock.changing = false;
    return (int) (word + 1);
  }

  MemorySegment segment(int reference) {
    long word = Integer.toUnsignedLong(reference) - 1;
    ChunkedArena arena = reference == 0 ? null : ownerOf(addressOf(word));
    long sizeBytes = arena == null ? -1 : ends.sizeBytes(word);
    if (arena == null || sizeBytes < 0) {
      throw new IllegalArgumentException(
          "reference names no live block: space="
              + state.settings.name()
              + ", reference=0x"
              + Integer.toHexString(reference)
              + " (expected one that reference() returned for a block whose arena is open)");
    }
    return NativeMemory.segment(addressOf(word), sizeBytes, arena.inner());
  }

  private long addressOf(long word) {
    return node.reservation.baseAddress() + (word << 3);
  }

  private @Nullable ChunkedArena ownerOf(long address) {
    if (!node.contains(address)) {
      return null;
    }
    long offsetBytes = address - node.reservation.baseAddress();
    int[] row = owners[(int) (offsetBytes >>> Chunk.ROOT_SHIFT)];
    int unit = (int) (offsetBytes >>> Chunk.UNIT_SHIFT) & (Chunk.ROOT_UNITS - 1);
    int slot = row == null ? 0 : row[unit];
    return slot == 0 ? null : state.arena(slot - 1);
  }
}
