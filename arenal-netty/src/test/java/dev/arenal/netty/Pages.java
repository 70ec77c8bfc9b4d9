package dev.arenal.netty;

import dev.arenal.page.PageAllocator;

/** Page allocators for tests. */
final class Pages {
  private Pages() {}

  /** One of some size; a test that leaves a buffer open cannot close it. */
  static PageAllocator open() {
    return PageAllocator.builder("test").capacityBytes(512L << 20).zeroed(false).build();
  }
}
