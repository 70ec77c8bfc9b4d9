package dev.arenal.page;

import dev.arenal.conformance.NativeConformance;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An arena from pages does what that of the JDK does, and the allocator gets everything back. */
final class PageSharedArenaTest extends NativeConformance {
  @RegisterExtension private final Allocators allocators = new Allocators();
  private PageAllocator pages;

  @BeforeEach
  void openAllocator() {
    allocators.isZeroed = false; // an arena hands out zeroed memory all the same
    allocators.hasMagazines = true;
    allocators.capacityBytes = 1024 * Allocators.MIB; // for alignments beyond all pages
    pages = allocators.open();
  }

  @Override
  protected Arena open() {
    return pages.openSharedArena();
  }

  @Override
  protected boolean isConfined() {
    return false;
  }
}
