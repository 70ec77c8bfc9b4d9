package dev.arenal.lab;

import dev.arenal.lab.confined.ConfinedMeasurement;
import dev.arenal.lab.confined.ConfinedPlan;
import dev.arenal.lab.confined.ConfinedProgram;
import dev.arenal.lab.confined.ConfinedRun;
import dev.arenal.lab.report.ConfinedSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** Confined arenas of the JDK and of the pool under JMH; in the lab a few of them. */
final class ConfinedExperiment implements Experiment {
  @Override
  public String name() {
    return "confined";
  }

  @Override
  public String question() {
    return "what an arena for one call costs";
  }

  @Override
  public Section run(boolean isQuick, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    List<String> program;
    try {
      program = ConfinedProgram.words();
    } catch (IOException e) {
      return ConfinedSection.without(String.valueOf(e.getMessage()));
    }
    return run(ConfinedPlan.lab(isQuick), program, progress, text);
  }

  /** Runs a plan and prints its tables. */
  static Section run(ConfinedPlan plan, List<String> program, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    ConfinedMeasurement measurement =
        ConfinedRun.run(
            plan,
            program,
            (cell, step, seconds) -> progress.at("confined", step + ", " + cell, seconds));
    progress.clear();
    Section section = ConfinedSection.of(measurement);
    section.lines().forEach(text::println);
    measurement.failures().forEach(text::println);
    text.flush();
    return section;
  }
}
