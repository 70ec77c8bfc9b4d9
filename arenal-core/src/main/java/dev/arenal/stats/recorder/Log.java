package dev.arenal.stats.recorder;

import java.util.function.Supplier;

/**
 * An error in statistics goes only to the JDK's logging; if that fails too, the Java heap being
 * full, nothing is said.
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
