package dev.arenal.page;

import dev.arenal.page.granule.PageSupply;
import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;

/** Settings and services that the heaps of one allocator share. */
record PageContext(
    String name,
    boolean isZeroed,
    boolean isChecked,
    boolean isRefillSynchronized,
    long osPageBytes,
    PageSupply supply,
    StallQueue stalls,
    PlaceTable places,
    @Nullable Racks racks,
    Arena scope) {}
