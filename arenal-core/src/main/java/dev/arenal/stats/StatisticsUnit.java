package dev.arenal.stats;

/** What a row of statistics is measured in. */
public enum StatisticsUnit {
  /** Bytes each second, printed in MB. */
  BYTES_PER_SECOND,
  /** Times each second. */
  OPERATIONS_PER_SECOND,
  /** A time in nanoseconds, printed in milliseconds. */
  NANOSECONDS,
  /** A size in bytes, printed in MB. */
  BYTES
}
