package dev.arenal.page;

import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageSettings;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.page.span.HeapPage;
import java.util.List;

/** Sums over the heaps of an allocator, taken one heap after the other. */
final class PageTally {
  private final int[] pageCount = new int[PageKind.values().length];
  private long pageBytes;
  private long discardedBytes;
  private long freeBytes;
  private long usedBytes;

  void add(PageKind kind, HeapPage page) {
    pageCount[index(kind)]++;
    pageBytes += page.memory.sizeBytes;
    discardedBytes += page.discardedBytes();
    freeBytes += page.freeBytes();
  }

  void addFree(long sizeBytes) {
    freeBytes += sizeBytes;
  }

  void addUsed(long sizeBytes) {
    usedBytes += sizeBytes;
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
        pageCount[index(PageKind.SMALL)],
        pageCount[index(PageKind.MEDIUM)],
        pageCount[index(PageKind.LARGE)],
        waitingCount,
        openBuffers);
  }

  private static int index(PageKind kind) {
    return switch (kind) {
      case SMALL -> 0;
      case MEDIUM -> 1;
      case LARGE -> 2;
    };
  }
}
