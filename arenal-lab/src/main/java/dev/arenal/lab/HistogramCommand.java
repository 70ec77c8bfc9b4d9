package dev.arenal.lab;

import dev.arenal.agent.histogram.HistogramText;
import dev.arenal.lab.histogram.HistogramReader;
import dev.arenal.lab.histogram.MergedRuns;
import dev.arenal.lab.histogram.Recommendation;
import dev.arenal.lab.histogram.RecordedRun;
import dev.arenal.lab.histogram.TextBars;
import dev.arenal.lab.report.HistogramSection;
import dev.arenal.lab.report.ReportFolder;
import dev.arenal.lab.report.WholeFile;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code arenal histogram}: what the agent counted in one run or in many. */
@Command(
    name = "histogram",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Shows what confined arenas allocated, and recommends a pool size.",
    description = {
      "",
      "The files come from programs run with the agent:",
      "  java -javaagent:arenal-agent.jar=histogram=FILE -jar app.jar",
      "Several files are added up; %%p in FILE gives each process a file of its own. What the files"
          + " hold is in docs/agent.md.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  arenal histogram arenas.json",
      "  arenal histogram run-*.json --out report/",
      "  arenal histogram run-*.json --json sum.json",
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "  0:everything was read",
      "  1:a file could not be read, or is not the agent's: see the message",
      "  2:the command line is wrong"
    })
final class HistogramCommand implements Callable<Integer> {
  private static final String STANDARD_OUTPUT = "-";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files that the agent wrote.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Writes the sum as JSON, in the form of the files; - is standard output.")
  private @Nullable String json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Writes histogram.json and report.html, with the charts, into that folder.")
  private @Nullable Path out;

  @Override
  public Integer call() throws IOException {
    if (json != null && !STANDARD_OUTPUT.equals(json)) {
      WholeFile.check(Path.of(json));
    }
    if (out != null) {
      ReportFolder.check(out);
    }
    // A sum without one of its files would look right and be wrong.
    List<RecordedRun> runs = new ArrayList<>();
    for (Path file : files) {
      runs.add(HistogramReader.read(file));
    }
    MergedRuns merged = MergedRuns.of(runs);
    show(merged);
    write(merged);
    return ExitCode.OK;
  }

  private void show(MergedRuns merged) {
    PrintWriter text = textOutput();
    if (merged.runs().size() > 1) {
      HistogramSection.runLines(merged).forEach(text::println);
      text.println();
    }
    text.print(HistogramText.table(merged.data()));
    text.println();
    TextBars.lines(merged.data()).forEach(text::println);
    text.println();
    HistogramSection.poolLines(merged.data()).forEach(text::println);
    text.println();
    text.println(Recommendation.of(merged.data()).sentence());
    text.flush();
  }

  /** Tables make way when standard output is for a program. */
  private PrintWriter textOutput() {
    return STANDARD_OUTPUT.equals(json) ? spec.commandLine().getErr() : spec.commandLine().getOut();
  }

  private void write(MergedRuns merged) throws IOException {
    String text = Json.text(merged.json());
    if (STANDARD_OUTPUT.equals(json)) {
      spec.commandLine().getOut().print(text);
      spec.commandLine().getOut().flush();
    } else if (json != null) {
      WholeFile.write(Path.of(json), text);
    }
    if (out != null) {
      ReportFolder.write(out, List.of(HistogramSection.of(merged)));
      textOutput().println("report: " + out.resolve("report.html"));
      textOutput().flush();
    }
  }
}
