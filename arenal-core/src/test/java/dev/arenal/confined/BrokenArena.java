package dev.arenal.confined;

import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/** A small pool of the same kind with one fault, which the programs must find. */
final class BrokenArena implements Arena {
  private static final int SLAB_BYTES = 4096;

  private final Fault fault;
  private final Slabs slabs;
  private final Arena inner = Arena.ofConfined();
  private final long base;
  private long top;

  /** A defect, its message, and the least number of steps that show it. */
  enum Fault {
    SKIPS_ZEROING("not zero", 5),
    ZEROES_TOO_LITTLE("not zero", 6),
    IGNORES_ALIGNMENT("misalignment", 3),
    ALIGNS_TO_EIGHT("misalignment", 3),
    SAME_SLAB_FOR_NESTED("overlap", 4),
    SAME_ADDRESS_FOR_EMPTY("overlap", 3),
    SHORT_BLOCKS("overlap", 3),
    RELEASED_BY_A_REFUSED_CLOSE("", 9),
    SEGMENTS_OUTLIVE_IT("scope of another arena", 2),
    MAY_BE_CLOSED_TWICE("not refused", 3),
    LOSES_EXCEPTIONS("other exception: null", 2),
    STATE_BEFORE_ARGUMENTS("other exception", 3);

    private final String message;
    private final int mostOps;

    Fault(String message, int mostOps) {
      this.message = message;
      this.mostOps = mostOps;
    }

    String message() {
      return message;
    }

    int mostOps() {
      return mostOps;
    }
  }

  /** Addresses of slabs that no arena has; of one thread. */
  private static final class Slabs {
    private final Arena memory = Arena.ofAuto();
    private final ArrayDeque<Long> free = new ArrayDeque<>();

    long take() {
      return free.isEmpty() ? memory.allocate(SLAB_BYTES, 64).address() : free.removeFirst();
    }
  }

  private BrokenArena(Fault fault, Slabs slabs) {
    this.fault = fault;
    this.slabs = slabs;
    this.base = slabs.take();
    this.top = base;
    if (fault == Fault.SAME_SLAB_FOR_NESTED) {
      slabs.free.addFirst(base);
    }
  }

  /** Opens arenas that share the slabs of one thread. */
  static Supplier<Arena> opener(Fault fault) {
    Slabs slabs = new Slabs();
    return () -> new BrokenArena(fault, slabs);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (fault == Fault.STATE_BEFORE_ARGUMENTS && !inner.scope().isAlive()) {
      throw new IllegalStateException("Already closed");
    }
    if (byteSize < 0
        || byteSize > SLAB_BYTES
        || byteAlignment <= 0
        || byteAlignment > SLAB_BYTES
        || (byteAlignment & (byteAlignment - 1)) != 0) {
      return inner.allocate(byteSize, byteAlignment);
    }
    long alignment =
        switch (fault) {
          case IGNORES_ALIGNMENT -> 16;
          case ALIGNS_TO_EIGHT -> Math.max(byteAlignment, 8);
          default -> Math.max(byteAlignment, 16);
        };
    long start = (top + alignment - 1) & -alignment;
    long end = start + blockBytes(byteSize);
    if (end > base + SLAB_BYTES) {
      return inner.allocate(byteSize, byteAlignment);
    }
    NativeMemory.checkAccessible(inner);
    top = end;
    return fault == Fault.SEGMENTS_OUTLIVE_IT && byteSize == 1
        ? NativeMemory.segment(start, byteSize)
        : NativeMemory.segment(start, byteSize, inner);
  }

  private long blockBytes(long byteSize) {
    return switch (fault) {
      case SAME_ADDRESS_FOR_EMPTY -> byteSize;
      case SHORT_BLOCKS -> byteSize % 16 == 1 ? Math.max(byteSize - 1, 1) : byteSize;
      case ALIGNS_TO_EIGHT -> (Math.max(byteSize, 1) + 7) & -8;
      default -> PooledArena.blockBytes(byteSize);
    };
  }

  @Override
  public MemorySegment.Scope scope() {
    return inner.scope();
  }

  @Override
  public void close() {
    if (fault == Fault.RELEASED_BY_A_REFUSED_CLOSE) {
      release();
    }
    if (fault == Fault.MAY_BE_CLOSED_TWICE && !inner.scope().isAlive()) {
      return;
    }
    try {
      inner.close();
    } catch (RuntimeException e) {
      if (fault != Fault.LOSES_EXCEPTIONS) {
        throw e;
      }
    }
    if (fault != Fault.RELEASED_BY_A_REFUSED_CLOSE && fault != Fault.SAME_SLAB_FOR_NESTED) {
      release();
    }
  }

  private void release() {
    long used = Math.max(top - base - (fault == Fault.ZEROES_TOO_LITTLE ? 16 : 0), 0);
    if (fault != Fault.SKIPS_ZEROING) {
      NativeMemory.zero(base, used);
    }
    slabs.free.addFirst(base);
  }
}
