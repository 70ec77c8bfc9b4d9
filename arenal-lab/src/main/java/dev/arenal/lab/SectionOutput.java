package dev.arenal.lab;

import dev.arenal.lab.report.ReportFolder;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.report.WholeFile;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where a command with one section of the report puts it: options that several commands share. */
final class SectionOutput {
  private static final String STANDARD_OUTPUT = "-";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes the results as JSON; - is standard output.")
  private @Nullable String json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes the results, env.json and report.html with the charts there.")
  private @Nullable Path out;

  /** A place that cannot be written to is refused before anything is measured. */
  void check() throws IOException {
    if (json != null && !STANDARD_OUTPUT.equals(json)) {
      WholeFile.check(Path.of(json));
    }
    if (out != null) {
      ReportFolder.check(out);
    }
  }

  /** For tables, which make way when standard output is for a program. */
  PrintWriter text() {
    return STANDARD_OUTPUT.equals(json) ? commandLine().getErr() : commandLine().getOut();
  }

  /** Prints the findings, writes the files, and returns the exit code. */
  int write(Section section) throws IOException {
    // Before the files: what has been measured is not lost if they cannot be written.
    section.findings().forEach(text()::println);
    text().flush();
    String results = Json.text(section.json());
    if (STANDARD_OUTPUT.equals(json)) {
      commandLine().getOut().print(results);
      commandLine().getOut().flush();
    } else if (json != null) {
      WholeFile.write(Path.of(json), results);
    }
    if (out != null) {
      ReportFolder.write(out, List.of(section));
      text().println("report: " + out.resolve("report.html"));
      text().flush();
    }
    return section.failures().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private CommandLine commandLine() {
    return spec.commandLine();
  }
}
