package dev.arenal.page;

import static java.util.Objects.requireNonNull;

import dev.arenal.guard.Damage;
import dev.arenal.guard.StackReserve;
import dev.arenal.guard.WatchMode;
import dev.arenal.os.NativeMemory;
import dev.arenal.page.granule.PageKind;
import dev.arenal.page.span.Span;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A piece of native memory that any thread may use, and any thread may free once.
 *
 * <p>{@link #close} frees it, and from then on {@link #segment} throws. A segment from an earlier
 * call still points to the memory, which may then belong to another buffer; nothing detects such a
 * late access. A {@linkplain PageAllocatorBuilder#checked checked} allocator gives each buffer a
 * scope of its own, so that access through its segments throws after the close.
 *
 * <p><b>Threading:</b> all methods may be called by any thread. The program must publish a buffer
 * safely to other threads, and must ensure that no thread uses a buffer while it is closed.
 * <b>Cost:</b> a handle is one object of some 56 bytes; {@link #segment} creates another one unless
 * the compiler eliminates it; a close costs one compare-and-set, and the free in the {@link
 * PageAllocator}.
 */
public final class PageBuffer implements AutoCloseable {
  /** To do before the program gets it: its memory may not be zero, and is to be. */
  static final int ZERO = 1;

  /** The upper bits of {@link #toDo} are the mark of {@link BufferSampler}. */
  static final int MARK_SHIFT = 1;

  /** The most that the JDK wraps. */
  private static final int LARGEST_BYTE_BUFFER = Integer.MAX_VALUE - 8;

  private static final VarHandle IS_CLOSED;

  static {
    try {
      IS_CLOSED = MethodHandles.lookup().findVarHandle(PageBuffer.class, "isClosed", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final PageContext context;

  /** Its span, and its slot or units there: a number as {@link Magazine} has it. */
  final long piece;

  final long address;
  final long sizeBytes;

  /** Link of the list of its heap, once closed; before, of that of its {@link PageArena}. */
  @Nullable PageBuffer nextPending;

  /** Of its own where the allocator is checked; else null, and segments live for ever. */
  private @Nullable Arena scope;

  /** If it is watched; written before another thread knows the buffer, and reset by the close. */
  private @Nullable BufferBirth birth;

  /** The number of the magazine that takes it when it is free; negative: none. */
  final short magazine;

  /** Written by its handle. A field, to be asked without a call. */
  volatile boolean isClosed;

  /** The work left before the program gets it; a byte, because the handle is full to a word. */
  byte toDo;

  /**
   * A buffer that no other thread knows yet.
   *
   * @param magazine the number of the one that takes it, or -1
   * @param toDo the work left before the program gets it
   */
  PageBuffer(
      PageContext context, long piece, int magazine, long address, long sizeBytes, int toDo) {
    this.context = context;
    this.piece = piece;
    this.magazine = (short) magazine;
    this.address = address;
    this.sizeBytes = sizeBytes;
    this.toDo = (byte) toDo;
  }

  /** Where it lies, until its memory is free. */
  Span span() {
    return requireNonNull(context.spans().getRacy(Magazine.id(piece)));
  }

  /**
   * The work left to do outside the lock, before the program gets it. The scope comes last: it is
   * counted, and what is not handed out must not count.
   */
  void prepare(@Nullable BufferBirth begun) {
    birth = begun;
    if ((toDo & ZERO) != 0) {
      NativeMemory.zero(address, sizeBytes);
    }
    toDo = 0;
    if (context.isChecked()) {
      openScope(context.supply().scopeCount());
    }
  }

  /**
   * Its loss is that of its confined arena from now on, since the allocator keeps this handle; no
   * other thread knows it yet.
   */
  void watchBy(PageArena arena) {
    BufferBirth begun = birth;
    if (WatchMode.IS_ON && begun != null) {
      birth = begun.movedTo(arena);
    }
  }

  /** The mark with which it came from a rack; 0 if it is not watched. */
  int mark() {
    return toDo >> MARK_SHIFT;
  }

  private void openScope(AtomicLong count) {
    var _ = count.incrementAndGet(); // first: what is not counted would not keep a close away
    boolean done = false;
    try {
      scope = Arena.ofShared();
      done = true;
    } finally {
      if (!done) {
        var _ = count.decrementAndGet();
      }
    }
  }

  /**
   * The memory, aligned to 16 bytes, or to 1,024 if it is larger than 8 KiB. Unless the allocator
   * is {@linkplain PageAllocatorBuilder#checked checked}, the scope of the segment is the global
   * one, so that channels need not update a shared counter. After the close of the buffer, access
   * through the segment may reach memory of another buffer; after the close of the allocator, it
   * may crash the JVM.
   *
   * @throws IllegalStateException if this buffer is closed
   */
  public MemorySegment segment() {
    if ((boolean) IS_CLOSED.getVolatile(this)) {
      throw new IllegalStateException(describe("buffer is closed"));
    }
    return scope == null
        ? NativeMemory.segment(address, sizeBytes)
        : NativeMemory.segment(address, sizeBytes, scope);
  }

  /**
   * The memory as a direct byte buffer, without a copy; big-endian, as any new byte buffer. Each
   * call returns a new one at position 0. The warning of {@link #segment} applies to it as well.
   *
   * @throws IllegalStateException if this buffer is closed
   * @throws UnsupportedOperationException if the size exceeds 2 GiB - 9 bytes, the maximum of the
   *     JDK
   */
  public ByteBuffer asByteBuffer() {
    if (sizeBytes > LARGEST_BYTE_BUFFER) {
      throw new UnsupportedOperationException(
          describe("buffer is too large for a ByteBuffer")
              + " (expected at most "
              + LARGEST_BYTE_BUFFER
              + " bytes; use its segment)");
    }
    return segment().asByteBuffer();
  }

  /** The requested size in bytes; valid also after the close. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /**
   * Frees the memory. If too little is left of the stack of the calling thread, the buffer is
   * closed all the same, and its memory becomes free when the next thread needs that part of the
   * allocator. If a close throws, the buffer is still open, or the allocator is damaged.
   *
   * @throws IllegalStateException if the buffer is already closed; or if the allocator is checked
   *     and a native call uses a segment, in which case the buffer stays open
   * @throws StackOverflowError if the allocator is checked and less than 19 KiB of the stack are
   *     left, or if there is no room for the first few calls; the buffer stays open
   */
  @Override
  public void close() {
    close(false);
  }

  /**
   * The same, in an operation that has ensured the stack and could not stop half-way: what is
   * ensured is there, but from farther down less is left than an operation wants.
   */
  void closeEnsured() {
    close(true);
  }

  private void close(boolean isEnsured) {
    BufferBirth begun = birth; // once: another thread may close it
    if (WatchMode.IS_ON && begun != null) {
      closeWatched(begun, isEnsured);
    } else {
      free(null, isEnsured);
    }
  }

  private void closeWatched(BufferBirth begun, boolean isEnsured) {
    try {
      free(begun, isEnsured);
    } finally {
      if (begun.isOver) {
        birth = null;
        try {
          if (isEnsured || StackReserve.isThere()) {
            begun.end();
          } // else the cleaner ends it, without a warning: nothing may end in the middle of the
          // books
        } catch (VirtualMachineError e) { // even of the first call: the close is complete
          birth = null; // no call here
        }
      }
      Reference.reachabilityFence(this); // before that it is not lost
    }
  }

  /**
   * The same.
   *
   * @param begun if it is watched: over only if this close is done, which another thread that is
   *     refused cannot know
   */
  private void free(@Nullable BufferBirth begun, boolean isEnsured) {
    PageContext context = this.context;
    Damage damage = context.supply().damage;
    StallQueue stalls = context.stalls();
    Arena own = scope; // null also where a checked buffer is not handed out
    AtomicLong scopeCount = context.supply().scopeCount();
    if (own != null && !isEnsured) {
      StackReserve.ensure(); // nothing may end in the middle of closing the scope
    }
    if (!IS_CLOSED.compareAndSet(this, false, true)) {
      throw new IllegalStateException(
          describe("buffer is already closed") + " (close it once, where it was last used)");
    }
    boolean isInDoubt = false;
    boolean isDone = false;
    try {
      if (own != null) {
        own.close();
        isInDoubt = true;
        var _ = scopeCount.decrementAndGet();
      }
      if (damage.isNoted()) {
        if (begun != null) {
          begun.isOver = true;
        }
        return; // its memory stays until the allocator goes
      }
      if (stalls.isWaiting() || !context.racks().keep(this, isEnsured)) {
        Span span = span();
        LockedHeap heap = LockedHeap.of(span);
        if (isEnsured || isThereFor(span)) {
          isInDoubt = true;
          heap.free(this);
        } else {
          heap.leave(this);
        }
      }
      isDone = true;
      if (begun != null) {
        begun.isOver = true; // without a call
      }
      stalls.signal();
    } catch (Throwable e) {
      if (isDone) {
        return; // the first request in the queue looks by itself twenty times a second
      }
      if (!isInDoubt && (own == null || own.scope().isAlive())) {
        isClosed = false; // still open, and may be closed again
      } else {
        damage.cause = e;
        if (begun != null) {
          begun.isOver = true;
        }
        if (!isInDoubt) {
          var _ = scopeCount.decrementAndGet();
        }
      }
      throw e;
    }
  }

  /** Whether there is stack enough: a page may go, and a call to the kernel with it. */
  private static boolean isThereFor(Span span) {
    try {
      return span.page().memory.kind == PageKind.SMALL
          ? StackReserve.isThereShort()
          : StackReserve.isThere();
    } catch (VirtualMachineError e) { // of the first call
      return false;
    }
  }

  private String describe(String what) {
    return what
        + ": allocator="
        + context.name()
        + ", address=0x"
        + Long.toHexString(address)
        + ", sizeBytes="
        + sizeBytes
        + ", thread="
        + Thread.currentThread().getName();
  }

  /** Allocator, address and size. */
  @Override
  public String toString() {
    return describe((boolean) IS_CLOSED.getVolatile(this) ? "closed buffer" : "buffer");
  }
}
