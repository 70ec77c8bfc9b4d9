package dev.arenal.lab.confined;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import org.jspecify.annotations.Nullable;

/**
 * What one cell has shown.
 *
 * @param nanosPerOperation the median of JMH's iterations, so that a moment in which the machine
 *     was busy does not count
 * @param errorNanos half of JMH's 99.9 % confidence interval; null where there are too few
 *     iterations
 * @param bytesPerOperation bytes on the Java heap; null where JMH could not tell
 */
public record ConfinedResult(
    @JsonUnwrapped ConfinedCell cell,
    double nanosPerOperation,
    @Nullable Double errorNanos,
    @Nullable Double bytesPerOperation) {}
