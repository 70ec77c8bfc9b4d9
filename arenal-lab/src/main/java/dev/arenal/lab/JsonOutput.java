package dev.arenal.lab;

import dev.arenal.lab.report.WholeFile;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a command puts its results for programs: an option that many commands share. */
class JsonOutput {
  /** Behind the options of a command's own. */
  static final int LAST = 100;

  private static final String STANDARD_OUTPUT = "-";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--json",
      order = LAST,
      paramLabel = "FILE",
      description = "Writes the results as JSON; - is standard output.")
  private @Nullable String json;

  /** A place that cannot be written to is refused before anything is done. */
  void check() throws IOException {
    if (json != null && !STANDARD_OUTPUT.equals(json)) {
      WholeFile.check(Path.of(json));
    }
  }

  /** For tables, which make way when standard output is for a program. */
  final PrintWriter text() {
    return STANDARD_OUTPUT.equals(json) ? commandLine().getErr() : commandLine().getOut();
  }

  /** Writes the results where they are wanted. */
  final void writeJson(Object results) throws IOException {
    if (STANDARD_OUTPUT.equals(json)) {
      print(commandLine().getOut(), Json.text(results));
    } else if (json != null) {
      WholeFile.write(Path.of(json), Json.text(results));
    }
  }

  /** A writer that prints keeps its errors to itself: one that has lost results says so. */
  static void print(PrintWriter out, String text) throws IOException {
    out.print(text);
    out.flush();
    if (out.checkError() || System.out.checkError()) { // what is in between keeps it to itself
      throw new IOException(
          "cannot write the results to standard output (is it closed, or the disk full?)");
    }
  }

  private CommandLine commandLine() {
    return spec.commandLine();
  }
}
