package dev.arenal.lab.jmh;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one cell.
 *
 * @param <C> what was measured
 * @param nanosPerOperation the median of JMH's iterations, so that a moment in which the machine
 *     was busy does not count
 * @param errorNanos half of the 99 % confidence interval of that median ({@link
 *     dev.arenal.lab.result.MedianError}); null where there are too few iterations. In committed
 *     results from before 2026-11-25 it is half of JMH's 99.9 % interval of the mean
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
