package dev.arenal.bench.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the C library that the benchmarks call: those of the heap in the fastest way
 * that Java has, as other benchmarks call theirs, and the rest by ordinary downcalls.
 */
final class LibC {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle CALLOC =
      function(
          "calloc",
          FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
          Linker.Option.critical(false));
  private static final MethodHandle FREE =
      function(
          "free", FunctionDescriptor.ofVoid(ValueLayout.ADDRESS), Linker.Option.critical(false));
  private static final MethodHandle STRLEN =
      function("strlen", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
  private static final MethodHandle TIME =
      function("time", FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));

  private LibC() {}

  /** A zeroed block that is freed when the arena is closed. */
  @SuppressWarnings("restricted") // what malloc gives has no size
  static MemorySegment calloc(long sizeBytes, Arena lifetime) {
    MemorySegment block;
    try {
      block = (MemorySegment) CALLOC.invokeExact(1L, sizeBytes);
    } catch (Throwable t) {
      throw impossible(t);
    }
    if (block.address() == 0) {
      throw new OutOfMemoryError("calloc failed: sizeBytes=" + sizeBytes);
    }
    return block.reinterpret(sizeBytes, lifetime, LibC::free);
  }

  private static void free(MemorySegment block) {
    try {
      FREE.invokeExact(block);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** The length of a C string. */
  static long strlen(MemorySegment text) {
    try {
      return (long) STRLEN.invokeExact(text);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  /** The seconds since 1970, also written to the place. */
  static long time(MemorySegment place) {
    try {
      return (long) TIME.invokeExact(place);
    } catch (Throwable t) {
      throw impossible(t);
    }
  }

  @SuppressWarnings("restricted") // the peer is native
  private static MethodHandle function(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, options);
  }

  private static AssertionError impossible(Throwable t) {
    return new AssertionError("a downcall to the C library throws nothing", t);
  }
}
