package dev.arenal.page;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The state of a {@link PageAllocator} at one moment; all sizes are in bytes.
 *
 * <p>Committed = used + free + waste + cached, always. While other threads allocate, the parts are
 * of slightly different moments.
 *
 * @param name the name of the allocator
 * @param capacityBytes the most that pages may take
 * @param reservedBytes bytes of address space
 * @param usedBytes requested bytes of open buffers
 * @param freeBytes committed bytes that are free inside pages in use: reused first, given back
 *     after the delay
 * @param wasteBytes bytes lost to rounding, free slots of runs, and holes that are claimed for a
 *     call to the kernel
 * @param cachedBytes committed bytes outside pages
 * @param smallPageCount pages of 2 MiB
 * @param mediumPageCount pages of up to 32 MiB
 * @param largePageCount pages of one buffer each
 * @param waitingThreadCount threads that wait for memory
 * @param openBuffers the open buffers that are watched, largest groups first
 */
public record PageReport(
    String name,
    long capacityBytes,
    long reservedBytes,
    long usedBytes,
    long freeBytes,
    long wasteBytes,
    long cachedBytes,
    int smallPageCount,
    int mediumPageCount,
    int largePageCount,
    int waitingThreadCount,
    List<OpenBuffers> openBuffers) {

  private static final int MOST_LINES = 10;

  /** Copies the list. */
  public PageReport {
    openBuffers = List.copyOf(openBuffers);
  }

  /**
   * Committed bytes, which may be resident. {@link PageAllocator#committedBytes} also has memory
   * that is just going back to the kernel, which still counts against the budget.
   */
  public long committedBytes() {
    return usedBytes + freeBytes + wasteBytes + cachedBytes;
  }

  /** One line of sizes in MB, one of pages, and up to ten lines of the largest open buffers. */
  @Override
  public String toString() {
    return sizesAndPages()
        + openBuffers.stream()
            .limit(MOST_LINES)
            .map(group -> System.lineSeparator() + "  open: " + group)
            .collect(Collectors.joining());
  }

  private String sizesAndPages() {
    return String.format(
        Locale.ROOT,
        "%s: committed %.1f MB = used %.1f + free %.1f + waste %.1f + cached %.1f"
            + " (capacity %.1f, reserved %.1f)%n"
            + "  pages: %d small, %d medium, %d large; waiting threads: %d",
        name,
        inMegabytes(committedBytes()),
        inMegabytes(usedBytes),
        inMegabytes(freeBytes),
        inMegabytes(wasteBytes),
        inMegabytes(cachedBytes),
        inMegabytes(capacityBytes),
        inMegabytes(reservedBytes),
        smallPageCount,
        mediumPageCount,
        largePageCount,
        waitingThreadCount);
  }

  private static double inMegabytes(long sizeBytes) {
    return sizeBytes / (double) (1 << 20);
  }
}
