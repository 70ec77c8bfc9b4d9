package dev.arenal.page.span;

/** Where a heap may look for room: each includes the ones before it. */
public enum SearchDepth {
  /**
   * In holes that are committed, which costs nothing, and in the lowest free slot of a run, which
   * may have gone back.
   */
  COMMITTED,

  /** In holes that have gone back to the kernel: costs page faults. */
  DISCARDED,

  /** In another page. */
  NEW_PAGE;

  /** Whether memory may be committed for it. */
  public boolean mayRecommit() {
    return this != COMMITTED;
  }
}
