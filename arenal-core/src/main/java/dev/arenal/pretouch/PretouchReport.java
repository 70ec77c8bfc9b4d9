package dev.arenal.pretouch;

import dev.arenal.os.HugePages;
import java.time.Duration;
import java.util.Locale;

/**
 * The outcome of a pretouch.
 *
 * @param target the memory that was touched, such as {@code allocator=network}
 * @param method the method that made the pages resident
 * @param threadCount number of threads that touched memory
 * @param hugePages whether huge pages were requested
 * @param touchedBytes bytes that were free and are now resident
 * @param pageBytes size of an OS page
 * @param hugeBytes touched bytes in huge pages; -1 if none were requested, or the kernel does not
 *     report it
 * @param faultCount page faults, few if the memory was resident before; -1 if the kernel does not
 *     report it
 * @param elapsed the time from the first check to the last page
 */
public record PretouchReport(
    String target,
    PretouchMethod method,
    int threadCount,
    boolean hugePages,
    long touchedBytes,
    long pageBytes,
    long hugeBytes,
    long faultCount,
    Duration elapsed) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Number of OS pages. */
  public long pageCount() {
    return touchedBytes / pageBytes;
  }

  /** Number of huge pages of 2 MiB; -1 if {@link #hugeBytes} is. */
  public long hugePageCount() {
    return hugeBytes < 0 ? -1 : hugeBytes / HugePages.SIZE_BYTES;
  }

  /** The elapsed time in seconds. */
  public double seconds() {
    return elapsed.toNanos() / NANOS_PER_SECOND;
  }

  /** The speed in GiB per second; 0 if there was nothing to touch. */
  public double gibPerSecond() {
    double seconds = seconds();
    return touchedBytes == 0 || seconds == 0 ? 0 : touchedBytes / (double) (1L << 30) / seconds;
  }

  /** One line for a log. */
  @Override
  public String toString() {
    String huge = hugeBytes < 0 ? "" : ", hugePages=" + hugePageCount();
    String faults = faultCount < 0 ? "" : ", faults=" + faultCount;
    return String.format(
        Locale.ROOT,
        "pretouched: %s, touchedBytes=%d, pages=%d%s, method=%s, threads=%d, seconds=%.3f,"
            + " gibPerSecond=%.2f%s",
        target,
        touchedBytes,
        pageCount(),
        huge,
        method,
        threadCount,
        seconds(),
        gibPerSecond(),
        faults);
  }
}
