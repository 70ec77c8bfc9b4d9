package dev.arenal.confined;

import java.lang.foreign.Arena;

/**
 * Whether the program runs with {@code -Dsun.nio.PageAlignDirectMemory=true}: each allocation then
 * starts on a page, which a pool cannot give. There is no supported way to ask, so this looks.
 */
final class PageAlignment {
  private static final int PROBES = 4;
  private static final long SMALLEST_PAGE_BYTES = 4096;

  private PageAlignment() {}

  static boolean isAskedFor() {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < PROBES; i++) {
        // By chance: one in 256 to the power of the number of probes.
        if (arena.allocate(PooledArena.BLOCK_BYTES).address() % SMALLEST_PAGE_BYTES != 0) {
          return false;
        }
      }
    }
    return true;
  }
}
