package dev.arenal.lab.jvm;

import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** JVMs under the workload, one after the other, so that none disturbs another. */
public final class JvmLab {
  /** Told what is being done, for a person who waits. */
  public interface Watcher {
    /** The JVM, what it is at, and the seconds since it was started. */
    void at(String jvm, String step, long seconds);

    /** A JVM has ended, well or not. */
    void done(JvmMeasurement measurement);
  }

  private final WorkloadShape shape;
  private final List<String> program;
  private final Watcher watcher;

  /**
   * Prepares to run.
   *
   * @param workload the program that loads and releases classes, as words for the java launcher
   */
  public JvmLab(WorkloadShape shape, List<String> workload, Watcher watcher) {
    this.shape = shape;
    this.watcher = watcher;
    this.program = new ArrayList<>(workload);
    this.program.addAll(shape.arguments());
  }

  /** Runs all of them; a JVM that dies does not keep the others from it. */
  public List<JvmMeasurement> run(List<JvmSpec> specs) throws IOException, InterruptedException {
    JvmMemory.check(specs, shape, AvailableMemory.now().bytes());
    List<JvmMeasurement> measurements = new ArrayList<>();
    for (JvmSpec spec : specs) {
      JvmMeasurement measurement =
          JvmRun.run(
              spec,
              JvmFlags.of(spec, shape),
              program,
              JvmRun.Limits.GENEROUS,
              (step, seconds) -> watcher.at(spec.label(), step, seconds));
      measurements.add(measurement);
      watcher.done(measurement);
    }
    return measurements;
  }
}
