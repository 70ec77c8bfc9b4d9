package dev.arenal.page;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.page.granule.PageSettings;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.reserve.Ledger;
import java.util.List;

/** The messages of requests that are refused, with the figures of their allocator. */
final class FullMessage {
  private FullMessage() {}

  /** The refusal of an allocation that has waited that long at most. */
  static OutOfNativeMemoryError error(
      PageState state, long sizeBytes, PageAge age, long maxWaitNanos) {
    PageSettings settings = state.settings;
    SupplyFigures figures = state.supply.figures();
    int waitingCount = state.context.stalls().waitingCount();
    String message =
        "no room: allocator="
            + settings.name()
            + ", requestedBytes="
            + sizeBytes
            + ", age="
            + age
            + ", usedBytes="
            + state.usedBytes()
            + ", pageBytes="
            + figures.usedBytes()
            + ", capacityBytes="
            + settings.capacityBytes()
            + ", committedBytes="
            + figures.committedBytes()
            + ", budget="
            + settings.budget()
            + ", maxWaitMillis="
            + maxWaitNanos / 1_000_000
            + (waitingCount == 0 ? "" : ", waitingThreads=" + waitingCount)
            + (figures.lastErrno() == 0
                ? ""
                : ", lastErrno=" + settings.os().describe(figures.lastErrno()))
            + (Thread.currentThread().isInterrupted() ? ", interrupted=true" : "")
            + OpenBuffers.inMessage(state.births.groupsForMessage())
            + remedy(state, sizeBytes);
    return Ledger.of(settings.budget())
        .refusal(message, settings.name(), sizeBytes, figures.committedBytes());
  }

  /**
   * Refuses what no allocator has.
   *
   * @throws IllegalArgumentException if the size is negative, or the alignment is not such a power
   */
  static void requirePossible(PageSettings settings, long sizeBytes, long alignmentBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(
          "size is negative: allocator="
              + settings.name()
              + ", sizeBytes="
              + sizeBytes
              + " (expected 0 or more)");
    }
    if (alignmentBytes < 1
        || alignmentBytes > PageSupply.GRANULE_BYTES
        || (alignmentBytes & (alignmentBytes - 1)) != 0) {
      throw new IllegalArgumentException(
          "alignment is not possible: allocator="
              + settings.name()
              + ", alignmentBytes="
              + alignmentBytes
              + " (expected a power of two from 1 to "
              + PageSupply.GRANULE_BYTES
              + ")");
    }
  }

  private static String remedy(PageState state, long sizeBytes) {
    if (sizeBytes > state.settings.capacityBytes()) {
      return " (expected at most the capacity)";
    }
    if (sizeBytes > state.settings.budget().limitBytes()) {
      return " (expected at most the limit of the budget)";
    }
    return sizeBytes > state.supply.mostPossibleBytes()
        ? " (expected at most the limit of the budget, in whole pages of "
            + PageSupply.GRANULE_BYTES
            + " bytes)"
        : " (close buffers, raise the limit of the budget, or build with a larger capacity)";
  }

  /** That of a close that finds open buffers. */
  static String ofOpenBuffers(PageState state) {
    List<OpenBuffers> openBuffers = state.births.groupsForMessage();
    return "allocator has open buffers or arenas: allocator="
        + state.settings.name()
        + ", usedBytes="
        + state.usedBytes()
        + (state.users.isEmpty() ? "" : ", users=" + state.users)
        + OpenBuffers.inMessage(openBuffers)
        + (openBuffers.isEmpty()
            ? " (close them first; -Darenal.leaks=all shows where each was allocated)"
            : " (close them first)");
  }
}
