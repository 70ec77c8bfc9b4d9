package dev.arenal.faults;

import org.jspecify.annotations.Nullable;

/**
 * A program that a sweep runs again and again, each time failing at another place. Loaded together
 * with the rewritten library; needs a public constructor without parameters.
 */
public interface FaultProgram {
  /** Builds what the operation works on; nothing fails here. */
  void prepare();

  /** Does what may fail. */
  void operate() throws Exception;

  /**
   * Checks what is left, and closes it; nothing fails here.
   *
   * @param thrown by the operation; null if it came to its end
   */
  void check(@Nullable Throwable thrown);
}
