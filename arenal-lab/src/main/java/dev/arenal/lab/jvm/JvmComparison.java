package dev.arenal.lab.jvm;

import java.util.List;

/**
 * The figures of several JVMs under one workload.
 *
 * @param jvms one for each, in the order in which they ran
 */
public record JvmComparison(List<JvmMeasurement> jvms, WorkloadShape workload) {
  /** Keeps a copy. */
  public JvmComparison {
    jvms = List.copyOf(jvms);
  }
}
