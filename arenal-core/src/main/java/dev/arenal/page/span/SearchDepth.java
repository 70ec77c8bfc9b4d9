package dev.arenal.page.span;

/** Where a heap may look for room: each includes {@link #COMMITTED}. */
public enum SearchDepth {
  /**
   * In holes that are committed, which costs nothing, and in the lowest free slot of a run, which
   * may have gone back.
   */
  COMMITTED,

  /** In holes that have gone back to the kernel, too: costs page faults. */
  DISCARDED,

  /**
   * The same, and for an aligned place in each page that may have one: before a request fails,
   * since there may be many that have none.
   */
  EVERYWHERE,

  /**
   * In another page, where {@link #DISCARDED} has found nothing, or only what budget or kernel do
   * not give back.
   */
  NEW_PAGE;

  /** Whether memory may be committed for it. */
  public boolean mayRecommit() {
    return this == DISCARDED || this == EVERYWHERE;
  }
}
