package dev.arenal.stats;

import java.util.function.Supplier;

/**
 * An error in statistics is said to the JDK's logging and to nobody else; where that goes wrong
 * too, the Java heap being full, nothing is said.
 */
final class Log {
  private Log() {}

  static void rowFailed(Row row, RuntimeException cause) {
    log(() -> "row of statistics cannot be read: group=" + row.group + ", row=" + row.name, cause);
  }

  static void samplingFailed(Throwable cause) {
    log(() -> "statistics cannot be sampled", cause);
  }

  static void beanFailed(String kind, String name, Throwable cause) {
    log(() -> "MXBean of statistics is refused: kind=" + kind + ", name=" + name, cause);
  }

  private static void log(Supplier<String> message, Throwable cause) {
    try {
      System.getLogger("dev.arenal").log(System.Logger.Level.DEBUG, message, cause);
    } catch (Throwable e) {
      Thread.onSpinWait();
    }
  }
}
