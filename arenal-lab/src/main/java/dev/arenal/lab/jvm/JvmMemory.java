package dev.arenal.lab.jvm;

import java.io.IOException;
import java.util.List;

/** Refuses a workload that this machine, or the container, has no memory for. */
final class JvmMemory {
  /** A JVM without heap and metaspace: code, its cache, stacks, what malloc keeps. */
  private static final long JVM_BYTES = 128L << 20;

  private JvmMemory() {}

  /** The JVMs run one after the other, so each alone has to fit. */
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
