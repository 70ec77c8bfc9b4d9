package dev.arenal.lab.replay;

import java.util.List;

/**
 * The figures that a child measured in one replay.
 *
 * @param library the heap that was measured, by its own words; empty for what is no library
 * @param granuleBytes the allocator's unit of commit, or unknown
 * @param headerBytesPerBlock what stands before each block
 * @param compilerMillis the time of compilers, which that of all operations is without
 * @param moments at the samples of the plan
 */
record ChildResult(
    String library,
    long granuleBytes,
    long headerBytesPerBlock,
    long compilerMillis,
    List<Moment> moments) {

  /**
   * The figures at a sample of the plan.
   *
   * @param committedBytes by the allocator's own account, or unknown
   * @param residentBytes above the baseline
   * @param wallNanos the time of all operations until then, without the samples and without
   *     compilers
   */
  record Moment(long committedBytes, long residentBytes, long wallNanos) {}

  /** The time of all operations, without the samples. */
  long wallNanos() {
    return moments.getLast().wallNanos();
  }
}
