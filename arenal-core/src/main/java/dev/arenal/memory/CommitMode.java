package dev.arenal.memory;

/** How granules come to be committed and how they go back to the operating system. */
public enum CommitMode {
  /**
   * Address space is mapped accessible from the start and backed by the kernel on first touch.
   * Commit is bookkeeping against the budget, uncommit drops the pages, and no mapping is ever
   * split. For machines that overcommit, as nearly all do.
   */
  DISCARD,

  /**
   * Address space is mapped without access, and each granule is mapped in when it is committed, so
   * that the kernel refuses at commit any memory that it could not back. For machines that do not
   * overcommit ({@code vm.overcommit_memory=2}). Scattered granules split mappings, of which the
   * kernel allows a limited number ({@code vm.max_map_count}): Arenal takes half of them, refuses
   * more with an error that has the figures, and leaves the rest to the program. A space whose
   * granules are 64 KiB, which is the default in this mode, hardly ever reaches that limit.
   *
   * <p>A segment that a program keeps too long may crash the JVM once its memory has gone back. So
   * blocks that are given back before their arena is closed stay committed in this mode.
   */
  PROTECT
}
