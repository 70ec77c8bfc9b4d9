package dev.arenal.lab.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Figures as people read them; one that does not exist is a dash. */
final class Figures {
  static final String NONE = "-";

  private static final double BYTES_PER_MIB = 1024 * 1024;
  private static final double NANOS_PER_MILLI = 1e6;

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

  static String count(long count) {
    return format("%,d", count);
  }

  private static String format(String pattern, Object value) {
    return String.format(Locale.ROOT, pattern, value);
  }
}
