package dev.arenal.lab.firstuse;

import dev.arenal.lab.firstuse.FirstUsePlan.Variant;
import dev.arenal.lab.process.OurProgram;
import dev.arenal.lab.process.Rounds;
import dev.arenal.lab.process.Watcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The runs of a plan: in each round every subject once, so that a busy minute hits all alike. */
public final class FirstUseRun {
  private static final String NAME = "first-use";

  private FirstUseRun() {}

  /** Runs a plan to its end. */
  public static FirstUseMeasurement run(FirstUsePlan plan, Watcher watcher)
      throws IOException, InterruptedException {
    try (FirstUseProcesses processes = FirstUseProcesses.open(OurProgram.classPath())) {
      return run(plan, processes, watcher);
    }
  }

  static FirstUseMeasurement run(FirstUsePlan plan, FirstUseBench bench, Watcher watcher)
      throws IOException, InterruptedException {
    List<String> notes = new ArrayList<>();
    boolean hasAotCache = false;
    if (plan.hasAotCache()) {
      watcher.at(NAME, "making the AOT cache", 0);
      String reason = bench.makeAotCache();
      hasAotCache = reason == null;
      if (reason != null) {
        notes.add("no AOT cache: " + reason);
      }
    }
    Rounds<Variant, FirstUseSample> rounds =
        Rounds.of(
            FirstUsePlan.variants(hasAotCache),
            plan.runCount(),
            (variant, round) -> {
              watcher.at(
                  NAME, "round %d of %d, %s".formatted(round, plan.runCount(), variant.label()), 0);
              return bench.run(variant);
            });
    List<FirstUseResult> results = new ArrayList<>();
    for (FirstUseSubject subject : FirstUseSubject.values()) {
      List<FirstUseSample> runs = rounds.of(new Variant(subject, false));
      if (!runs.isEmpty()) {
        results.add(FirstUseResult.of(subject, runs, rounds.of(new Variant(subject, true))));
      }
    }
    return new FirstUseMeasurement(plan, results, notes, List.copyOf(rounds.failures().values()));
  }
}
