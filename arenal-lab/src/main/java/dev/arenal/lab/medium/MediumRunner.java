package dev.arenal.lab.medium;

import dev.arenal.lab.heap.ChildFailedException;
import dev.arenal.lab.heap.ChildJvm;
import dev.arenal.lab.heap.ChildProcess;
import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.HeapUser;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The runs of a plan, one after the other, each in a process of its own. */
public final class MediumRunner {
  /** What is measured is not the collector of the Java heap; the load's own objects are few. */
  private static final List<String> FLAGS = List.of("-XX:+UseSerialGC", "-Xmx256m");

  /** Told what is being done, for a person who waits. */
  @FunctionalInterface
  public interface Watcher {
    /**
     * A run goes on.
     *
     * @param step which run, such as 2 of 4, synchronized
     * @param seconds since its start
     */
    void at(String step, long seconds);
  }

  /** The one allocator there is here; it has no heap of another library. */
  private enum Allocator implements HeapUser {
    PAGES;

    @Override
    public String label() {
      return "pages";
    }

    @Override
    public @Nullable HeapKind heap() {
      return null;
    }
  }

  private MediumRunner() {}

  /** Runs a plan to its end. */
  public static MediumMeasurement run(MediumPlan plan, Watcher watcher)
      throws IOException, InterruptedException {
    return run(plan, MediumChild.class, watcher);
  }

  /** The same with another program, which may misbehave. */
  static MediumMeasurement run(MediumPlan plan, Class<?> main, Watcher watcher)
      throws IOException, InterruptedException {
    List<MediumResult> results = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < MediumPlan.ORDER.size(); i++) {
      String variant = MediumResult.variant(MediumPlan.ORDER.get(i));
      String number = "%d of %d".formatted(i + 1, MediumPlan.ORDER.size());
      String step = "run " + number + ", " + variant;
      watcher.at(step, 0);
      try {
        results.add(
            ChildProcess.run(
                "medium run",
                "run=%s, refill=%s".formatted(number, variant),
                builder(plan, MediumPlan.ORDER.get(i), main),
                seconds -> watcher.at(step, seconds),
                Json.resultOf(MediumResult.class)));
      } catch (ChildFailedException e) {
        failures.add(String.valueOf(e.getMessage()));
      }
    }
    return new MediumMeasurement(plan, results, failures);
  }

  private static ProcessBuilder builder(MediumPlan plan, boolean isSynchronized, Class<?> main) {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.add("-D" + MediumChild.SYNCHRONIZED_PROPERTY + "=" + isSynchronized);
    List<String> arguments =
        List.of(
            String.valueOf(plan.countThreads()),
            String.valueOf(plan.seconds()),
            String.valueOf(plan.capacityBytes()));
    return ChildJvm.builder(main, Allocator.PAGES, null, flags, arguments);
  }
}
