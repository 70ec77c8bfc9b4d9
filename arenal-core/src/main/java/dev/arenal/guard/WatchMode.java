package dev.arenal.guard;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How many handles are watched: such a handle knows where it was made, and one that is lost without
 * a close is warned of with that place.
 */
public enum WatchMode {
  /** None. */
  OFF(0),

  /** One in 128, as Netty does it, and no more than one in a millisecond. */
  SAMPLE(128),

  /** Each. */
  ALL(1);

  private static final String PROPERTY = "arenal.page.leaks";

  private final int period;

  WatchMode(int period) {
    this.period = period;
  }

  /** Of so many handles one is watched; 0 if none is. */
  public int period() {
    return period;
  }

  /** The mode that the system property names; {@link #SAMPLE} where it names none. */
  public static WatchMode ofProperty() {
    String text = System.getProperty(PROPERTY);
    WatchMode mode = parse(text);
    if (mode == null) {
      System.getLogger("dev.arenal")
          .log(
              System.Logger.Level.WARNING,
              "no such mode: "
                  + PROPERTY
                  + "="
                  + text
                  + " (expected off, sample or all; sample is taken)");
      return SAMPLE;
    }
    return mode;
  }

  /** The mode of that name, in letters of any case; null if there is none. */
  static @Nullable WatchMode parse(@Nullable String text) {
    return switch (text == null ? "sample" : text.strip().toLowerCase(Locale.ROOT)) {
      case "off" -> OFF;
      case "sample" -> SAMPLE;
      case "all" -> ALL;
      default -> null;
    };
  }
}
