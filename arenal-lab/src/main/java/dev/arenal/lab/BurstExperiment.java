package dev.arenal.lab;

import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.BurstPlan;
import dev.arenal.lab.buffers.BurstRun;
import dev.arenal.lab.buffers.PeerChoice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.report.BurstSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;

/** Buffers allocated and freed at once, and what stays of them; in the lab less time to go. */
final class BurstExperiment implements Experiment {
  @Override
  public String name() {
    return "burst";
  }

  @Override
  public String question() {
    return "what stays resident when many buffers have been freed at once";
  }

  @Override
  public Section run(boolean isQuick, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    PeerChoice choice = PeerChoice.all(libraries);
    BurstPlan plan = BurstPlan.lab(isQuick, choice.kinds(), choice.notes());
    return run(plan, libraries, progress, text);
  }

  /** Carries out a plan and prints its tables. */
  static Section run(BurstPlan plan, HeapLibraries libraries, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    BurstRun.checkMemory(plan); // what is refused says nothing of what would have been left out
    plan.notes().forEach(text::println);
    text.flush();
    BurstMeasurement measurement =
        BurstRun.run(plan, libraries, (step, seconds) -> progress.at("burst", step, seconds));
    progress.clear();
    Section section = BurstSection.of(measurement);
    section.lines().forEach(text::println);
    measurement.failures().forEach(text::println);
    text.flush();
    return section;
  }
}
