package dev.arenal.lab.histogram;

import dev.arenal.agent.histogram.HistogramData;

/**
 * A file of the agent.
 *
 * @param file its name
 * @param program the main class or jar, as the agent wrote it
 * @param data its figures
 */
public record RecordedRun(String file, String program, HistogramData data) {}
