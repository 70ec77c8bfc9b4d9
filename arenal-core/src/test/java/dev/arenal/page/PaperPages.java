package dev.arenal.page;

import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.granule.Supplies;

/**
 * Pages on paper: heaps and pages at addresses that are never touched, for tests of the books
 * alone.
 */
final class PaperPages {
  /** Where the first granule is. */
  static final long ADDRESS = 1L << 40;

  final PageContext context;
  final SmallHeap small;
  final MediumHeap medium;

  /** A supply is needed to make heaps, though nothing comes from it. */
  PaperPages(Supplies supplies) {
    context =
        new PageContext(
            "test",
            true,
            false,
            true,
            supplies.os.pageSizeBytes(),
            supplies.open(),
            new StallQueue(),
            new SpanTable(),
            Racks.none());
    small = new SmallHeap(context, 0, 0);
    medium = new MediumHeap(context, 1, 0, 32 << 20);
  }

  /** A small page in that granule. */
  SmallPage smallPage(int granule, boolean isZero) {
    return new SmallPage(small, memory(PageKind.SMALL, granule, 1, isZero));
  }

  /** A medium page from that granule on. */
  SharedPage sharedPage(int granule, int granuleCount, boolean isZero) {
    return new SharedPage(medium, memory(PageKind.MEDIUM, granule, granuleCount, isZero));
  }

  static PageMemory memory(PageKind kind, int granule, int granuleCount, boolean isZero) {
    long address = ADDRESS + granule * PageSupply.GRANULE_BYTES;
    PageMemory memory = new PageMemory(kind, address, granule, granuleCount, 0);
    memory.isZero = isZero;
    return memory;
  }
}
