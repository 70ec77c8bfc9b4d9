package dev.arenal.page;

import dev.arenal.guard.LostHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where and when a buffer that is watched was born, until it is closed. A buffer that is lost
 * without a close is warned of; its memory stays, since its address may be held somewhere.
 */
final class BufferBirth extends LostHandle {
  final long sizeBytes;
  final PageAge age;

  /** For how many buffers it stands. */
  final int weight;

  private final BufferBirths births;

  /** Costs less than a look at the stack that keeps a few frames. */
  private final Throwable stack = new Throwable("buffer was born here");

  /** Set last, when all know of it: what ends before has not begun. */
  private volatile boolean isBegun;

  /** Set without a call, first: at the end of the stack a birth may be over and still be listed. */
  volatile boolean isOver;

  private BufferBirth(BufferBirths births, long sizeBytes, PageAge age, int weight) {
    this.births = births;
    this.sizeBytes = sizeBytes;
    this.age = age;
    this.weight = weight;
  }

  /** Watches a buffer that nobody else knows yet. */
  static BufferBirth watch(PageBuffer buffer, BufferBirths births, PageAge age, int weight) {
    return watch(buffer, new BufferBirth(births, buffer.sizeBytes, age, weight));
  }

  /** It counts from now on. */
  void begin() {
    isBegun = true;
  }

  /** The buffer is closed, and {@link #isOver} set. */
  void end() {
    births.remove(this);
    cancel();
  }

  /** Where the program asked for it, or an adapter did for the program. */
  StackTraceElement place() {
    return BirthPlace.of(stack.getStackTrace());
  }

  @Override
  protected void giveBack() {
    if (isBegun && !isOver) {
      births.lost(this);
    }
  }

  @Override
  protected @Nullable String report() {
    return isBegun && !isOver && births.isNews(this)
        ? "buffer was never closed: allocator="
            + births.allocator()
            + ", sizeBytes="
            + sizeBytes
            + ", age="
            + age
            + ", place="
            + place()
            + " (its memory stays, since its address may be held; close it; "
            + births.howMany()
            + ")"
        : null;
  }

  @Override
  protected Throwable opening() {
    return stack;
  }
}
