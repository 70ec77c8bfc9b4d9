package dev.arenal.lab;

import dev.arenal.lab.process.Watcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One line on standard error that says what is being done and is written over and over; nothing at
 * all when it is not a terminal, or one that cannot clear a line.
 */
final class Progress implements Watcher, AutoCloseable {
  private static final String BACK_AND_CLEAR = "\r\u001b[K";

  /** A longer line would go on in the next one, which is not cleared. */
  private static final int MOST_COLUMNS = mostColumns(System.getenv("COLUMNS"));

  private final boolean isShown;

  /** One less than the terminal has, where the shell says so to its programs; else that of 80. */
  static int mostColumns(@Nullable String columns) {
    return columns != null && columns.matches("[1-9]\\d{1,3}")
        ? Math.min(79, Integer.parseInt(columns) - 1)
        : 79;
  }

  private Progress(boolean isShown) {
    this.isShown = isShown;
  }

  static Progress onStandardError() {
    boolean isDumb = "dumb".equals(System.getenv("TERM"));
    return new Progress(!isDumb && isTerminal(Path.of("/proc/self/fd/2")));
  }

  @Override
  public void at(String what, String step, long seconds) {
    if (isShown) {
      String time = seconds == 0 ? "" : ", " + seconds + " s";
      System.err.print(
          BACK_AND_CLEAR + shortened(what + ": " + step, MOST_COLUMNS - time.length()) + time);
      System.err.flush();
    }
  }

  /** The begin and the end of a text, which say most. */
  static String shortened(String text, int mostLetters) {
    int half = Math.max(0, mostLetters - 1) / 2;
    return text.length() <= mostLetters
        ? text
        : text.substring(0, half) + "…" + text.substring(text.length() - half);
  }

  /** Removes the line, so that what is printed next stands alone. */
  @Override
  public void close() {
    clear();
  }

  void clear() {
    if (isShown) {
      System.err.print(BACK_AND_CLEAR);
      System.err.flush();
    }
  }

  private static boolean isTerminal(Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }
}
