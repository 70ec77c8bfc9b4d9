package dev.arenal.netty;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The uncommit delay of the page allocator of the whole program, by a system property. An invalid
 * value becomes the default and a complaint, never an exception: a typing error in a start script
 * must not keep a program from starting.
 *
 * @param delay how long memory must have been free before it goes back
 * @param complaint the error in the property; null if there is none
 */
record SharedDelay(Duration delay, @Nullable String complaint) {
  static final String PROPERTY = "arenal.netty.uncommitDelayMillis";

  private static final long DEFAULT_MILLIS = 300_000;

  /** A year. */
  private static final long LARGEST_MILLIS = 365L * 24 * 60 * 60 * 1000;

  /** Parses the text of the property; null if it is not set. */
  static SharedDelay parse(@Nullable String text) {
    if (text == null) {
      return new SharedDelay(Duration.ofMillis(DEFAULT_MILLIS), null);
    }
    try {
      long millis = Long.parseLong(text.strip());
      if (millis >= 0 && millis <= LARGEST_MILLIS) {
        return new SharedDelay(Duration.ofMillis(millis), null);
      }
    } catch (NumberFormatException e) {
      // the same complaint
    }
    return new SharedDelay(
        Duration.ofMillis(DEFAULT_MILLIS),
        "invalid setting: "
            + PROPERTY
            + "="
            + text
            + " (expected a number from 0 to "
            + LARGEST_MILLIS
            + "; using "
            + DEFAULT_MILLIS
            + ")");
  }
}
