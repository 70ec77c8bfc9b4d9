package dev.arenal.lab.jvm;

import dev.arenal.lab.process.Watcher;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** JVMs under the workload, one after the other, so that none disturbs another. */
public final class JvmLab {
  /** A JVM without heap and metaspace: code, its cache, stacks, what malloc keeps. */
  private static final long JVM_BYTES = 128L << 20;

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
    check(specs, shape, AvailableMemory.now().bytes());
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

  /**
   * Refuses a workload that this machine, or the container, has no memory for. The JVMs run one
   * after the other, so each alone has to fit.
   */
  static void check(List<JvmSpec> specs, WorkloadShape shape, long availableBytes)
      throws IOException {
    for (JvmSpec spec : specs) {
      long heapBytes = JvmFlags.of(spec, shape).heapBytes();
      long sumBytes = saturatedSum(saturatedSum(heapBytes, shape.metaspaceBytes()), JVM_BYTES);
      if (sumBytes > availableBytes) {
        throw new IOException(
            ("not enough memory for the workload: jvm=%s, heapBytes=%d, metaspaceBytes=%d,"
                    + " jvmBytes=%d, sumBytes=%d, availableBytes=%d (expected the sum to be"
                    + " available; load less with --loaders, --classes or --size, stop other"
                    + " programs or raise the limit of the container)")
                .formatted(
                    spec.label(),
                    heapBytes,
                    shape.metaspaceBytes(),
                    JVM_BYTES,
                    sumBytes,
                    availableBytes));
      }
    }
  }

  private static long saturatedSum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
