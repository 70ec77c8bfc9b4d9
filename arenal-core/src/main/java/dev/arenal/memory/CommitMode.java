package dev.arenal.memory;

/** The way in which granules are committed and go back to the operating system. */
public enum CommitMode {
  /**
   * Address space is accessible from the start, and the kernel backs it on first touch. A commit is
   * only counted against the budget, an uncommit drops the pages, and no mapping is ever split. For
   * machines that overcommit, as nearly all do.
   */
  DISCARD,

  /**
   * Address space is inaccessible, and each granule becomes accessible when it is committed. So the
   * kernel refuses at the commit any memory that it cannot back. For machines that do not
   * overcommit ({@code vm.overcommit_memory=2}). Scattered granules split mappings, of which the
   * kernel allows a limited number ({@code vm.max_map_count}): Arenal takes at most half of them,
   * refuses more with an error that has the figures, and leaves the rest to the program. A space
   * with granules of 64 KiB, the default in this mode, hardly ever reaches that limit.
   *
   * <p>Access through a segment that a program keeps too long may crash the JVM once its memory has
   * gone back. Therefore blocks that are given back before their arena is closed stay committed in
   * this mode.
   */
  PROTECT
}
