package dev.arenal.page.span;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** The runs of one size class that have free slots. */
public final class RunList {
  private @Nullable Run first;
  private @Nullable Run last;

  /** The one that was listed last, or {@link #beginWith} has named; null if there is none. */
  public @Nullable Run first() {
    return first;
  }

  /** Whether one is listed besides that one. */
  public boolean hasOthers(Run run) {
    return first != run || run.next != null;
  }

  /** Lists a run that has free slots. */
  public void add(Run run) {
    run.next = first;
    run.previous = null;
    if (first != null) {
      first.previous = run;
    } else {
      last = run;
    }
    first = run;
    run.isListed = true;
  }

  /** Makes a listed run the first one; those before it are the last ones, in their order. */
  public void beginWith(Run run) {
    Run before = run.previous;
    if (before == null) {
      return;
    }
    Run oldFirst = requireNonNull(first);
    Run oldLast = requireNonNull(last);
    oldLast.next = oldFirst; // a ring, which is cut before the run
    oldFirst.previous = oldLast;
    before.next = null;
    run.previous = null;
    first = run;
    last = before;
  }

  /** Takes a run off the list. */
  public void remove(Run run) {
    if (run.previous == null) {
      first = run.next;
    } else {
      run.previous.next = run.next;
    }
    if (run.next == null) {
      last = run.previous;
    } else {
      run.next.previous = run.previous;
    }
    run.next = null;
    run.previous = null;
    run.isListed = false;
  }
}
