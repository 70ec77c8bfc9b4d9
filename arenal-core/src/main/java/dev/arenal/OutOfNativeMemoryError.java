package dev.arenal;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request for native memory exceeds a budget or a capacity, or when the operating
 * system or the machine has no memory for it.
 *
 * <p>The figures in the message are also available as numbers. A refusal changes nothing: the
 * space, allocator or reserved memory stays usable, and serves requests again once there is memory.
 * An {@link OutOfMemoryError} of another class comes from the JVM, as a rule because the Java heap
 * is full.
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
   * Creates an error with the figures of a refusal.
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

  /** The name of the space, allocator or reserved memory that refused. */
  public String name() {
    return name;
  }

  /**
   * Bytes that were refused. For a buffer or a range, the requested size; for a block of a space,
   * that size rounded up to a multiple of 8; for a small block of an arena of a page allocator, the
   * size of the next buffer of the arena; for a pretouch, its target or the refused part of it.
   */
  public long requestedBytes() {
    return requestedBytes;
  }

  /**
   * Bytes that the space, allocator or reserved memory had committed; -1 for a pretouch that was
   * refused before its first page, ended early for lack of memory, or failed in the kernel.
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

  /** Bytes that all users of the budget had committed. */
  public long budgetCommittedBytes() {
    return budgetCommittedBytes;
  }
}
