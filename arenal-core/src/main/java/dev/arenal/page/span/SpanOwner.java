package dev.arenal.page.span;

/** The heap of a span, as far as spans know it: it has the lock that guards them. */
public interface SpanOwner {
  /** Returns units from a batch; the lock is held. */
  void restore(HeapPage page, int from, int to);

  /** Returns slots from a batch; the lock is held. */
  void restoreSlots(Run run, int from, int to);
}
