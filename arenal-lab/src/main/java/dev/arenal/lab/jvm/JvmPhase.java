package dev.arenal.lab.jvm;

import org.jspecify.annotations.Nullable;

/**
 * The exact figures of one phase, told by the JVM itself after a collection.
 *
 * @param label its name
 * @param seconds when, since the workload began
 * @param usedBytes of metaspace, both spaces
 * @param committedBytes of metaspace, both spaces
 * @param residentBytes of the process; null where the system does not tell
 */
public record JvmPhase(
    String label,
    double seconds,
    long usedBytes,
    long committedBytes,
    @Nullable Long residentBytes) {}
