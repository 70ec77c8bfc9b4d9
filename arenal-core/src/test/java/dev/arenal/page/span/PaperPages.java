package dev.arenal.page.span;

import dev.arenal.page.granule.PageKind;
import dev.arenal.page.granule.PageMemory;
import dev.arenal.page.granule.PageSupply;

/**
 * Pages on paper: at addresses that are never touched, without a heap, for tests of the books
 * alone.
 */
public final class PaperPages implements SpanOwner {
  /** Where the first granule is. */
  static final long ADDRESS = 1L << 40;

  static final long OS_PAGE_BYTES = 4096;

  /** A small page in that granule. */
  public SmallPage smallPage(int granule, boolean isZero) {
    return new SmallPage(this, memory(PageKind.SMALL, granule, 1, isZero), OS_PAGE_BYTES);
  }

  /** A medium page from that granule on. */
  SharedPage sharedPage(int granule, int granuleCount, boolean isZero) {
    PageMemory memory = memory(PageKind.MEDIUM, granule, granuleCount, isZero);
    return new SharedPage(this, memory, OS_PAGE_BYTES);
  }

  static PageMemory memory(PageKind kind, int granule, int granuleCount, boolean isZero) {
    long address = ADDRESS + granule * PageSupply.GRANULE_BYTES;
    PageMemory memory = new PageMemory(kind, address, granule, granuleCount, 0);
    memory.isZero = isZero;
    return memory;
  }

  @Override
  public void restore(HeapPage page, int from, int to) {
    throw new AssertionError("nothing was collected here: " + page);
  }

  @Override
  public void restoreSlots(Run run, int from, int to) {
    throw new AssertionError("nothing was collected here: " + run);
  }
}
