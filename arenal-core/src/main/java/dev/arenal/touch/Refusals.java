package dev.arenal.touch;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.os.MemoryFigures;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Compares the need of a pretouch with the available memory, before the first page and on the way,
 * and makes the errors of the run.
 */
final class Refusals {
  /** Memory left for the rest of the process, so that the last page of the machine is not taken. */
  private static final long LEAST_MARGIN_BYTES = 16L << 20;

  /** Memory that a thread may be touching during a check. */
  private static final long MARGIN_BYTES_EACH = 8L << 20;

  /** Page tables take a 512th of what they map; the figures of the kernel are estimates. */
  private static final int MARGIN_FRACTION = 128;

  /** At most this fraction of the available memory is touched between two checks. */
  private static final int PARTS_OF_HEADROOM = 8;

  private final OperatingSystem os;
  private final Pretouch settings;
  private final String target;
  private final TouchPlan plan;
  private TouchNeed need = TouchNeed.ofResident(0);

  /** The headroom at the last check. A thread that reads an old value checks a little late. */
  private volatile long headroomBytes = MemoryFigures.UNKNOWN;

  Refusals(OperatingSystem os, Pretouch settings, String target, TouchPlan plan) {
    this.os = os;
    this.settings = settings;
    this.target = target;
    this.plan = plan;
  }

  // ---- before the first page ----

  /** Throws if there is not enough of what the owner has stated. */
  void check(TouchNeed stated) {
    need = stated;
    if (settings.isForced()) {
      return;
    }
    MemoryFigures figures = os.memoryFigures();
    headroomBytes = figures.availableBytes();
    String missing = missing(figures);
    if (!missing.isEmpty()) {
      String message =
          "pretouch refused, limited by "
              + missing
              + ": "
              + target
              + ", wantedBytes="
              + need.residentBytes()
              + figures(figures, neededMarginBytes())
              + budget()
              + " (nothing was touched: ask for less, free some memory or raise the limit;"
              + " Pretouch.forced() skips this check)";
      throw error(message, need.residentBytes());
    }
  }

  /** The missing resources, in words; empty if there is enough of everything. */
  private String missing(MemoryFigures figures) {
    List<String> missing = new ArrayList<>();
    // Sums may be more than a long holds.
    if (need.residentBytes() > figures.availableBytes() - neededMarginBytes()) {
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

  private long neededMarginBytes() {
    long neededBytes = need.residentBytes();
    return neededBytes == 0 ? 0 : marginBytes(plan.threadsFor(neededBytes));
  }

  /** The available memory that is left as a margin. */
  private long marginBytes(int threadCount) {
    long leastBytes = Math.max(LEAST_MARGIN_BYTES, MARGIN_BYTES_EACH * threadCount);
    return leastBytes + need.residentBytes() / MARGIN_FRACTION;
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

  // ---- on the way ----

  /**
   * Bytes that may be touched before the next check. Several processes that take memory at the same
   * time notice each other before none is left.
   */
  long bytesUntilLook() {
    return headroomBytes / PARTS_OF_HEADROOM;
  }

  /**
   * The error if the memory that is still needed is no longer available; else null.
   *
   * @param begunBytes what the threads have touched or begun to touch
   */
  @Nullable OutOfMemoryError shortage(long touchedBytes, AtomicLong begunBytes) {
    if (settings.isForced()) {
      return null;
    }
    MemoryFigures figures = os.memoryFigures();
    // Read last: it has all that the figures may count as used.
    long restBytes = Math.max(0, need.residentBytes() - begunBytes.get());
    // Half of the margin at the beginning: the figures move a little by themselves.
    long marginBytes = marginBytes(plan.threadCount()) / 2;
    headroomBytes = Math.max(0, figures.availableBytes() - marginBytes);
    // Committed memory may not be resident: where nothing is left, it does not matter whose it is.
    boolean isAtEnd = touchedBytes < plan.wantedBytes() && headroomBytes == 0;
    if (restBytes <= headroomBytes && !isAtEnd) {
      return null;
    }
    String message =
        "pretouch given up, memory was taken meanwhile ("
            + scarcest(figures)
            + "): "
            + progress(touchedBytes)
            + figures(figures, marginBytes)
            + " (what was taken has gone back)";
    return error(message, plan.wantedBytes());
  }

  /** The kernel said no. */
  OutOfMemoryError failed(long touchedBytes, long errno) {
    String message =
        "pretouch failed: "
            + progress(touchedBytes)
            + ", errno="
            + os.describe(errno)
            + figures(os.memoryFigures(), 0)
            + " (the operating system gives no more memory; what was taken has gone back)";
    return error(message, plan.wantedBytes());
  }

  CancellationException cancelled(long touchedBytes) {
    return new CancellationException(
        "pretouch cancelled: " + progress(touchedBytes) + " (what was taken has gone back)");
  }

  private String progress(long touchedBytes) {
    return target + ", wantedBytes=" + plan.wantedBytes() + ", touchedBytes=" + touchedBytes;
  }

  private OutOfNativeMemoryError error(String message, long requestedBytes) {
    return new OutOfNativeMemoryError(
        message,
        target.substring(target.indexOf('=') + 1),
        requestedBytes,
        -1,
        need.budgetName(),
        need.budgetLimitBytes(),
        need.budgetCommittedBytes());
  }

  /**
   * The figures of the machine.
   *
   * @param marginBytes what is to be left of the available memory; 0: nothing
   */
  private static String figures(MemoryFigures figures, long marginBytes) {
    StringBuilder text = new StringBuilder();
    if (marginBytes != 0 && figures.availableBytes() != MemoryFigures.UNKNOWN) {
      text.append(", marginBytes=").append(marginBytes);
    }
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

  private String budget() {
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
