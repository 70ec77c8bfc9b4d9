package dev.arenal.page;

import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageSettings;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.page.span.HeapPage;
import java.util.List;

/** Sums over the heaps of an allocator, taken one heap after the other. */
@SuppressWarnings("EnumOrdinal") // an array by kind
final class PageTally {
  private final int[] pageCount = new int[PageKind.values().length];
  private long pageBytes;
  private long discardedBytes;
  long freeBytes;
  long usedBytes;

  void add(HeapPage page) {
    pageCount[page.memory.kind.ordinal()]++;
    pageBytes += page.memory.sizeBytes;
    discardedBytes += page.discardedBytes();
    freeBytes += page.freeBytes();
  }

  PageReport report(
      PageSettings settings,
      SupplyFigures figures,
      int waitingCount,
      List<OpenBuffers> openBuffers) {
    long ownBytes = pageBytes - discardedBytes;
    long free = Math.min(freeBytes, ownBytes);
    long used = Math.clamp(usedBytes, 0, ownBytes - free);
    return new PageReport(
        settings.name(),
        settings.capacityBytes(),
        figures.reservedBytes(),
        used,
        free,
        ownBytes - free - used,
        figures.cachedBytes(),
        pageCount[PageKind.SMALL.ordinal()],
        pageCount[PageKind.MEDIUM.ordinal()],
        pageCount[PageKind.LARGE.ordinal()],
        waitingCount,
        openBuffers);
  }
}
