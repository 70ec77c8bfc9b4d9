package dev.arenal.lab.trace;

import java.io.IOException;
import java.io.Serial;

/** Thrown for a trace that is truncated, corrupt or of another version; names the place. */
public final class TraceFormatException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  TraceFormatException(String message) {
    super(message);
  }
}
