package dev.arenal.lab.pretouch;

import org.jspecify.annotations.Nullable;

/**
 * The figures of one run of a subject.
 *
 * @param wallSeconds of a JVM from its start until the program has said its two lines, of others
 *     until the last page was touched
 * @param userSeconds in that time, of all threads
 * @param systemSeconds the same in the kernel
 * @param residentBytes the most that was resident of the process
 * @param hugeBytes of it in transparent huge pages; -1 if the kernel does not say
 * @param firstUseSeconds of Arenal what its first use in that process took before: classes are
 *     loaded and calls of the kernel linked; of others null
 * @param heap of a JVM, otherwise null
 */
public record PretouchSample(
    double wallSeconds,
    double userSeconds,
    double systemSeconds,
    long residentBytes,
    long hugeBytes,
    @Nullable Double firstUseSeconds,
    @Nullable Heap heap) {
  /**
   * The figures that only a JVM has.
   *
   * @param freeBytes free physical memory as the program sees it
   * @param heapBytes its heap
   * @param totalSeconds from the start to the end of the process, its memory given back
   */
  public record Heap(long freeBytes, long heapBytes, double totalSeconds) {}
}
