package dev.arenal.lab.firstuse;

/**
 * The figures of one fresh JVM.
 *
 * @param millis the first use itself
 * @param processMillis the whole process, from its start to its end
 */
record FirstUseSample(double millis, double processMillis) {}
