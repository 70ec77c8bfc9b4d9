package dev.arenal.lab.process;

import java.io.Serial;

/** Thrown when the measurement of one allocator failed; those of others may succeed. */
public final class ChildFailedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** Says which process failed, and how. */
  public ChildFailedException(String message) {
    super(message);
  }
}
