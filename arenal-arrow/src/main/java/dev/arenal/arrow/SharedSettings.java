package dev.arenal.arrow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The system properties of the page allocator of the whole program. An invalid value becomes the
 * default and a complaint, never an exception: a typing error in a start script must not keep a
 * program from starting.
 *
 * @param limitBytes the most that may be committed; 0: no limit
 * @param uncommitDelay how long memory must have been free before it goes back
 * @param complaints the errors in the properties
 */
record SharedSettings(long limitBytes, Duration uncommitDelay, List<String> complaints) {
  static final String LIMIT_PROPERTY = "arenal.arrow.limitBytes";
  static final String DELAY_PROPERTY = "arenal.arrow.uncommitDelayMillis";

  /** A few pages. */
  static final long LEAST_LIMIT_BYTES = 8L << 20;

  static final long LARGEST_LIMIT_BYTES = 4L << 40;
  static final long DEFAULT_DELAY_MILLIS = 300_000;

  /** A year. */
  static final long LARGEST_DELAY_MILLIS = 365L * 24 * 60 * 60 * 1000;

  /** Parses the texts of the properties; null where one is not set. */
  static SharedSettings parse(@Nullable String limit, @Nullable String delay) {
    List<String> complaints = new ArrayList<>();
    long limitBytes =
        parse(LIMIT_PROPERTY, limit, LEAST_LIMIT_BYTES, LARGEST_LIMIT_BYTES, 0, complaints);
    long delayMillis =
        parse(DELAY_PROPERTY, delay, 0, LARGEST_DELAY_MILLIS, DEFAULT_DELAY_MILLIS, complaints);
    return new SharedSettings(limitBytes, Duration.ofMillis(delayMillis), List.copyOf(complaints));
  }

  private static long parse(
      String name,
      @Nullable String text,
      long least,
      long largest,
      long usual,
      List<String> complaints) {
    if (text == null) {
      return usual;
    }
    boolean isLimit = name.equals(LIMIT_PROPERTY);
    try {
      long value = isLimit ? bytes(text.strip()) : Long.parseLong(text.strip());
      if (value >= least && value <= largest) {
        return value;
      }
    } catch (NumberFormatException e) {
      // the same complaint
    }
    complaints.add(
        "invalid setting: "
            + name
            + "="
            + text
            + " (expected a number from "
            + least
            + " to "
            + largest
            + (isLimit ? ", or a size such as 512m; using no limit)" : "; using " + usual + ")"));
    return usual;
  }

  /** A number of bytes, or a number with a letter, as {@code -Xmx} has it. */
  private static long bytes(String text) {
    int length = text.length();
    int shift =
        switch (length == 0 ? ' ' : text.charAt(length - 1)) {
          case 'k', 'K' -> 10;
          case 'm', 'M' -> 20;
          case 'g', 'G' -> 30;
          case 't', 'T' -> 40;
          default -> 0;
        };
    long count = Long.parseLong(shift == 0 ? text : text.substring(0, length - 1));
    if (count < 0) {
      return count; // refused: a shift could make it positive
    }
    return count > Long.MAX_VALUE >> shift ? Long.MAX_VALUE : count << shift;
  }
}
