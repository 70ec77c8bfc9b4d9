package dev.arenal.lab.jmh;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one cell.
 *
 * @param <C> what was measured
 * @param nanosPerOperation the median of JMH's iterations, so that a moment in which the machine
 *     was busy does not count
 * @param errorNanos half of JMH's 99.9 % confidence interval; null where there are too few
 *     iterations
 * @param bytesPerOperation bytes on the Java heap; null where JMH could not tell
 */
public record JmhResult<C extends JmhCell>(
    @JsonUnwrapped C cell,
    double nanosPerOperation,
    @Nullable Double errorNanos,
    @Nullable Double bytesPerOperation) {
  /** Figures of a machine that did something else meanwhile are not to be believed. */
  public boolean isNoise() {
    return errorNanos != null && errorNanos > nanosPerOperation;
  }
}
