package dev.arenal.stats;

/** What goes wrong in statistics is said to the JDK's logging and to nobody else. */
final class Log {
  private static final System.Logger LOGGER = System.getLogger("dev.arenal");

  private Log() {}

  static void rowFailed(Row row, RuntimeException cause) {
    LOGGER.log(
        System.Logger.Level.DEBUG,
        () -> "row of statistics cannot be read: group=" + row.group + ", row=" + row.name,
        cause);
  }

  static void samplingFailed(Throwable cause) {
    LOGGER.log(System.Logger.Level.DEBUG, "statistics cannot be sampled", cause);
  }

  static void beanFailed(String kind, String name, Throwable cause) {
    LOGGER.log(
        System.Logger.Level.DEBUG,
        () -> "MXBean of statistics is refused: kind=" + kind + ", name=" + name,
        cause);
  }
}
