package dev.arenal.lab.proxy;

/**
 * The waves in a control group.
 *
 * @param limitBytes of the group
 * @param waves what became of them
 */
public record LimitedResult(long limitBytes, WavesResult waves) {}
