package dev.arenal.lab.jvm;

import dev.arenal.lab.process.Watcher;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** JVMs under the workload, one after the other, so that none disturbs another. */
public final class JvmLab {
  private final WorkloadShape shape;
  private final List<String> program;
  private final Watcher watcher;
  private final Consumer<JvmMeasurement> done;

  /**
   * Prepares to run.
   *
   * @param workload the program that loads and releases classes, as words for the java launcher
   * @param done told of each JVM that has ended, well or not
   */
  public JvmLab(
      WorkloadShape shape, List<String> workload, Watcher watcher, Consumer<JvmMeasurement> done) {
    this.shape = shape;
    this.watcher = watcher;
    this.done = done;
    this.program = new ArrayList<>(workload);
    this.program.addAll(shape.arguments());
  }

  /** Runs all of them; a JVM that dies does not keep the others from it. */
  public List<JvmMeasurement> run(List<JvmSpec> specs) throws IOException, InterruptedException {
    JvmMemory.check(specs, shape, AvailableMemory.now().bytes());
    List<JvmMeasurement> measurements = new ArrayList<>();
    for (JvmSpec spec : specs) {
      JvmMeasurement measurement =
          JvmRun.run(spec, JvmFlags.of(spec, shape), program, JvmRun.Limits.GENEROUS, watcher);
      measurements.add(measurement);
      done.accept(measurement);
    }
    return measurements;
  }
}
