package dev.arenal.soak;

/** A space or a page allocator of a round, with what is open in it. */
abstract class Owner {
  /** Set once it says so itself: it is then replaced, and closed. */
  private volatile boolean isDamaged;

  final void markDamaged() {
    isDamaged = true;
  }

  final boolean isDamaged() {
    return isDamaged;
  }

  abstract String name();

  /** With its figures. */
  abstract String describe();

  abstract long committedBytes();

  /** Checks its structures. */
  abstract void verify();

  /** Closes all that is open in it; no thread uses it meanwhile. */
  abstract void closeContents();

  abstract void trim();

  abstract void close();
}
