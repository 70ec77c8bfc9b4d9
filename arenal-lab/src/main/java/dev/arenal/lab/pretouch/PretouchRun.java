package dev.arenal.lab.pretouch;

import dev.arenal.lab.heap.ChildFailedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a plan: in each round every subject once, each right after a process that takes and
 * gives back the same memory. So what a machine does meanwhile hits all of them alike.
 */
public final class PretouchRun {
  private final PretouchPlan plan;
  private final PretouchBench bench;
  private final Consumer<String> watcher;
  private final Set<String> notes = new LinkedHashSet<>();
  private final List<String> failures = new ArrayList<>();

  private PretouchRun(PretouchPlan plan, PretouchBench bench, Consumer<String> watcher) {
    this.plan = plan;
    this.bench = bench;
    this.watcher = watcher;
  }

  /**
   * Runs a plan to its end.
   *
   * @param program that the JVMs run, as words for the java launcher
   * @param watcher told what is being done, for a person who waits
   */
  public static PretouchMeasurement run(
      PretouchPlan plan, List<String> program, Consumer<String> watcher)
      throws IOException, InterruptedException {
    try (PretouchProcesses processes = PretouchProcesses.open(plan, program)) {
      return run(plan, processes, watcher);
    }
  }

  static PretouchMeasurement run(PretouchPlan plan, PretouchBench bench, Consumer<String> watcher)
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
    watcher.accept("looking what there is");
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
    Map<PretouchSubject, List<PretouchSample>> samples = new LinkedHashMap<>();
    subjects.forEach(subject -> samples.put(subject, new ArrayList<>()));
    Set<PretouchSubject> failed = new LinkedHashSet<>();
    int countRounds = subjects.stream().mapToInt(plan::runs).max().orElse(0);
    for (int round = 0; round < countRounds; round++) {
      for (Map.Entry<PretouchSubject, List<PretouchSample>> entry : samples.entrySet()) {
        PretouchSubject subject = entry.getKey();
        if (round >= plan.runs(subject) || failed.contains(subject)) {
          continue;
        }
        watcher.accept(
            "%s, round %d of %d, %s"
                .formatted(
                    PretouchPlan.sizeText(sizeBytes), round + 1, countRounds, subject.label()));
        PretouchSample sample = once(subject, sizeBytes);
        if (sample == null) {
          failed.add(subject);
        } else {
          entry.getValue().add(sample);
        }
      }
    }
    List<PretouchResult> results = new ArrayList<>();
    samples.forEach((subject, all) -> {
      if (!all.isEmpty()) {
        results.add(PretouchResult.of(subject, sizeBytes, all));
      }
    });
    return results;
  }

  /** Null if it failed, and then it does so once. */
  private @Nullable PretouchSample once(PretouchSubject subject, long sizeBytes)
      throws IOException, InterruptedException {
    long availableBytes = bench.availableBytes();
    if (PretouchPlan.needBytes(sizeBytes) > availableBytes) {
      // Somebody else has taken it meanwhile: nobody is to be ended for a benchmark.
      failures.add(
          "%s, %s".formatted(subject.label(), PretouchPlan.doesNotFit(sizeBytes, availableBytes)));
      return null;
    }
    try {
      bench.warmUp(sizeBytes);
      return bench.run(subject, sizeBytes);
    } catch (ChildFailedException e) {
      failures.add(String.valueOf(e.getMessage()));
      return null;
    }
  }

  private @Nullable Refusal refuse() throws IOException, InterruptedException {
    watcher.accept("more memory than there is");
    try {
      return bench.refuse(2 * bench.availableBytes());
    } catch (ChildFailedException e) {
      failures.add(String.valueOf(e.getMessage()));
      return null;
    }
  }
}
