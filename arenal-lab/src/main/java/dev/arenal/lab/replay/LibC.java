package dev.arenal.lab.replay;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.Optional;

/**
 * The C library's heap: {@code malloc}, {@code free}, and what glibc tells about them.
 *
 * <p>{@code malloc} and {@code free} are called with {@link Linker.Option#critical}: without the
 * change of thread state a call is several nanoseconds shorter. A long stay in the kernel would
 * hold up a safepoint, but a replay has one thread and nobody waits. So malloc gets the fastest
 * call that Java has.
 */
final class LibC {
  private static final Linker LINKER = Linker.nativeLinker();

  /** Ten fields of {@code size_t}: {@code arena} is the first, {@code hblkhd} the fifth. */
  private static final StructLayout MALLINFO2 =
      MemoryLayout.structLayout(
          Collections.nCopies(10, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new));

  private static final long ARENA_OFFSET_BYTES = 0;
  private static final long HBLKHD_OFFSET_BYTES = 4 * Long.BYTES;

  private static final MethodHandle MALLOC =
      find(
              "malloc",
              FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
              Linker.Option.critical(false))
          .orElseThrow();
  private static final MethodHandle FREE =
      find("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG), Linker.Option.critical(false))
          .orElseThrow();

  /** Both are glibc's own; another C library goes without. */
  private static final Optional<MethodHandle> MALLOC_TRIM =
      find("malloc_trim", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));

  private static final Optional<MethodHandle> MALLINFO =
      find("mallinfo2", FunctionDescriptor.of(MALLINFO2));

  private LibC() {}

  static long malloc(long sizeBytes) {
    long address;
    try {
      address = (long) MALLOC.invokeExact(sizeBytes);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (address == 0) {
      throw new OutOfMemoryError("malloc has no memory: sizeBytes=" + sizeBytes);
    }
    return address;
  }

  static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Asks the C library to give back what it keeps free. */
  static void trim() {
    if (MALLOC_TRIM.isPresent()) {
      try {
        int _ = (int) MALLOC_TRIM.get().invokeExact(0L);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }

  /**
   * The bytes that malloc holds from the operating system, in all its heaps and single mappings, or
   * {@link ReplayAllocator#UNKNOWN}.
   */
  static long heldBytes() {
    if (MALLINFO.isEmpty()) {
      return ReplayAllocator.UNKNOWN;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = (MemorySegment) MALLINFO.get().invokeExact((SegmentAllocator) arena);
      return info.get(ValueLayout.JAVA_LONG, ARENA_OFFSET_BYTES)
          + info.get(ValueLayout.JAVA_LONG, HBLKHD_OFFSET_BYTES);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @SuppressWarnings("restricted") // Calling malloc is what this class is for.
  private static Optional<MethodHandle> find(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER
        .defaultLookup()
        .find(name)
        .map(symbol -> LINKER.downcallHandle(symbol, descriptor, options));
  }
}
