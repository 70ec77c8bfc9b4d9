package dev.arenal.page;

import dev.arenal.page.granule.PageMemory;
import java.util.ArrayList;
import java.util.List;

/** A page of 2 MiB and the runs in it. */
final class SmallPage extends HeapPage {
  private final List<Run> runs = new ArrayList<>();

  SmallPage(LockedHeap heap, PageMemory memory) {
    super(heap, memory, SMALL_UNIT_BYTES);
  }

  int runCount() {
    return runs.size();
  }

  Run run(int index) {
    return runs.get(index);
  }

  void add(Run run) {
    runs.add(run); // where the Java heap is full, nothing has changed
    run.indexInPage = runs.size() - 1;
  }

  /** Removes a run; the last one takes its place. */
  void remove(Run run) {
    Run last = runs.removeLast();
    if (last != run) {
      runs.set(run.indexInPage, last);
      last.indexInPage = run.indexInPage;
    }
    run.indexInPage = -1;
  }

  @Override
  void beginCycle() {
    super.beginCycle();
    runs.forEach(Run::beginCycle);
  }

  @Override
  void verify() {
    super.verify();
    for (Run run : runs) {
      run.verify();
    }
  }
}
