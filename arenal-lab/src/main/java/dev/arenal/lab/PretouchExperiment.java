package dev.arenal.lab;

import dev.arenal.lab.jvm.JvmSelection;
import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.PretouchPlan;
import dev.arenal.lab.pretouch.PretouchRun;
import dev.arenal.lab.report.PretouchSection;
import dev.arenal.lab.report.Section;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** Memory made resident at the start, by JVMs, Arenal and the kernel; in the lab one small size. */
final class PretouchExperiment implements Experiment {
  private static final String NAME = "pretouch";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String question() {
    return "how much longer a start takes that makes sure of its memory";
  }

  @Override
  public Section run(boolean isQuick, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    return run(PretouchPlan.lab(isQuick, runningJvm()), progress, text);
  }

  /** The JVM that runs this program: on every machine there is that one. */
  static List<JvmSpec> runningJvm() throws IOException {
    return JvmSelection.given(List.of(System.getProperty("java.home")));
  }

  /** Carries out a plan and prints its tables. */
  static Section run(PretouchPlan plan, Progress progress, PrintWriter text)
      throws IOException, InterruptedException {
    PretouchMeasurement measurement =
        PretouchRun.run(plan, WorkloadProgram.startWords(), step -> progress.at(NAME, step, 0));
    progress.clear();
    measurement.notes().forEach(text::println);
    Section section = PretouchSection.of(measurement);
    section.lines().forEach(text::println);
    measurement.failures().forEach(text::println);
    text.flush();
    return section;
  }
}
