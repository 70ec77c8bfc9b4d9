package dev.arenal.page;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.page.granule.PageSettings;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.reserve.Ledger;
import java.util.List;
import java.util.Set;

/** The messages of requests that are refused, with the figures of their allocator. */
final class FullMessage {
  private FullMessage() {}

  /** The refusal of an allocation. */
  static OutOfNativeMemoryError error(
      PageSettings settings,
      SupplyFigures figures,
      long usedBytes,
      long sizeBytes,
      PageAge age,
      long maxWaitNanos,
      List<OpenBuffers> openBuffers) {
    boolean isTooLarge = sizeBytes > settings.capacityBytes(); // then nothing has waited
    String message =
        "no room: allocator="
            + settings.name()
            + ", requestedBytes="
            + sizeBytes
            + ", age="
            + age
            + ", usedBytes="
            + usedBytes
            + ", pageBytes="
            + figures.usedBytes()
            + ", capacityBytes="
            + settings.capacityBytes()
            + ", committedBytes="
            + figures.committedBytes()
            + ", budget="
            + settings.budget()
            + ", maxWaitMillis="
            + (isTooLarge ? 0 : maxWaitNanos / 1_000_000)
            + (figures.lastErrno() == 0
                ? ""
                : ", lastErrno=" + settings.os().describe(figures.lastErrno()))
            + (Thread.currentThread().isInterrupted() ? ", interrupted=true" : "")
            + OpenBuffers.inMessage(openBuffers)
            + (isTooLarge
                ? " (expected at most the capacity)"
                : " (close buffers, or raise the capacity or the budget)");
    return Ledger.of(settings.budget())
        .refusal(message, settings.name(), sizeBytes, figures.committedBytes());
  }

  /** That of a close that finds open buffers. */
  static String ofOpenBuffers(
      PageSettings settings, long usedBytes, Set<String> users, List<OpenBuffers> openBuffers) {
    return "allocator has open buffers: allocator="
        + settings.name()
        + ", usedBytes="
        + usedBytes
        + (users.isEmpty() ? "" : ", users=" + users)
        + OpenBuffers.inMessage(openBuffers)
        + (openBuffers.isEmpty()
            ? " (close them first; -Darenal.leaks=all says where each was asked for)"
            : " (close them first)");
  }
}
