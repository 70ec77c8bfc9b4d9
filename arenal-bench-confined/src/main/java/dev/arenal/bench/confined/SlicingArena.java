package dev.arenal.bench.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Slices of one segment of the thread, handed out again after close, as in programs that give up
 * safety for speed. A slice stays usable after close, and then shows what the next one writes.
 *
 * <p>Slices are zeroed, as those of every arena; arenas must be closed in the order of a stack.
 */
final class SlicingArena implements Arena {
  private static final ThreadLocal<Slab> SLAB = ThreadLocal.withInitial(Slab::new);

  private final Slab slab;
  private final long startBytes;

  private SlicingArena(Slab slab) {
    this.slab = slab;
    this.startBytes = slab.usedBytes;
  }

  static SlicingArena open() {
    return new SlicingArena(SLAB.get());
  }

  @Override
  public MemorySegment allocate(long sizeBytes, long alignmentBytes) {
    long offset = (slab.usedBytes + alignmentBytes - 1) & -alignmentBytes;
    MemorySegment slice = slab.segment.asSlice(offset, sizeBytes);
    slab.usedBytes = offset + sizeBytes;
    return slice.fill((byte) 0);
  }

  @Override
  public MemorySegment.Scope scope() {
    return slab.segment.scope();
  }

  @Override
  public void close() {
    slab.usedBytes = startBytes;
  }

  /** The memory of one thread. */
  private static final class Slab {
    private static final long SIZE_BYTES = 64 * 1024;
    private static final long ALIGNMENT_BYTES = 64;

    private final MemorySegment segment = Arena.ofAuto().allocate(SIZE_BYTES, ALIGNMENT_BYTES);
    private long usedBytes;
  }
}
