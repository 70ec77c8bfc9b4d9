package dev.arenal.confined;

import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A confined arena that moves a pointer in a slab while it can.
 *
 * <p>Speed hangs on escape analysis: arena, inner arena and segments exist in registers only, as
 * long as every method that gets {@code this} is inlined. Therefore the methods are few, and what
 * is slow is static and does not get it. A helper with more than 35 bytecodes that gets {@code
 * this} is not inlined where three of four allocations do not call it, and costs 130 bytes a call.
 */
final class SlabArena implements Arena {
  private final Thread owner = Thread.currentThread();
  private final Arena inner = Arena.ofConfined();

  /** Null until the first allocation that fits into a slab, and after close. */
  private @Nullable Slab slab;

  /**
   * The slab's holder, which releases it; meaningless, like the addresses below, while there is
   * none.
   */
  private long key;

  private long base;
  private long top;

  @Override
  @SuppressWarnings("ReferenceEquality") // a thread is what it is by identity
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (byteSize < 0
        || byteSize > Pool.SLAB_BYTES
        || byteAlignment <= 0
        || byteAlignment > Slab.ALIGNMENT
        || (byteAlignment & (byteAlignment - 1)) != 0) {
      return inner.allocate(byteSize, byteAlignment);
    }
    if (slab == null) {
      Thread thread = Thread.currentThread();
      if (thread != owner || !inner.scope().isAlive()) {
        return inner.allocate(byteSize, byteAlignment); // says what is wrong
      }
      Slab taken = Pool.take(thread);
      if (taken == null) {
        return inner.allocate(byteSize, byteAlignment);
      }
      try {
        key = -taken.getPlain(); // which costs nothing where the state has just been written
      } catch (VirtualMachineError e) { // with a full Java heap the end of the stack is another one
        taken.abandonedTop = taken.address;
        throw e;
      }
      // No call from here on: a stack that ends between these would leave half a slab.
      base = taken.address;
      top = base;
      slab = taken;
    }
    long start = (top + byteAlignment - 1) & -byteAlignment;
    long end = start + PooledArena.blockBytes(byteSize);
    if (end > base + Pool.SLAB_BYTES) {
      return inner.allocate(byteSize, byteAlignment);
    }
    // Throws if the arena is closed or the thread is not its owner, before anything has changed.
    MemorySegment segment = NativeMemory.segment(start, byteSize, inner);
    top = end;
    return segment;
  }

  @Override
  public MemorySegment.Scope scope() {
    return inner.scope();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The slab is released by the call that ends the scope, when all cleanup actions have run: a
   * cleanup action that closes this arena once more finds the scope closed, and so may another
   * thread that is refused. At the end of stack or heap the release may fail as the close itself
   * may; so a step that must not fail is asked before, or done without a call.
   */
  @Override
  @SuppressWarnings("ReferenceEquality") // as above
  public void close() {
    boolean wasAlive = inner.scope().isAlive();
    Slab taken = slab;
    try {
      inner.close();
    } catch (Throwable e) {
      // A cleanup action of the program threw, but the scope is closed. Not so where
      // the close was refused, where a cleanup action closes this arena once more, and where
      // another thread is refused while the owner is closing.
      if (wasAlive && taken != null) {
        taken.isInDoubt = true;
        boolean isOver = Thread.currentThread() == owner && !inner.scope().isAlive();
        taken.isInDoubt = false;
        if (isOver) {
          slab = null;
          try {
            taken.release(base, top, key);
          } catch (VirtualMachineError _) {
            taken.abandonedTop = top;
          }
        }
      }
      throw e;
    }
    if (taken != null) {
      slab = null;
      try {
        taken.release(base, top, key);
      } catch (VirtualMachineError e) {
        taken.abandonedTop = top;
        throw e;
      }
    }
  }
}
