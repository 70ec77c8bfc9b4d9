package dev.arenal.bench.tables;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The command as people run it, in a repository of its own. */
final class UpdateCommand {
  final StringWriter out = new StringWriter();
  final StringWriter err = new StringWriter();

  /** Its exit code. */
  int run(Path root, String... words) {
    return BenchTables.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(
            Stream.concat(Stream.of("--root", root.toString()), List.of(words).stream())
                .toArray(String[]::new));
  }
}
