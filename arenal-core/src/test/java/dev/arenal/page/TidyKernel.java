package dev.arenal.page;

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
      int error = kernel.release(address, sizeBytes);
      if (error != 0) {
        throw new AssertionError("addresses are not given back: errno=" + error);
      }
    });
    reserved.clear();
  }

  private OperatingSystem watched(OperatingSystem real) {
    InvocationHandler handler =
        (_, method, arguments) -> {
          if (method.getName().equals("release")) {
            return release(real, (long) arguments[0], (long) arguments[1]);
          }
          Object result = invoke(real, method, arguments);
          if (method.getName().equals("reserve")) {
            note((long) result, (long) arguments[0]);
          }
          return method.getName().equals("named") ? watched((OperatingSystem) result) : result;
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

  /**
   * A reservation with excluded addresses is released in parts, from the lowest on. They are
   * forgotten first: after an error in the call they may be another thread's.
   */
  private int release(OperatingSystem real, long address, long sizeBytes) {
    Long knownBytes = reserved.remove(address);
    if (knownBytes != null && knownBytes > sizeBytes) {
      reserved.put(address + sizeBytes, knownBytes - sizeBytes);
    }
    int error = real.release(address, sizeBytes);
    if (error != 0 && knownBytes != null) {
      reserved.remove(address + sizeBytes);
      reserved.put(address, knownBytes);
    }
    return error;
  }
}
