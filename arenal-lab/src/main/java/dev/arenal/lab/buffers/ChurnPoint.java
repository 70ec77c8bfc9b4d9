package dev.arenal.lab.buffers;

/**
 * A moment of a churn.
 *
 * @param operation operations done by then
 * @param liveBytes the sum of the sizes asked for of all live buffers
 * @param residentBytes resident, without what was before
 * @param nanos time since the first operation
 */
public record ChurnPoint(long operation, long liveBytes, long residentBytes, long nanos) {}
