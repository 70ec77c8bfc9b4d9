package dev.arenal.lab.medium;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A row of the statistics over a whole run.
 *
 * @param average per second, over the time of the run
 * @param max the highest second
 * @param total of the run
 */
public record MediumFigure(@JsonProperty("avg") double average, long max, long total) {}
