package dev.arenal.stats;

/**
 * The samples of one row in one period of time.
 *
 * <p>For a counter a sample is the count of one second, idle seconds included, so that the average
 * is "per second". For a sampler each value is a sample. A window without samples is all 0.
 *
 * @param average the sum divided by the number of samples, rounded down
 * @param max the largest single sample
 * @param sum the sum of all samples; {@link Long#MAX_VALUE} if it would exceed that
 * @param sampleCount number of samples; for a counter the number of seconds
 */
public record Window(long average, long max, long sum, long sampleCount) {}
