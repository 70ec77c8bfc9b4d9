package dev.arenal.memory;

/** How granules are committed and given back to the operating system. */
public enum CommitMode {
  /**
   * Address space is accessible from the start, and the kernel backs it on first touch. A commit is
   * only counted against the budget, an uncommit drops the pages, and no mapping is ever split. For
   * machines that overcommit, as nearly all do.
   */
  DISCARD,

  /**
   * Address space is inaccessible at first, and a granule becomes accessible when it is committed.
   * A commit therefore fails if the kernel cannot back the memory. For machines that do not
   * overcommit ({@code vm.overcommit_memory=2}). Scattered granules split mappings, whose number
   * the kernel limits ({@code vm.max_map_count}): Arenal takes at most half of them, refuses more
   * with an error that has the figures, and leaves the rest to the program. A space with granules
   * of 64 KiB, the default in this mode, hardly ever reaches that limit.
   *
   * <p>Access through a segment may crash the JVM after the memory has gone back. Blocks that are
   * given back before their arena is closed therefore stay committed in this mode.
   */
  PROTECT
}
