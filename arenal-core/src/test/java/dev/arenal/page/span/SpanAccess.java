package dev.arenal.page.span;

import java.util.concurrent.locks.ReentrantLock;

/** Access to the inside of spans, for tests in other packages. */
public final class SpanAccess {
  private SpanAccess() {}

  /** The lock of a table. */
  public static ReentrantLock lock(SpanTable table) {
    return table.lock;
  }
}
