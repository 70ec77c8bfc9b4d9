package dev.arenal.lab.proxy;

/**
 * The figures of a proxy at full load.
 *
 * @param arm what its buffers come from
 * @param requestsPerSecond with clients that ask again as soon as they are served
 * @param ratePerSecond the fixed rate of the rest; 0 if there was none
 * @param medianMicros from when a request was due at that rate until its last byte was there
 * @param p99Micros one in a hundred takes longer
 * @param p999Micros one in a thousand takes longer
 */
public record LoadResult(
    ProxyArm arm,
    double requestsPerSecond,
    double ratePerSecond,
    double medianMicros,
    double p99Micros,
    double p999Micros) {}
