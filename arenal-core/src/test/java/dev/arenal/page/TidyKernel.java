package dev.arenal.page;

import dev.arenal.faults.KernelNotes;
import dev.arenal.os.OperatingSystem;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The real kernel, for programs that damage thousands of allocators. A damaged allocator leaves its
 * addresses mapped, since a program may still use its buffers; thousands of them have more mappings
 * than the kernel allows. This class unmaps them once the program has ended.
 */
final class TidyKernel {
  /** Sizes of reserved ranges, by address. */
  private final Map<Long, Long> reserved = new ConcurrentSkipListMap<>();

  private final OperatingSystem kernel = OperatingSystem.current();
  private final OperatingSystem watched = watched(kernel);

  /** The kernel for allocators. */
  OperatingSystem get() {
    return watched;
  }

  /** Unmaps all addresses that closed allocators have left; nothing may use them any more. */
  void unmapRest() {
    reserved.forEach((address, sizeBytes) -> {
      // After an error in a release they may be another thread's.
      boolean isMapped = KernelNotes.mayBeMapped(this, address, sizeBytes);
      int error = isMapped ? kernel.release(address, sizeBytes) : 0;
      if (error != 0) {
        throw new AssertionError("addresses are not given back: errno=" + error);
      }
    });
    reserved.clear();
  }

  private OperatingSystem watched(OperatingSystem real) {
    InvocationHandler handler =
        (_, method, arguments) -> {
          Object result = invoke(real, method, arguments);
          switch (method.getName()) {
            case "reserve" -> note((long) result, (long) arguments[0]);
            case "release" -> forget((int) result, (long) arguments[0], (long) arguments[1]);
            case "named" -> result = watched((OperatingSystem) result);
            default -> {}
          }
          return result;
        };
    return (OperatingSystem)
        Proxy.newProxyInstance(
            OperatingSystem.class.getClassLoader(),
            new Class<?>[] {OperatingSystem.class},
            handler);
  }

  private static Object invoke(OperatingSystem real, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Pages are huge: buffers are written whole, and a fault for each small page took most time. */
  private void note(long address, long sizeBytes) {
    if (address > 0) {
      reserved.put(address, sizeBytes);
      var _ = kernel.adviseHuge(address, sizeBytes, true); // refused where there are none
    }
  }

  /** A reservation with excluded addresses is released in parts, from the lowest on. */
  private void forget(int error, long address, long sizeBytes) {
    Long knownBytes = error == 0 ? reserved.remove(address) : null;
    if (knownBytes != null && knownBytes > sizeBytes) {
      reserved.put(address + sizeBytes, knownBytes - sizeBytes);
    }
  }
}
