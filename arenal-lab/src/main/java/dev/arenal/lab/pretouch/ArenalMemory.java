package dev.arenal.lab.pretouch;

import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import dev.arenal.pretouch.PretouchReport;

/**
 * Memory of Arenal that was pretouched, and what that took.
 *
 * @param memory all of it resident
 * @param report the library's own
 */
record ArenalMemory(ReservedMemory memory, PretouchReport report) implements AutoCloseable {
  private static final String NAME = "lab";
  private static final long FIRST_BYTES = 8 * PretouchPlan.MIB;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Reserves and touches so much.
   *
   * @throws OutOfMemoryError if there is not as much
   */
  static ArenalMemory touched(long sizeBytes, Method method, int threadCount, boolean hugePages) {
    Pretouch settings = Pretouch.all().threads(threadCount).method(method(method));
    ReservedMemory memory = ReservedMemory.reserve(NAME, sizeBytes, Budget.unlimited(NAME));
    try {
      return new ArenalMemory(
          memory, memory.pretouch(hugePages ? settings.withHugePages() : settings));
    } catch (OutOfMemoryError e) {
      memory.close();
      throw e;
    }
  }

  /**
   * The first use of the library in this process, with a little memory that goes back: what a
   * program pays once, whatever it does with it.
   *
   * @return seconds
   */
  static double firstUse(Method method, int threadCount, boolean hugePages) {
    long startNanos = System.nanoTime();
    touched(FIRST_BYTES, method, threadCount, hugePages).close();
    return (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
  }

  private static PretouchMethod method(Method method) {
    return switch (method) {
      case TOUCH -> PretouchMethod.TOUCH;
      case POPULATE -> PretouchMethod.POPULATE;
      case NONE, ALWAYS_PRE_TOUCH, CLEAR ->
          throw new IllegalArgumentException("not a method of Arenal: method=" + method.label());
    };
  }

  @Override
  public void close() {
    memory.close();
  }
}
