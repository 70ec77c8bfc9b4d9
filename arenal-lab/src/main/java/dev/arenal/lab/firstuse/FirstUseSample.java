package dev.arenal.lab.firstuse;

/**
 * What one fresh JVM has shown.
 *
 * @param millis the first use itself
 * @param processMillis the whole process, from its start to its end
 */
record FirstUseSample(double millis, double processMillis) {}
