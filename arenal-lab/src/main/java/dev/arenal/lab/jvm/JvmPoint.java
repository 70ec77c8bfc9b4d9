package dev.arenal.lab.jvm;

import org.jspecify.annotations.Nullable;

/**
 * One of ten samples a second.
 *
 * @param seconds when, since the workload began
 * @param usedBytes of metaspace, as the JVM told last; while it stands still it tells nothing, and
 *     its metaspace stays as it was
 * @param committedBytes the same
 * @param residentBytes of the process now, asked of the kernel from outside
 */
public record JvmPoint(
    double seconds,
    @Nullable Long usedBytes,
    @Nullable Long committedBytes,
    @Nullable Long residentBytes) {}
