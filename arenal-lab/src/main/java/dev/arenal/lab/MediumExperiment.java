package dev.arenal.lab;

import dev.arenal.lab.medium.MediumMeasurement;
import dev.arenal.lab.medium.MediumPlan;
import dev.arenal.lab.medium.MediumRunner;
import dev.arenal.lab.report.MediumSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;

/** Medium pages refilled by one thread at a time or by all at once; in the lab for moments. */
final class MediumExperiment implements Experiment {
  @Override
  public String name() {
    return "medium";
  }

  @Override
  public String question() {
    return "buffers of some hundred KiB from pages that one thread refills for all";
  }

  @Override
  public Section run(boolean isQuick, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    MediumPlan plan = MediumPlan.lab(isQuick);
    try {
      plan.checkMemory();
    } catch (IllegalArgumentException e) {
      return MediumSection.without(plan, String.valueOf(e.getMessage()));
    }
    return run(plan, progress, text);
  }

  /** Runs a plan and prints its tables. */
  static Section run(MediumPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    MediumMeasurement measurement =
        MediumRunner.run(plan, (step, seconds) -> progress.at("medium", step, seconds));
    progress.clear();
    Section section = MediumSection.of(measurement);
    section.lines().forEach(text::println);
    measurement.failures().forEach(text::println);
    text.flush();
    return section;
  }
}
