package dev.arenal.lab.medium;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.arenal.lab.result.Range;
import dev.arenal.memory.AvailableMemory;
import java.io.IOException;
import java.util.List;

/**
 * The measurement: the same load for both variants, in runs of one length.
 *
 * @param threadCount threads that allocate
 * @param seconds the length of a run, without its warm-up
 * @param capacityBytes most bytes that pages may take
 */
public record MediumPlan(
    @JsonProperty("threads") int threadCount, int seconds, long capacityBytes) {
  /** Without the refill by one thread, with it, and again in the other order. */
  static final List<Boolean> ORDER = List.of(false, true, true, false);

  /** From here on there are medium pages. */
  static final long LEAST_CAPACITY_BYTES = 128L << 20;

  /** A larger page would not be a medium one any more. */
  static final long LARGEST_PAGE_BYTES = 32L << 20;

  /** Buffers up to there are in small pages. */
  static final long LARGEST_SMALL_BUFFER_BYTES = 256L << 10;

  private static final int MOST_THREADS = 1024;
  private static final int MOST_SECONDS = 3600;

  /** A medium page is at most this part of the capacity, a buffer this part of the page. */
  private static final int PAGES_PER_CAPACITY = 32;

  private static final int BUFFERS_PER_PAGE = 8;

  /**
   * More than can run, so that some are stopped between taking a page and publishing it: on a small
   * machine few meet otherwise.
   */
  private static final int THREADS_PER_CORE = 4;

  /** Java heap, code and stacks of the process that runs it. */
  private static final long PROCESS_BYTES = 256L << 20;

  /** Checks what a person may have got wrong. */
  public MediumPlan {
    Range.check("cannot run with that many threads", "threads", threadCount, 1, MOST_THREADS);
    Range.check("cannot run for that long", "seconds", seconds, 1, MOST_SECONDS);
    if (capacityBytes < LEAST_CAPACITY_BYTES) {
      throw new IllegalArgumentException(
          "capacity is too small for medium pages: capacityBytes=%d (expected at least %d)"
              .formatted(capacityBytes, LEAST_CAPACITY_BYTES));
    }
  }

  /** The plan of {@code ./arenal medium} by default. */
  public static MediumPlan usual() {
    int threadCount = THREADS_PER_CORE * Runtime.getRuntime().availableProcessors();
    return new MediumPlan(Math.min(threadCount, MOST_THREADS), 10, 512L << 20);
  }

  /** The part of it that {@code ./arenal lab} has time for. */
  public static MediumPlan lab(boolean isQuick) {
    MediumPlan usual = usual();
    return new MediumPlan(usual.threadCount, isQuick ? 1 : 2, usual.capacityBytes);
  }

  /**
   * Makes sure that this machine has that much memory.
   *
   * @throws IOException if it has not
   */
  public void checkMemory() throws IOException {
    long availableBytes = AvailableMemory.now().bytes();
    if (capacityBytes > availableBytes - PROCESS_BYTES) {
      throw new IOException(
          ("this machine does not have the memory: capacityBytes=%d, availableBytes=%d (expected"
                  + " at most what is available less %d)")
              .formatted(capacityBytes, availableBytes, PROCESS_BYTES));
    }
  }

  /** The size of a medium page at this capacity: a power of two. */
  public long mediumPageBytes() {
    return Math.min(Long.highestOneBit(capacityBytes / PAGES_PER_CAPACITY), LARGEST_PAGE_BYTES);
  }

  /** The largest buffer that is allocated in a medium page. */
  public long largestMediumBufferBytes() {
    return mediumPageBytes() / BUFFERS_PER_PAGE;
  }
}
