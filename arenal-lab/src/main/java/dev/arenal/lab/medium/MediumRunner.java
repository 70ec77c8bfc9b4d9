package dev.arenal.lab.medium;

import dev.arenal.lab.process.Child;
import dev.arenal.lab.process.Rounds;
import dev.arenal.lab.process.Watcher;
import dev.arenal.lab.process.Work;
import java.io.IOException;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/** The runs of a plan, one after the other, each in a process of its own. */
public final class MediumRunner {
  /** The collector of the Java heap is not measured; the load's own objects are few. */
  private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx256m");

  private MediumRunner() {}

  /** Runs a plan to its end. */
  public static MediumMeasurement run(MediumPlan plan, Watcher watcher)
      throws IOException, InterruptedException {
    return run(plan, MediumWork::new, watcher);
  }

  /** The same with other work, which may misbehave. */
  static MediumMeasurement run(
      MediumPlan plan, BiFunction<MediumPlan, Boolean, Work<MediumResult>> works, Watcher watcher)
      throws IOException, InterruptedException {
    List<Integer> runs = IntStream.range(0, MediumPlan.ORDER.size()).boxed().toList();
    Rounds<Integer, MediumResult> rounds =
        Rounds.of(
            runs,
            1,
            (run, _) -> {
              boolean isSynchronized = MediumPlan.ORDER.get(run);
              String variant = MediumResult.variant(isSynchronized);
              String number = "%d of %d".formatted(run + 1, runs.size());
              String step = "run %s, %s".formatted(number, variant);
              watcher.at("medium", step, 0);
              return new Child("medium run", "run=%s, refill=%s".formatted(number, variant))
                  .flags(FLAGS)
                  .flags(RefillSeam.flags())
                  .run(
                      works.apply(plan, isSynchronized),
                      MediumResult.class,
                      seconds -> watcher.at("medium", step, seconds));
            });
    return new MediumMeasurement(plan, rounds.all(), List.copyOf(rounds.failures().values()));
  }
}
