package dev.arenal.lab.heap;

import java.io.IOException;
import java.io.Serial;

/** Thrown when a heap cannot be measured: it does not open, or another one answers its calls. */
public final class WrongHeapException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  WrongHeapException(String message) {
    super(message);
  }

  WrongHeapException(String message, Throwable cause) {
    super(message, cause);
  }
}
