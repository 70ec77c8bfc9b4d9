package dev.arenal.lab.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures as people read them; one that does not exist is a dash. */
final class Figures {
  static final String NONE = "-";

  private static final double BYTES_PER_MIB = 1024 * 1024;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double PERCENT = 100;

  private Figures() {}

  static String mebibytes(@Nullable Long bytes) {
    return bytes == null ? NONE : format("%.1f", bytes / BYTES_PER_MIB);
  }

  static String millis(@Nullable Long nanos) {
    return nanos == null ? NONE : format("%.0f", nanos / NANOS_PER_MILLI);
  }

  static String nanos(@Nullable Double nanos) {
    return nanos == null ? NONE : format("%.1f", nanos);
  }

  static String ratio(@Nullable Double ratio) {
    return ratio == null ? NONE : format("%.2f", ratio);
  }

  /** A part of a whole, in percent. */
  static String percent(@Nullable Double part) {
    return part == null ? NONE : Math.round(part * PERCENT) + " %";
  }

  /** How many times: two digits behind the point while they say something. */
  static String multiple(@Nullable Double multiple) {
    return multiple == null ? NONE : format(multiple < 10 ? "%.2f" : "%.0f", multiple);
  }

  static String count(long count) {
    return format("%,d", count);
  }

  private static String format(String pattern, Object value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
