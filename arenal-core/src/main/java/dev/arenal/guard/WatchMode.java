package dev.arenal.guard;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * How many buffers are watched: one that is watched knows where it was made, and is warned of with
 * that place where it is lost without a close. Handles that are few (spaces, allocators, reserved
 * memory) know it unless the mode is {@link #OFF}.
 */
public enum WatchMode {
  /** None. */
  OFF,

  /** One in 128, as Netty does it, and about a thousand in a second at most. */
  SAMPLE,

  /** Each. */
  ALL;

  private static final String PROPERTY = "arenal.leaks";

  /**
   * That of this process, by {@code -Darenal.leaks}. A constant, so that the JIT compiler leaves
   * out what is not wanted.
   */
  public static final WatchMode CURRENT;

  /** Whether anything is watched in this process; a field, since to call may fail. */
  public static final boolean IS_ON;

  /** The error in the property. */
  private static final @Nullable String COMPLAINT;

  private static final AtomicBoolean IS_TOLD = new AtomicBoolean();

  static {
    String text = System.getProperty(PROPERTY);
    WatchMode known = parse(text);
    CURRENT = known == null ? SAMPLE : known;
    IS_ON = CURRENT != OFF;
    COMPLAINT = known == null ? complaint(text) : null;
  }

  /** Logs what is wrong with the property, once: not here, where a class is initialized. */
  public static void tellComplaint() {
    if (COMPLAINT != null && IS_TOLD.compareAndSet(false, true) && !Warning.tell(COMPLAINT)) {
      IS_TOLD.set(false);
    }
  }

  static String complaint(@Nullable String text) {
    return "no such mode: "
        + PROPERTY
        + "="
        + text
        + " (expected off, sample or all; sample is taken)";
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
