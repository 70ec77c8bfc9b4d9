package dev.arenal.bench.buffers;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The one heap that this JVM measures, by constants and by the fastest call that Java has. */
@SuppressWarnings("restricted") // blocks of other heaps are known by address only
final class MeasuredHeap {
  private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static HeapKind chosen = HeapKind.MALLOC;

  private MeasuredHeap() {}

  /** Chooses it, before anything was taken from one. */
  static synchronized void choose(HeapKind kind) {
    chosen = kind;
    if (Calls.KIND != kind) {
      throw new IllegalStateException(
          "this JVM measures another heap: heap=%s, measured=%s (expected a fork for each)"
              .formatted(kind, Calls.KIND));
    }
  }

  private static synchronized HeapKind chosen() {
    return chosen;
  }

  static long malloc(long sizeBytes) {
    long address;
    try {
      address = (long) Calls.MALLOC.invokeExact(sizeBytes);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    if (address == 0) {
      throw new OutOfMemoryError(
          "heap has no memory: heap=%s, sizeBytes=%d".formatted(Calls.KIND, sizeBytes));
    }
    return address;
  }

  static void free(long address) {
    try {
      Calls.FREE.invokeExact(address);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static void putWord(long address, long value) {
    EVERYTHING.set(ValueLayout.JAVA_LONG, address, value);
  }

  /** Set when first used, which is with the choice. */
  private static final class Calls {
    static final HeapKind KIND = chosen();
    private static final SymbolLookup FUNCTIONS = KIND.functions(System.getenv());
    static final MethodHandle MALLOC =
        handle(KIND.malloc, FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    static final MethodHandle FREE =
        handle(KIND.free, FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
      return Linker.nativeLinker()
          .downcallHandle(FUNCTIONS.findOrThrow(name), descriptor, Linker.Option.critical(false));
    }
  }
}
