package dev.arenal.lab.jvm;

import dev.arenal.lab.process.Watcher;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** JVMs under the workload, one after the other, so that none disturbs another. */
public final class JvmLab {
  private JvmLab() {}

  /**
   * Runs all of them; a JVM that dies does not keep the others from it.
   *
   * @param workload the program that loads and releases classes, as words for the java launcher
   * @param done told of each JVM that has ended, well or not
   */
  public static List<JvmMeasurement> run(
      List<JvmSpec> specs,
      WorkloadShape shape,
      List<String> workload,
      Watcher watcher,
      Consumer<JvmMeasurement> done)
      throws IOException, InterruptedException {
    JvmMemory.check(specs, shape, AvailableMemory.now().bytes());
    List<String> program = new ArrayList<>(workload);
    program.addAll(shape.arguments());
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
