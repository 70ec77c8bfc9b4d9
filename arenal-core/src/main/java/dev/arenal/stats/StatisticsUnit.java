package dev.arenal.stats;

import java.util.Locale;

/**
 * The unit of a row of statistics. Figures for programs are plain bytes, counts and nanoseconds;
 * only the text has larger units.
 */
public enum StatisticsUnit {
  /** Bytes each second, printed in whole MB of 2^20 bytes, rounded down. */
  BYTES_PER_SECOND("MB/s"),
  /** Operations each second. */
  OPERATIONS_PER_SECOND("ops/s"),
  /** A time in nanoseconds, printed in milliseconds with three decimals. */
  NANOSECONDS("ms"),
  /** A size in bytes, printed in whole MB of 2^20 bytes, rounded down. */
  BYTES("MB");

  private static final int MEGABYTE_SHIFT = 20;
  private static final double NANOS_PER_MILLI = 1e6;

  private final String symbol;

  StatisticsUnit(String symbol) {
    this.symbol = symbol;
  }

  /** The text of the last column of the table. */
  String symbol() {
    return symbol;
  }

  /** A value as the table prints it, without padding. */
  String format(long value) {
    return switch (this) {
      case BYTES_PER_SECOND, BYTES -> Long.toString(value >> MEGABYTE_SHIFT);
      case OPERATIONS_PER_SECOND -> Long.toString(value);
      case NANOSECONDS -> String.format(Locale.ROOT, "%.3f", value / NANOS_PER_MILLI);
    };
  }
}
