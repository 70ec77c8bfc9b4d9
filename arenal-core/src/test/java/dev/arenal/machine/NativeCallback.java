package dev.arenal.machine;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Has native code call an action: a comparator of {@code qsort}. A virtual thread cannot leave its
 * carrier meanwhile.
 */
@SuppressWarnings("restricted")
public final class NativeCallback {
  private static final MethodHandle SORT =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("qsort"),
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS));

  private final Runnable action;
  private final MemorySegment two = Arena.global().allocate(2 * Long.BYTES);
  private final MemorySegment callback;

  /** An action that may be called any number of times, also by several threads. */
  public NativeCallback(Runnable action) throws ReflectiveOperationException {
    this.action = action;
    MethodHandle compare =
        MethodHandles.lookup()
            .findVirtual(
                NativeCallback.class,
                "compare",
                MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
    this.callback =
        Linker.nativeLinker()
            .upcallStub(
                compare.bindTo(this),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
                Arena.global());
  }

  /** Has the action called once. */
  public void run() {
    try {
      SORT.invokeExact(two, 2L, (long) Long.BYTES, callback);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  int compare(MemorySegment left, MemorySegment right) {
    action.run();
    return Long.compare(left.address(), right.address());
  }
}
