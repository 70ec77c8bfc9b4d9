package dev.arenal.bench;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The C library's allocator, in two prices: an ordinary downcall, and one that the JVM does not
 * have to be able to stop in ({@link Linker.Option#critical}).
 *
 * <p>Addresses are plain numbers, which is the cheapest that a downcall can do. The memory is not
 * zeroed, except by {@link #calloc}. Both favour malloc in every comparison.
 */
final class LibC {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final FunctionDescriptor TAKES_ONE =
      FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
  private static final FunctionDescriptor TAKES_TWO =
      FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
  private static final FunctionDescriptor RELEASES =
      FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG);
  private static final Linker.Option CRITICAL = Linker.Option.critical(false);

  private static final MethodHandle MALLOC = function("malloc", TAKES_ONE);
  private static final MethodHandle MALLOC_CRITICAL = function("malloc", TAKES_ONE, CRITICAL);
  private static final MethodHandle CALLOC = function("calloc", TAKES_TWO);
  private static final MethodHandle FREE = function("free", RELEASES);
  private static final MethodHandle FREE_CRITICAL = function("free", RELEASES, CRITICAL);

  /** All memory: a block of malloc is written through it without any check of a lifetime. */
  private static final MemorySegment EVERYTHING = everything();

  private LibC() {}

  static long malloc(long sizeBytes) {
    try {
      return (long) MALLOC.invokeExact(sizeBytes);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  static long mallocCritical(long sizeBytes) {
    try {
      return (long) MALLOC_CRITICAL.invokeExact(sizeBytes);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** Zeroed, as all memory of an arena is. */
  static long calloc(long sizeBytes) {
    try {
      return (long) CALLOC.invokeExact(1L, sizeBytes);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  static void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  static void freeCritical(long address) {
    try {
      FREE_CRITICAL.invokeExact(address);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** A block of malloc as a segment, which is what a program in Java writes through. */
  @SuppressWarnings("restricted") // what malloc gives has no size
  static MemorySegment segment(long address, long sizeBytes) {
    return MemorySegment.ofAddress(address).reinterpret(sizeBytes);
  }

  static void putWord(long address, long word) {
    EVERYTHING.set(ValueLayout.JAVA_LONG, address, word);
  }

  @SuppressWarnings("restricted") // the peer is native
  private static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
  }

  @SuppressWarnings("restricted") // the peer is native
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  private static AssertionError impossible(Throwable t) {
    return new AssertionError("a downcall to the C library throws nothing", t);
  }
}
