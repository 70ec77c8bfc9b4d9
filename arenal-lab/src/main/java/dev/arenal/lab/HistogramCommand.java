package dev.arenal.lab;

import dev.arenal.agent.histogram.HistogramText;
import dev.arenal.lab.histogram.HistogramReader;
import dev.arenal.lab.histogram.MergedRuns;
import dev.arenal.lab.histogram.RecordedRun;
import dev.arenal.lab.histogram.TextBars;
import dev.arenal.lab.report.HistogramSection;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code arenal histogram}: what the agent counted in one run or in many. */
@Command(
    name = "histogram",
    header = "Shows the allocations of confined arenas, and recommends a pool size.",
    description = {
      "",
      "The files come from programs run with the agent:",
      "  java -javaagent:arenal-agent.jar=histogram=FILE -jar app.jar",
      "Several files are added up; %%p in FILE gives each process its own file. docs/agent.md"
          + " describes the format.",
      ""
    },
    footer = {
      "  arenal histogram arenas.json",
      "  arenal histogram run-*.json --out report/",
      "  arenal histogram run-*.json --json sum.json",
    },
    exitCodeList = {
      "  0:everything was read",
      "  1:a file could not be read, or is not the agent's: see the message",
      "  2:the command line is wrong"
    })
final class HistogramCommand extends ArenalCommand {
  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files that the agent wrote.")
  private List<Path> files = new ArrayList<>();

  @Mixin private SectionOutput output = new SectionOutput();

  @Override
  public Integer call() throws IOException {
    output.check();
    // A sum without one of its files would look right and be wrong.
    List<RecordedRun> runs = new ArrayList<>();
    for (Path file : files) {
      runs.add(HistogramReader.read(file));
    }
    MergedRuns merged = MergedRuns.of(runs);
    show(merged);
    return output.write(HistogramSection.of(merged));
  }

  private void show(MergedRuns merged) {
    PrintWriter text = output.text();
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
    text.flush();
  }
}
