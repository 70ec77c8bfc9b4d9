package dev.arenal.page;

import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.BirthStack;
import dev.arenal.guard.LostHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where and when a buffer that is watched was born, until it is closed. A buffer that is lost
 * without a close is warned of; its memory stays, since its address may be held somewhere.
 */
final class BufferBirth extends LostHandle {
  static final String KIND = "PageBuffer";

  final long sizeBytes;
  final PageAge age;

  /** For how many buffers it stands. */
  final int weight;

  final long bornNanos;
  final BirthStack stack;

  /** That of the confined arena of the buffer; null if it is in none. */
  private final @Nullable Thread owner;

  private final BufferBirths births;

  /**
   * Whether the buffer is closed, though its thread may not have come to {@link #end}. A field, to
   * be written without a call.
   */
  volatile boolean isOver;

  /** Whether it is among the lost ones; by the thread of the cleaner. */
  private boolean isCounted;

  BufferBirth(BufferBirths births, long sizeBytes, PageAge age, int weight, BirthStack stack) {
    super(stack, "buffer was allocated here");
    this.stack = stack;
    this.births = births;
    this.sizeBytes = sizeBytes;
    this.age = age;
    this.weight = weight;
    this.bornNanos = System.nanoTime();
    this.owner = null;
  }

  /** The same birth, of a buffer of a confined arena. */
  BufferBirth(BufferBirth birth, Thread owner) {
    super(birth.stack, "buffer was allocated here");
    this.stack = birth.stack;
    this.births = birth.births;
    this.sizeBytes = birth.sizeBytes;
    this.age = birth.age;
    this.weight = birth.weight;
    this.bornNanos = birth.bornNanos;
    this.owner = owner;
  }

  /** From now on a loss of the handle is noticed: of the buffer, or of its arena. */
  void watch(Object handle) {
    var _ = watch(handle, this);
  }

  /** From now on the loss of a confined arena is noticed, by the birth that this returns. */
  BufferBirth movedTo(PageArena arena) {
    return births.moved(this, arena);
  }

  /** Whether it is of a confined arena whose thread has ended. */
  boolean hasEnded() {
    return owner != null && !owner.isAlive();
  }

  /** The buffer is closed. Calls, so there must be enough of the stack. */
  void end() {
    births.remove(this);
    cancel();
  }

  @Override
  protected void giveBack() {
    if (isOver) {
      births.remove(this);
      return;
    }
    if (!isCounted) {
      births.countLost(this);
      isCounted = true;
    }
    births.remove(this);
    MemoryEvents.leak(KIND, births.allocator, sizeBytes, weight, stack.place());
  }

  @Override
  protected @Nullable String report() {
    return !isOver && births.isNews(stack.place()) ? births.warning(this) : null;
  }
}
