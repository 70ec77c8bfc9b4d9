package dev.arenal.page;

import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.SpanTable;

/** Settings and services that the heaps of one allocator share. */
record PageContext(
    String name,
    boolean isZeroed,
    boolean isChecked,
    boolean isRefillSynchronized,
    long osPageBytes,
    PageSupply supply,
    StallQueue stalls,
    SpanTable spans,
    Racks racks,
    HoleDiscards discards) {}
