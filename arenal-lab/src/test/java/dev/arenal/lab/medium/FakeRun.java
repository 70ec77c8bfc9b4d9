package dev.arenal.lab.medium;

import dev.arenal.lab.process.Work;
import dev.arenal.page.PageAllocator;

/** Stands in for a run, and misbehaves as the real one does not when asked: by its threads. */
record FakeRun(MediumPlan plan, boolean isSynchronized) implements Work<MediumResult> {
  static final int WORKS = 1;
  static final int WRITES_NOTHING = 3;
  static final int DIES_SYNCHRONIZED = 4;

  @Override
  public MediumResult run() {
    var _ = RefillSeam.prepare(PageAllocator.builder("fake"), isSynchronized); // it can be reached
    if (plan.threadCount() == WRITES_NOTHING) {
      System.exit(0);
    }
    if (plan.threadCount() == DIES_SYNCHRONIZED && isSynchronized) {
      System.out.println("last words");
      System.exit(6);
    }
    return isSynchronized ? Results.with(0) : Results.without(3);
  }
}
