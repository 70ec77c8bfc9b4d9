/**
 * Buffers that any thread frees, under load: {@code churn} replaces random ones while their sum
 * stays the same, {@code burst} frees them all at once and waits.
 *
 * <p>{@link dev.arenal.lab.buffers.ChurnRun} and {@link dev.arenal.lab.buffers.BurstRun} are the
 * ways in. Each allocator runs in a process of its own, behind the same harness.
 */
@NullMarked
package dev.arenal.lab.buffers;

import org.jspecify.annotations.NullMarked;
