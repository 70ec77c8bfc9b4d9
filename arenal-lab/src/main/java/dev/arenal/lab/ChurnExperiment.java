package dev.arenal.lab;

import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.buffers.ChurnPlan;
import dev.arenal.lab.buffers.ChurnRun;
import dev.arenal.lab.buffers.PeerChoice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.report.ChurnSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;

/** Random buffers replaced while their sum stays the same; in the lab fewer of them. */
final class ChurnExperiment implements Experiment {
  @Override
  public String name() {
    return "churn";
  }

  @Override
  public String question() {
    return "what stays resident while random buffers replace each other";
  }

  @Override
  public Section run(boolean isQuick, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    PeerChoice choice = PeerChoice.all(libraries);
    ChurnPlan plan = ChurnPlan.lab(isQuick, choice.kinds(), choice.notes());
    return run(plan, libraries, progress, text);
  }

  /** Carries out a plan and prints its tables. */
  static Section run(ChurnPlan plan, HeapLibraries libraries, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    ChurnRun.checkMemory(plan); // what is refused says nothing of what would have been left out
    plan.notes().forEach(text::println);
    text.flush();
    ChurnMeasurement measurement =
        ChurnRun.run(plan, libraries, (step, seconds) -> progress.at("churn", step, seconds));
    progress.clear();
    Section section = ChurnSection.of(measurement);
    section.lines().forEach(text::println);
    measurement.failures().forEach(text::println);
    text.flush();
    return section;
  }
}
