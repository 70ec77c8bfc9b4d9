package dev.arenal;

import org.jspecify.annotations.Nullable;

/**
 * Native memory was refused: by a budget, a capacity, the operating system, or the machine.
 *
 * <p>The figures of the refusal, which the message has in words. Nothing has changed by it: the
 * space, the allocator or the memory that refused goes on working, and has the memory once there is
 * some again. An {@link OutOfMemoryError} that is none of these is the JVM's: the Java heap is
 * full.
 *
 * <pre>{@code
 * try {
 *   buffer = pages.allocate(sizeBytes);
 * } catch (OutOfNativeMemoryError e) {
 *   shedLoad(e.requestedBytes());
 * }
 * }</pre>
 */
public final class OutOfNativeMemoryError extends OutOfMemoryError {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final long requestedBytes;
  private final long committedBytes;
  private final @Nullable String budgetName;
  private final long limitBytes;
  private final long budgetCommittedBytes;

  /**
   * A refusal with its figures.
   *
   * @param message the figures in words
   * @param name see {@link #name()}
   * @param requestedBytes see {@link #requestedBytes()}
   * @param committedBytes see {@link #committedBytes()}
   * @param budgetName see {@link #budgetName()}
   * @param limitBytes see {@link #limitBytes()}
   * @param budgetCommittedBytes see {@link #budgetCommittedBytes()}
   */
  public OutOfNativeMemoryError(
      String message,
      String name,
      long requestedBytes,
      long committedBytes,
      @Nullable String budgetName,
      long limitBytes,
      long budgetCommittedBytes) {
    super(message);
    this.name = name;
    this.requestedBytes = requestedBytes;
    this.committedBytes = committedBytes;
    this.budgetName = budgetName;
    this.limitBytes = limitBytes;
    this.budgetCommittedBytes = budgetCommittedBytes;
  }

  /** The name of the space, the allocator or the memory that refused. */
  public String name() {
    return name;
  }

  /** Bytes that were asked for. */
  public long requestedBytes() {
    return requestedBytes;
  }

  /**
   * Bytes that the refusing space, allocator or memory had committed; -1 where the machine refused
   * a pretouch.
   */
  public long committedBytes() {
    return committedBytes;
  }

  /** The name of the budget; null if there is none. */
  public @Nullable String budgetName() {
    return budgetName;
  }

  /** The limit of the budget in bytes; {@link Long#MAX_VALUE} if there is none. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Bytes that all that share the budget had committed. */
  public long budgetCommittedBytes() {
    return budgetCommittedBytes;
  }
}
