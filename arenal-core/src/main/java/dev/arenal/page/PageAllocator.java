package dev.arenal.page;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Buffers that any thread frees. */
public final class PageAllocator implements AutoCloseable {
  private final PageSettings settings;

  PageAllocator(PageSettings settings) {
    this.settings = settings;
  }

  /** Begins to build an allocator. */
  public static PageAllocatorBuilder builder() {
    return new PageAllocatorBuilder();
  }

  /** The name it was built with. */
  public String name() {
    return settings.name();
  }

  /** A buffer; waits up to the builder's {@code maxWait} where the capacity is full. */
  public PageBuffer allocate(long sizeBytes, PageAge age) {
    return allocate(sizeBytes, age, settings.maxWait());
  }

  /** A buffer; waits up to that long where the capacity is full. */
  public PageBuffer allocate(long sizeBytes, PageAge age, Duration maxWait) {
    return new PageBuffer(sizeBytes);
  }

  /** A buffer, or null where the capacity is full. */
  public @Nullable PageBuffer tryAllocate(long sizeBytes, PageAge age) {
    return new PageBuffer(sizeBytes);
  }

  /** Gives all free memory back to the operating system now, and says how much that was. */
  public long trim() {
    return 0;
  }

  /** Bytes of buffers that are open: what was asked for. */
  public long usedBytes() {
    return 0;
  }

  /** Bytes committed now. */
  public long committedBytes() {
    return 0;
  }

  @Override
  public void close() {}
}
