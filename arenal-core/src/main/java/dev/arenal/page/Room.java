package dev.arenal.page;

/** Where a heap may look for room: each includes the ones before it. */
enum Room {
  /** In holes that are committed: costs nothing. */
  COMMITTED,

  /** In holes that have gone back to the kernel: costs page faults. */
  DISCARDED,

  /** In another page. */
  NEW_PAGE
}
