package dev.arenal.lab.pretouch;

import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.page.PageAllocator;

/** Memory of Arenal that was pretouched, and what that took. */
final class ArenalMemory implements AutoCloseable {
  /** Whether more than there is can be asked for without danger. */
  static final boolean CAN_REFUSE = false;

  private static final double NANOS_PER_SECOND = 1e9;

  private final PageAllocator allocator;
  private final double seconds;

  private ArenalMemory(PageAllocator allocator, double seconds) {
    this.allocator = allocator;
    this.seconds = seconds;
  }

  static ArenalMemory touched(long sizeBytes, Method method, int countThreads, boolean hugePages) {
    long startNanos = System.nanoTime();
    PageAllocator allocator =
        PageAllocator.builder().capacityBytes(sizeBytes).pretouchBytes(sizeBytes).build();
    return new ArenalMemory(allocator, (System.nanoTime() - startNanos) / NANOS_PER_SECOND);
  }

  /** From the first question to the last page. */
  double seconds() {
    return seconds;
  }

  /** The library's own line about it. */
  String report() {
    return "";
  }

  @Override
  public void close() {
    allocator.close();
  }
}
