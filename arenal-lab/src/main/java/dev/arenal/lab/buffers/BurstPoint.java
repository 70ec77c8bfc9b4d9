package dev.arenal.lab.buffers;

/**
 * A moment of a burst.
 *
 * @param seconds since the first allocation
 * @param residentBytes resident, without what was before
 */
public record BurstPoint(double seconds, long residentBytes) {}
