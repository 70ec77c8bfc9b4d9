package dev.arenal.pretouch;

/** How a pretouch makes pages resident. */
public enum PretouchMethod {
  /**
   * {@code madvise(MADV_POPULATE_WRITE)}, Linux 5.14 and later: one call for many pages, which
   * fails with an error when no memory is left.
   */
  POPULATE,

  /**
   * An atomic addition of zero in each page, as {@code -XX:+AlwaysPreTouch} does. When no memory is
   * left, the kernel ends a process.
   */
  TOUCH
}
