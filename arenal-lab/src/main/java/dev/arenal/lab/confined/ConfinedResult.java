package dev.arenal.lab.confined;

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
    ConfinedCell cell,
    double nanosPerOperation,
    @Nullable Double errorNanos,
    @Nullable Double bytesPerOperation) {}
