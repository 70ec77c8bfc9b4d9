package dev.arenal.guard;

import org.jspecify.annotations.Nullable;

/**
 * Whether the structures of one owner, a space or a page allocator, are in doubt (fail-stop).
 *
 * <p>A critical section that ends by an error which it did not throw itself, with nothing changed,
 * notes damage before its lock is free again. From then on the owner refuses to hand out memory. It
 * can still be closed: its memory goes back as a whole then.
 *
 * <p>Any thread may ask and note. The exception of a refusal is the only object that is created
 * here.
 */
public final class Damage {
  private final String kind;
  private final String name;

  /**
   * The error that ended an operation in the middle; null if there was none. A field, to be written
   * without a call: at the end of the stack even that of a short method may fail.
   */
  public volatile @Nullable Throwable cause;

  /**
   * Not damaged.
   *
   * @param kind of the owner, as messages name it
   * @param name of the owner
   */
  public Damage(String kind, String name) {
    this.kind = kind;
    this.name = name;
  }

  /** Notes that a critical section ended by {@code error}; the first one counts, or another. */
  public void note(Throwable error) {
    if (cause == null) {
      cause = error;
    }
  }

  /** Whether damage has been noted. */
  public boolean isNoted() {
    return cause != null;
  }

  /**
   * Returns if there is no damage.
   *
   * @throws IllegalStateException if there is; its cause is the error that was noted
   */
  public void check() {
    Throwable noted = cause;
    if (noted != null) {
      throw refusal(noted);
    }
  }

  private IllegalStateException refusal(Throwable noted) {
    return new IllegalStateException(
        kind
            + " is damaged: "
            + kind
            + "="
            + name
            + ", cause="
            + noted.getClass().getName()
            + " (an operation ended in the middle; close what is open, then the "
            + kind
            + ", and build another one)",
        noted);
  }
}
