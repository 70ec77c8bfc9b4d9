package dev.arenal.lab.pretouch;

import dev.arenal.lab.process.ChildFailedException;
import dev.arenal.lab.process.OurProgram;
import dev.arenal.lab.process.Rounds;
import dev.arenal.lab.process.Watcher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a plan: in each round every subject once, each right after a process that takes and
 * gives back the same memory. So what a machine does meanwhile hits all of them alike.
 */
public final class PretouchRun {
  private final PretouchPlan plan;
  private final PretouchBench bench;
  private final Watcher watcher;
  private final Set<String> notes = new LinkedHashSet<>();
  private final List<String> failures = new ArrayList<>();

  private PretouchRun(PretouchPlan plan, PretouchBench bench, Watcher watcher) {
    this.plan = plan;
    this.bench = bench;
    this.watcher = watcher;
  }

  /** Runs a plan to its end. */
  public static PretouchMeasurement run(PretouchPlan plan, Watcher watcher)
      throws IOException, InterruptedException {
    List<String> program = OurProgram.workload("HeapAtStart");
    try (PretouchProcesses processes = PretouchProcesses.open(plan, program)) {
      return run(plan, processes, watcher);
    }
  }

  static PretouchMeasurement run(PretouchPlan plan, PretouchBench bench, Watcher watcher)
      throws IOException, InterruptedException {
    return new PretouchRun(plan, bench, watcher).run();
  }

  private PretouchMeasurement run() throws IOException, InterruptedException {
    long availableBytes = bench.availableBytes();
    List<Long> sizes = plan.fitting(availableBytes);
    notes.addAll(plan.leftOut(availableBytes));
    List<PretouchSubject> subjects = sizes.isEmpty() ? List.of() : able();
    List<PretouchResult> results = new ArrayList<>();
    for (long sizeBytes : sizes) {
      results.addAll(measure(sizeBytes, subjects));
    }
    Refusal refusal = refuse();
    notes.addAll(bench.notes());
    return new PretouchMeasurement(plan, results, refusal, List.copyOf(notes), failures);
  }

  private List<PretouchSubject> able() throws IOException, InterruptedException {
    say("looking what there is");
    List<PretouchSubject> able = new ArrayList<>();
    for (PretouchSubject subject : plan.subjects()) {
      String reason = bench.leftOut(subject);
      if (reason == null) {
        able.add(subject);
      } else {
        notes.add(reason);
      }
    }
    return able;
  }

  private List<PretouchResult> measure(long sizeBytes, List<PretouchSubject> subjects)
      throws IOException, InterruptedException {
    int roundCount = subjects.stream().mapToInt(plan::runs).max().orElse(0);
    Rounds<PretouchSubject, PretouchSample> rounds =
        Rounds.of(
            subjects,
            roundCount,
            (subject, round) -> round <= plan.runs(subject),
            (subject, round) -> {
              String size = PretouchPlan.sizeText(sizeBytes);
              say("%s, round %d of %d, %s".formatted(size, round, roundCount, subject.label()));
              return once(subject, sizeBytes);
            });
    failures.addAll(rounds.failures().values());
    List<PretouchResult> results = new ArrayList<>();
    for (PretouchSubject subject :
        subjects) { // a JVM without touching comes before the same with it
      List<PretouchSample> samples = rounds.of(subject);
      if (!samples.isEmpty()) {
        results.add(PretouchResult.of(subject, sizeBytes, samples, results));
      }
    }
    return results;
  }

  private PretouchSample once(PretouchSubject subject, long sizeBytes)
      throws IOException, InterruptedException, ChildFailedException {
    long availableBytes = bench.availableBytes();
    if (PretouchPlan.needBytes(sizeBytes) > availableBytes) {
      // Another process has taken it meanwhile: none is to be ended for a benchmark.
      throw new ChildFailedException(
          "%s, %s".formatted(subject.label(), PretouchPlan.doesNotFit(sizeBytes, availableBytes)));
    }
    bench.warmUp(sizeBytes);
    return bench.run(subject, sizeBytes);
  }

  private void say(String step) {
    watcher.at("pretouch", step, 0);
  }

  private @Nullable Refusal refuse() throws IOException, InterruptedException {
    say("more memory than there is");
    try {
      return bench.refuse(2 * bench.availableBytes());
    } catch (ChildFailedException e) {
      failures.add(String.valueOf(e.getMessage()));
      return null;
    }
  }
}
