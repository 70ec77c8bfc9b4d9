package dev.arenal.lab.buffers;

/**
 * Which of several threads one is.
 *
 * @param thread its number, from 0
 * @param threadCount how many there are
 * @param seed the same seed makes the same choices
 */
record Seat(int thread, int threadCount, long seed) {}
