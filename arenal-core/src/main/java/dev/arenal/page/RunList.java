package dev.arenal.page;

import org.jspecify.annotations.Nullable;

/** The runs of one size class that have free slots. */
final class RunList {
  private @Nullable Run first;

  @Nullable Run first() {
    return first;
  }

  boolean hasOthers(Run run) {
    return first != run || run.next != null;
  }

  void add(Run run) {
    run.next = first;
    run.previous = null;
    if (first != null) {
      first.previous = run;
    }
    first = run;
    run.isListed = true;
  }

  void remove(Run run) {
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
