package dev.arenal.page.span;

import org.jspecify.annotations.Nullable;

/** The runs of one size class that have free slots. */
public final class RunList {
  private @Nullable Run first;

  /** The one that was listed last; null if there is none. */
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
    }
    first = run;
    run.isListed = true;
  }

  /** Takes a run off the list. */
  public void remove(Run run) {
    if (run.previous == null) {
      first = run.next;
    } else {
      run.previous.next = run.next;
    }
    if (run.next != null) {
      run.next.previous = run.previous;
    }
    run.next = null;
    run.previous = null;
    run.isListed = false;
  }
}
