package dev.arenal.lab.trace;

/**
 * The facts of a recording that are known only when the program has ended.
 *
 * @param programExit the program's exit code; 128 + n if signal n ended it
 * @param anomalyCount how many log lines did not fit to what had been seen
 * @param commitGranuleBytes the unit in which the JVM committed; 0 if it did not say
 */
public record TraceOutcome(int programExit, long anomalyCount, int commitGranuleBytes) {}
