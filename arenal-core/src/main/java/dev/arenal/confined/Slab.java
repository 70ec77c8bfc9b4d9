package dev.arenal.confined;

import dev.arenal.guard.StackReserve;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A piece of zeroed native memory that one arena at a time takes, and gives back zeroed.
 *
 * <p>Its state, which is the value of the superclass: 0 there is no memory; positive it is
 * available, to the thread of that id or, where the slab is a slot of virtual threads, to the
 * thread that wins it; negative it is acquired. The memory is reached by address only, so that no
 * segment of one arena is a way to the next one's data.
 *
 * <p>An {@link AtomicLong} rather than a field with a {@code VarHandle}: the JIT compiler inlines
 * its methods as single instructions, where each access through a handle takes hundreds of nodes of
 * its budget, and what does not fit into that budget ends escape analysis of the arena (ADR 0011).
 */
final class Slab extends AtomicLong {
  /** The state of an available slot, which has no owner. */
  static final long AVAILABLE_TO_ALL = 1;

  /** The alignment of its address and size in bytes: whole cache lines. */
  static final int ALIGNMENT = 64;

  private static final long serialVersionUID = 1; // of the state, which is never written

  /** The other slabs of the same thread, in the order in which they were made. */
  transient @Nullable Slab next;

  /** The first address. A field, to be read where no call may end the stack. */
  long address;

  /**
   * The key with which the arena that has acquired this slab releases it: the id of its thread, or
   * {@link #AVAILABLE_TO_ALL}; 0 if it never had memory.
   */
  long key;

  /**
   * The end of what was used by an arena that is closed but could not release this slab, because
   * stack or heap ended there; else 0. Set without a call: only so it cannot fail. The next thread
   * that looks for a slab zeroes it.
   */
  volatile long abandonedTop;

  /**
   * Whether a close failed so early, and the question after its outcome too, that it is unknown
   * whether its arena lives. The slab stays acquired, like that of an arena that is never closed,
   * unless the arena turns out to be alive and is closed after all.
   */
  boolean isInDoubt;

  private transient @Nullable Arena memory;

  // Slabs of two threads may come to lie side by side; this keeps their states 128 bytes apart.
  @SuppressWarnings("unused")
  private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7, pad8, pad9, pad10, pad11;

  /** Whether it is neither available nor acquired: it has no memory, or is just getting it. */
  boolean isEmptyPlain() {
    return getPlain() == 0;
  }

  boolean hasMemory() {
    return memory != null;
  }

  /** Whether no arena has it, as seen by a thread that has synchronised with the last user. */
  boolean isAvailable() {
    return getPlain() > 0;
  }

  /** Whether the thread of this id may take it; another thread's answer is false, never wrong. */
  boolean isAvailablePlain(long threadId) {
    return getPlain() == threadId;
  }

  /** Takes a slab that {@link #isAvailablePlain} for the current thread. */
  void acquirePlain(long threadId) {
    setPlain(-threadId);
  }

  /** Whether a slot seems to be free, to be taken by {@link #tryAcquireVolatile}. */
  boolean isAvailableOpaque() {
    return getOpaque() == AVAILABLE_TO_ALL;
  }

  /** Takes a slot if it is free. Pairs with the release in {@link #release}: it is zeroed. */
  boolean tryAcquireVolatile() {
    return compareAndSet(AVAILABLE_TO_ALL, -AVAILABLE_TO_ALL);
  }

  /** Takes a slot that has no memory yet, in order to give it some. */
  boolean tryClaimVolatile() {
    return getOpaque() == 0 && compareAndSet(0, -AVAILABLE_TO_ALL);
  }

  /** Gets memory and is acquired by {@code key} afterwards; nothing changes where there is none. */
  void allocate(long sizeBytes, long key) {
    if (memory == null) { // else it was left here with memory, but not yet acquired
      long startNanos = System.nanoTime();
      Arena arena = SlabRegistry.newMemory();
      try {
        // Whole cache lines: no neighbours, and room for zeroing in steps. The JDK zeroes it.
        address = arena.allocate((sizeBytes + ALIGNMENT - 1) & -ALIGNMENT, ALIGNMENT).address();
        memory = arena;
      } finally {
        if (memory == null) {
          SlabRegistry.noteRefusal(startNanos);
          SlabRegistry.release(arena);
        }
      }
    }
    this.key = key;
    setPlain(-key);
  }

  /** Takes an abandoned slab, which stays acquired, and zeroes it. */
  boolean tryRecover() {
    if (abandonedTop == 0) {
      return false;
    }
    StackReserve.ensure();
    synchronized (this) {
      long top = abandonedTop;
      if (top != 0) {
        zero(address, top);
        abandonedTop = 0;
      }
      return top != 0;
    }
  }

  /** Hands an available slab of a thread that has ended over to another thread. */
  void adoptPlain(long threadId) {
    if (getPlain() <= 0) {
      throw misuse("adopt", threadId, 0);
    }
    key = threadId;
    setPlain(threadId);
  }

  /** Puts a claim back after {@link #allocate} failed. */
  void unclaim() {
    setRelease(0);
  }

  /**
   * Gives the slab back: zero first, available afterwards.
   *
   * @param base its address, which the caller has at hand
   * @param top the end of what was handed out
   * @param key its {@link #key} when it was acquired
   * @throws IllegalStateException if it is not acquired with {@code key}, or if the range is not in
   *     it: nothing is zeroed then, since another thread may have it
   */
  void release(long base, long top, long key) {
    if (key <= 0 || getPlain() != -key || Long.compareUnsigned(top - base, Pool.SLAB_BYTES) > 0) {
      throw misuse("release", key, top - base);
    }
    zero(base, top);
    // Pairs with tryAcquireVolatile: a thread that gets the slot sees it zeroed.
    setRelease(key);
  }

  private static void zero(long base, long top) {
    if (top != base) {
      NativeMemory.zeroBlocks(base, top - base);
    }
  }

  /**
   * Gives the memory of a thread that has ended back to the system, unless an arena has it. May be
   * called again if it fails.
   */
  void free() {
    Arena arena = memory;
    if (arena == null || (getPlain() < 0 && abandonedTop == 0)) {
      return;
    }
    SlabRegistry.release(arena);
    setPlain(0);
    abandonedTop = 0;
    memory = null;
    address = 0;
  }

  private IllegalStateException misuse(String what, long key, long usedBytes) {
    return new IllegalStateException(
        "slab misused: operation="
            + what
            + ", state="
            + getPlain()
            + ", key="
            + key
            + ", usedBytes="
            + usedBytes
            + "; expected state=-key for a release, state=key for an adoption, and usedBytes from 0"
            + " to "
            + Pool.SLAB_BYTES);
  }
}
