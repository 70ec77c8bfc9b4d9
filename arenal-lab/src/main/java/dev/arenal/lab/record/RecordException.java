package dev.arenal.lab.record;

import java.io.Serial;

/** Thrown when a program cannot be recorded; the message is for the user. */
public final class RecordException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  RecordException(String message) {
    super(message);
  }

  RecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
