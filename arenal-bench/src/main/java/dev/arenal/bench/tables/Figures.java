package dev.arenal.bench.tables;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** How numbers look: three digits that mean something, a dash for what does not exist. */
final class Figures {
  static final String NONE = "–";

  private static final double MIB = 1024 * 1024;
  private static final double NANOS_PER_MILLI = 1e6;

  private Figures() {}

  static String number(double value) {
    if (Double.isNaN(value)) {
      return NONE;
    }
    double size = Math.abs(value);
    String format = size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%,.0f";
    return String.format(Locale.ROOT, format, value);
  }

  /** A whole number. */
  static String plain(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  static String ratio(double value, double base) {
    return base == 0 || Double.isNaN(value) ? NONE : number(value / base);
  }

  static String mebibytes(JsonNode bytes) {
    return bytes.isNumber() ? String.format(Locale.ROOT, "%,.1f", bytes.asDouble() / MIB) : NONE;
  }

  static String millis(JsonNode nanos) {
    return nanos.isNumber()
        ? String.format(Locale.ROOT, "%,.0f", nanos.asDouble() / NANOS_PER_MILLI)
        : NONE;
  }

  static String number(JsonNode value) {
    return value.isNumber() ? number(value.asDouble()) : NONE;
  }

  static String ratio(JsonNode value, JsonNode base) {
    return value.isNumber() && base.isNumber() ? ratio(value.asDouble(), base.asDouble()) : NONE;
  }
}
