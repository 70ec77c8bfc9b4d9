package dev.arenal.lab.replay;

import java.io.Serial;

/** Thrown when one allocator could not replay a trace; others may. */
final class ReplayFailedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  ReplayFailedException(String message) {
    super(message);
  }
}
