package dev.arenal.page;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Buffers that any thread frees. */
public final class PageAllocator implements AutoCloseable {
  private final PageState state;

  PageAllocator(PageState state) {
    this.state = state;
  }

  /** Begins to build an allocator. */
  public static PageAllocatorBuilder builder() {
    return new PageAllocatorBuilder();
  }

  /** The name it was built with. */
  public String name() {
    return state.settings().name();
  }

  /** A buffer; waits up to the builder's {@code maxWait} where the capacity is full. */
  public PageBuffer allocate(long sizeBytes, PageAge age) {
    return state.allocate(sizeBytes, age, state.settings().maxWait().toNanos());
  }

  /** A buffer; waits up to that long where the capacity is full. */
  public PageBuffer allocate(long sizeBytes, PageAge age, Duration maxWait) {
    return state.allocate(sizeBytes, age, maxWait.toNanos());
  }

  /** A buffer, or null where the capacity is full. */
  public @Nullable PageBuffer tryAllocate(long sizeBytes, PageAge age) {
    return state.tryAllocate(sizeBytes, age);
  }

  /** Gives all free memory back to the operating system now, and says how much that was. */
  public long trim() {
    return state.trim();
  }

  /** Bytes of buffers that are open: what was asked for. */
  public long usedBytes() {
    return state.usedBytes();
  }

  /** Bytes committed now. */
  public long committedBytes() {
    return state.context().supply().committedBytes();
  }

  PageState state() {
    return state;
  }

  @Override
  public void close() {
    state.close();
  }
}
