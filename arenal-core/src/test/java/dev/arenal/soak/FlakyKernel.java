package dev.arenal.soak;

import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The real kernel, without a monitor in between, which refuses a call now and then, and of which it
 * is known what is mapped. A proxy, so that it need not know each call.
 */
final class FlakyKernel implements InvocationHandler {
  /** Calls that a kernel may refuse without having done anything. */
  private static final Set<String> REFUSABLE =
      Set.of("reserve", "allow", "revoke", "discard", "populate", "move");

  private final OperatingSystem real = OperatingSystem.current();
  private final OperatingSystem system =
      (OperatingSystem)
          Proxy.newProxyInstance(
              OperatingSystem.class.getClassLoader(), new Class<?>[] {OperatingSystem.class}, this);

  /** Sizes of what is mapped by address. */
  private final ConcurrentSkipListMap<Long, Long> mapped = new ConcurrentSkipListMap<>();

  private final Tally tally;
  private volatile int refusedPerMille;

  FlakyKernel(Tally tally) {
    this.tally = tally;
  }

  OperatingSystem system() {
    return system;
  }

  /** From now on; 0: it refuses none. */
  void refuse(int perMille) {
    refusedPerMille = perMille;
  }

  boolean isRefusing() {
    return refusedPerMille > 0;
  }

  @Override
  public Object invoke(Object proxy, Method method, Object[] args) throws Throwable {
    String name = method.getName();
    int perMille = refusedPerMille;
    if (perMille > 0
        && REFUSABLE.contains(name)
        && ThreadLocalRandom.current().nextInt(1000) < perMille) {
      tally.count(Tally.Kind.KERNEL_REFUSALS);
      return method.getReturnType() == long.class ? (Object) (long) -Errno.ENOMEM : -Errno.ENOMEM;
    }
    Object result;
    try {
      result = method.invoke(real, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (name.equals("reserve") && (long) result > 0) {
      mapped.put((long) result, (long) args[0]);
    } else if (name.equals("release") && (int) result == 0) {
      forget((long) args[0], (long) args[0] + (long) args[1]);
    }
    return result;
  }

  private synchronized void forget(long from, long to) {
    Map.Entry<Long, Long> entry = mapped.lowerEntry(to);
    while (entry != null && entry.getKey() + entry.getValue() > from) {
      long start = entry.getKey();
      long end = start + entry.getValue();
      mapped.remove(start);
      if (start < from) {
        mapped.put(start, from - start);
      }
      if (end > to) {
        mapped.put(to, end - to);
      }
      entry = mapped.lowerEntry(Math.min(start, from));
    }
  }

  long mappedBytes() {
    return mapped.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Of what is mapped, in physical memory; -1 if the real kernel does not say. */
  long residentBytes() {
    long sizeBytes = 0;
    for (Map.Entry<Long, Long> entry : mapped.entrySet()) {
      long absentBytes = real.absentBytes(entry.getKey(), entry.getValue());
      if (absentBytes < 0) {
        return -1;
      }
      sizeBytes += entry.getValue() - absentBytes;
    }
    return sizeBytes;
  }
}
