package dev.arenal.confined;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena for development, which finds damage by native code in its memory.
 *
 * <p>Every block stands between red zones, which are looked at on close: a thread that wrote beyond
 * a block gets an {@link AssertionError} that names the block and where the arena was opened.
 * Closed blocks are filled with poison and kept for a while, so that a kept address reads nonsense,
 * and writing through it is reported by {@link Quarantine}.
 *
 * <p>Costs 45 to 190 microseconds an arena that allocates (the close of a shared arena, which asks
 * all threads, is some 20 of them), and some memory: the zone before a block is as long as its
 * alignment. All else is as {@link Arena#ofConfined()} does, but {@code
 * -Dsun.nio.PageAlignDirectMemory=true} is not heeded.
 */
final class CheckedArena implements Arena {
  static final String PROPERTY = "arenal.confined.checked";

  /** Bytes written around blocks, and into blocks after close. Neither is likely by chance. */
  static final byte RED_ZONE = (byte) 0xFA;

  static final byte POISON = (byte) 0xDE;

  private static final long ZONE_BYTES = 32;

  private final Thread owner = Thread.currentThread();
  private final Arena inner = Arena.ofConfined();
  private final Throwable opened = new Throwable("the arena was opened here");
  private final List<Block> blocks = new ArrayList<>();

  /** Outlives this arena, and another thread closes it; null until the first block. */
  private @Nullable Arena memory;

  /**
   * A block between its red zones.
   *
   * @param whole both zones and what is between them
   * @param offset where the part that the program got begins
   * @param sizeBytes how long that is
   */
  record Block(MemorySegment whole, long offset, long sizeBytes) {}

  private CheckedArena() {}

  static Arena open() {
    return new CheckedArena();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a thread is what it is by identity
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (byteSize < 0
        || byteSize > Long.MAX_VALUE / 4
        || byteAlignment <= 0
        || byteAlignment > Long.MAX_VALUE / 4
        || (byteAlignment & (byteAlignment - 1)) != 0
        || Thread.currentThread() != owner) {
      return inner.allocate(byteSize, byteAlignment); // says what is wrong
    }
    StackReserve.ensure();
    NativeMemory.checkAccessible(inner);
    long alignment = Math.max(byteAlignment, PooledArena.BLOCK_BYTES);
    long offset = Math.max(alignment, ZONE_BYTES);
    if (memory == null) {
      memory = Arena.ofShared();
    }
    MemorySegment whole = memory.allocate(offset + byteSize + ZONE_BYTES, alignment);
    whole.asSlice(0, offset).fill(RED_ZONE);
    whole.asSlice(offset + byteSize).fill(RED_ZONE);
    MemorySegment segment = NativeMemory.segment(whole.address() + offset, byteSize, inner);
    blocks.add(new Block(whole, offset, byteSize));
    return segment;
  }

  @Override
  public MemorySegment.Scope scope() {
    return inner.scope();
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // as above
  public void close() {
    StackReserve.ensure();
    boolean wasAlive = inner.scope().isAlive();
    try {
      inner.close();
    } catch (Throwable e) {
      if (wasAlive && Thread.currentThread() == owner && !inner.scope().isAlive()) {
        closeBlocks(e);
      }
      throw e;
    }
    closeBlocks(null);
  }

  private void closeBlocks(@Nullable Throwable thrown) {
    if (memory == null) {
      return;
    }
    AssertionError damage;
    boolean isPoisoned = false;
    try {
      damage = damage();
      isPoisoned = true;
    } finally {
      if (!isPoisoned) { // the Java heap is full
        memory.close();
      }
    }
    Quarantine.add(memory, blocks, opened);
    if (damage != null) {
      if (thrown != null) {
        damage.addSuppressed(thrown);
      }
      throw damage;
    }
  }

  /** The first block whose zones were written to, or null; all blocks are poison afterwards. */
  private @Nullable AssertionError damage() {
    AssertionError damage = null;
    for (Block block : blocks) {
      long at = firstOther(block.whole(), 0, block.offset(), RED_ZONE);
      if (at < 0) {
        long end = block.offset() + block.sizeBytes();
        at = firstOther(block.whole(), end, block.whole().byteSize(), RED_ZONE);
      }
      if (at >= 0 && damage == null) {
        damage = new AssertionError(damageMessage(block, at), opened);
      }
      block.whole().fill(POISON);
    }
    return damage;
  }

  private static String damageMessage(Block block, long at) {
    return "native memory was written "
        + (at < block.offset() ? "before" : "behind")
        + " a block: blockSizeBytes="
        + block.sizeBytes()
        + ", offset="
        + (at - block.offset())
        + ", found="
        + hex(block.whole().get(ValueLayout.JAVA_BYTE, at))
        + "; expected offsets from 0 to blockSizeBytes - 1, see the cause for the arena";
  }

  static String hex(byte value) {
    return "0x" + Integer.toHexString(value & 0xFF);
  }

  /** The first offset from {@code from} to {@code to} that has another value, or -1. */
  static long firstOther(MemorySegment segment, long from, long to, byte expected) {
    for (long at = from; at < to; at++) {
      if (segment.get(ValueLayout.JAVA_BYTE, at) != expected) {
        return at;
      }
    }
    return -1;
  }
}
