package dev.arenal.lab;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** Commands as a person gives them, in this process. */
final class Commands {
  private Commands() {}

  /** Returns the exit code of a command whose output goes to these. */
  static int run(StringWriter out, StringWriter err, List<String> first, String... others) {
    List<String> words = new ArrayList<>(first);
    words.addAll(List.of(others));
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words.toArray(String[]::new));
  }
}
