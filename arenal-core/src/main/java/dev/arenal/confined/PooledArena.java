package dev.arenal.confined;

import dev.arenal.guard.FirstUse;
import java.lang.foreign.Arena;

/**
 * A replacement for {@link Arena#ofConfined()} whose small allocations come from a pool.
 *
 * <p>The first allocation takes a slab: a platform thread has up to {@value
 * ThreadSlabs#MAX_COUNT_SLABS} of its own, virtual threads share a fixed table of them. An
 * allocation that fits moves a pointer in the slab. An allocation that does not fit, or finds no
 * slab available, goes to the JDK. {@code close} zeroes the used bytes and gives the slab back.
 *
 * <p><b>Guarantees</b> are those of {@link Arena#ofConfined()}: one owner thread, zeroed memory,
 * the same exceptions in the same order, and segments that are inaccessible after the close. While
 * a native call holds a segment, a close is refused and changes nothing. Blocks are aligned to 16
 * bytes at least, as the JDK's are. Arenas may be nested and closed in any order. An arena that is
 * never closed keeps its slab, as an arena of the JDK keeps its memory. Cleanup actions of segments
 * run before the slab is zeroed.
 *
 * <p><b>Not guaranteed</b>, as with the JDK: the validity of an address that outlives its arena,
 * kept as a number or stored in native memory. With the JDK it points to freed memory, here to
 * memory that another arena of this process may have. {@code -Darenal.confined.checked=true} finds
 * such uses.
 *
 * <p><b>Settings:</b> {@code -Darenal.confined.poolSizeBytes=}N sets the size of a slab: 8 to
 * 16,384 bytes, 8,192 by default, 0 for no pool. It is read once, when this class is first used.
 * Any other value causes a warning, and the default is used. Slabs count against no budget.
 *
 * <p><b>Cost:</b> an arena that allocates nothing costs nothing; one with a small allocation takes
 * a twelfth to a fifth of the JDK's time. There is no garbage if escape analysis eliminates the
 * arena; methods with several arenas, or with much work on several blocks, are too large for that:
 * see {@code docs/benchmarks/confined}. A thread keeps as many slabs as it had arenas open at a
 * time, four at most. Some time after the thread has ended, its slabs go to other threads or back
 * to the operating system.
 *
 * <p>The design follows JDK-8385697, which may give {@code Arena.ofConfined()} itself a pool for up
 * to 64 bytes in a JDK after 27.
 */
public final class PooledArena {
  /** The alignment of each block's address and size in bytes. */
  static final int BLOCK_BYTES = 16;

  /** Plain: a thread that reads an old value looks once more. */
  private static boolean isReady;

  /** There will never be a pool. */
  private static volatile boolean isHopeless;

  private PooledArena() {}

  /**
   * Opens an arena that is confined to the current thread.
   *
   * <p>The pool needs native access for the module {@code dev.arenal} (or for the unnamed module,
   * on the class path). If it is denied, there is one warning, and the arena is the JDK's.
   *
   * @return an open arena, which the current thread has to close
   */
  public static Arena ofConfined() {
    if (!isReady && !prepare()) {
      return Arena.ofConfined();
    }
    if (Pool.IS_CHECKED) {
      return CheckedArena.open();
    }
    return Pool.SLAB_BYTES == 0 ? Arena.ofConfined() : new SlabArena();
  }

  /**
   * Whether the classes of the pool can be used, which are initialized now. Where stack or heap
   * have ended, programs go on with the JDK's arenas, and the next arena tries again.
   */
  private static boolean prepare() {
    if (isHopeless) {
      return false;
    }
    try {
      FirstUse.ofPool();
      isReady = Pool.SLAB_BYTES >= 0 && Pool.tellComplaint();
      return true;
    } catch (LinkageError e) {
      isHopeless = true;
      return false;
    } catch (OutOfMemoryError | StackOverflowError e) {
      return false;
    }
  }

  /** The size of the block for a request. */
  static long blockBytes(long sizeBytes) {
    return (Math.max(sizeBytes, 1) + BLOCK_BYTES - 1) & -BLOCK_BYTES;
  }
}
