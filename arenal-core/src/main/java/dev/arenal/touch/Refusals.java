package dev.arenal.touch;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.os.MemoryFigures;
import java.util.ArrayList;
import java.util.List;

/** Compares the need of a pretouch with the available memory, and words the refusal. */
final class Refusals {
  /** Memory left for the rest of the process, so that the last page of the machine is not taken. */
  private static final long LEAST_MARGIN_BYTES = 16L << 20;

  /** Memory that a thread may be touching during a check. */
  private static final long MARGIN_BYTES_EACH = 8L << 20;

  /** Page tables take a 512th of what they map; the figures of the kernel are estimates. */
  private static final int MARGIN_FRACTION = 128;

  private Refusals() {}

  /** The available memory that is left as a margin by a pretouch of a given size. */
  static long marginBytes(long wantedBytes, int threadCount) {
    long leastBytes = Math.max(LEAST_MARGIN_BYTES, MARGIN_BYTES_EACH * threadCount);
    return leastBytes + wantedBytes / MARGIN_FRACTION;
  }

  /** The missing resources, in words; empty if there is enough of everything. */
  static String shortage(TouchNeed need, MemoryFigures figures, int threadCount) {
    List<String> missing = new ArrayList<>();
    long marginBytes =
        need.residentBytes() == 0 ? 0 : marginBytes(need.residentBytes(), threadCount);
    // Sums may be more than a long holds.
    if (need.residentBytes() > figures.availableBytes() - marginBytes) {
      missing.add("memory (" + scarcest(figures) + ")");
    }
    if (need.addressBytes() > figures.availableAddressBytes()) {
      missing.add("addresses (ulimit -v)");
    }
    if (need.promiseBytes() > figures.availablePromiseBytes()) {
      missing.add("the kernel's commit limit (vm.overcommit_memory=2)");
    }
    // The limit may have been lowered below what is committed.
    if (need.budgetBytes() > Math.max(0, need.budgetLimitBytes() - need.budgetCommittedBytes())) {
      missing.add("the budget");
    }
    return String.join(", ", missing);
  }

  /** The one that has the least to give. */
  private static String scarcest(MemoryFigures figures) {
    String name = "MemAvailable";
    long leastBytes = figures.memAvailableBytes();
    for (MemoryFigures.Group group : figures.groups()) {
      if (group.availableBytes() < leastBytes) {
        leastBytes = group.availableBytes();
        name = "control group " + group.path();
      }
    }
    return name;
  }

  /** The refusal before the first page. */
  static OutOfNativeMemoryError refused(
      String target, String shortage, TouchNeed need, MemoryFigures figures) {
    String message =
        "pretouch refused, limited by "
            + shortage
            + ": "
            + target
            + ", wantedBytes="
            + need.residentBytes()
            + figures(figures)
            + budget(need)
            + " (nothing was touched: ask for less, free some memory or raise the limit;"
            + " Pretouch.forced() skips this check)";
    return error(message, target, need, need.residentBytes());
  }

  /** The refusal on the way. */
  static OutOfNativeMemoryError vanished(
      String target, TouchNeed need, long wantedBytes, long touchedBytes, MemoryFigures figures) {
    String message =
        "pretouch given up, memory was taken meanwhile ("
            + scarcest(figures)
            + "): "
            + target
            + ", wantedBytes="
            + wantedBytes
            + ", touchedBytes="
            + touchedBytes
            + figures(figures)
            + " (what was taken has gone back)";
    return error(message, target, need, wantedBytes);
  }

  /** The kernel said no. */
  static OutOfNativeMemoryError failed(
      String target,
      TouchNeed need,
      long wantedBytes,
      long touchedBytes,
      String errno,
      MemoryFigures figures) {
    String message =
        "pretouch failed: "
            + target
            + ", wantedBytes="
            + wantedBytes
            + ", touchedBytes="
            + touchedBytes
            + ", errno="
            + errno
            + figures(figures)
            + " (the operating system gives no more memory; what was taken has gone back)";
    return error(message, target, need, wantedBytes);
  }

  private static OutOfNativeMemoryError error(
      String message, String target, TouchNeed need, long requestedBytes) {
    return new OutOfNativeMemoryError(
        message,
        target.substring(target.indexOf('=') + 1),
        requestedBytes,
        -1,
        need.budgetName(),
        need.budgetLimitBytes(),
        need.budgetCommittedBytes());
  }

  private static String figures(MemoryFigures figures) {
    StringBuilder text = new StringBuilder();
    text.append(", availableBytes=").append(number(figures.availableBytes()));
    text.append(", memAvailableBytes=").append(number(figures.memAvailableBytes()));
    text.append(", memTotalBytes=").append(number(figures.memTotalBytes()));
    for (MemoryFigures.Group group : figures.groups()) {
      text.append(", controlGroup=").append(group.path());
      text.append(", groupLimitBytes=").append(group.limitBytes());
      text.append(", groupUsageBytes=").append(group.usageBytes());
      text.append(", groupReclaimableBytes=").append(group.reclaimableBytes());
    }
    text.append(", addressSpaceLimitBytes=").append(number(figures.addressSpaceLimitBytes()));
    text.append(", addressSpaceUsedBytes=").append(figures.addressSpaceUsedBytes());
    text.append(", overcommitMode=").append(figures.overcommitMode());
    text.append(", commitLimitBytes=").append(number(figures.commitLimitBytes()));
    text.append(", commitUsedBytes=").append(figures.commitUsedBytes());
    return text.toString();
  }

  private static String budget(TouchNeed need) {
    return need.budgetName() == null
        ? ""
        : ", budget="
            + need.budgetName()
            + ", budgetLimitBytes="
            + number(need.budgetLimitBytes())
            + ", budgetCommittedBytes="
            + need.budgetCommittedBytes();
  }

  private static String number(long bytes) {
    return bytes == MemoryFigures.UNKNOWN ? "none" : Long.toString(bytes);
  }
}
