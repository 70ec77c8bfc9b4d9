package dev.arenal.lab.process;

import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines that a program has printed, for the message that says how it ended. */
public final class LastLines {
  private static final int COUNT_LINES_SHOWN = 12;

  private final Deque<String> lines = new ArrayDeque<>();

  /** Takes one more. */
  public synchronized void add(String line) {
    lines.addLast(line);
    if (lines.size() > COUNT_LINES_SHOWN) {
      lines.removeFirst();
    }
  }

  /** Forgets them: what comes next is about something else. */
  public synchronized void clear() {
    lines.clear();
  }

  /** The end of a message: each on an indented line of its own. */
  public synchronized String text() {
    return lines.isEmpty()
        ? " (it printed nothing)"
        : "; its last lines:\n    " + String.join("\n    ", lines);
  }
}
