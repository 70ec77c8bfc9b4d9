package dev.arenal.lab;

import dev.arenal.lab.report.ReportFolder;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.report.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Where a command with one section of the report puts it: options that several commands share. */
final class SectionOutput extends JsonOutput {
  @Option(
      names = "--out",
      order = LAST,
      paramLabel = "DIR",
      description = "Writes the results, env.json and report.html with the charts there.")
  private @Nullable Path out;

  @Override
  void check() throws IOException {
    super.check();
    if (out != null) {
      WholeFile.checkFolder(out);
    }
  }

  /** Prints the findings, writes the files, and returns the exit code. */
  int write(Section section) throws IOException {
    // Before the files: what has been measured is not lost if they cannot be written.
    section.findings().forEach(text()::println);
    text().flush();
    try {
      writeJson(section.json());
    } finally { // a pipe that was closed does not take the report along
      if (out != null) {
        ReportFolder.write(out, List.of(section));
        text().println("report: " + out.resolve("report.html"));
        text().flush();
      }
    }
    return section.failures().isEmpty() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
