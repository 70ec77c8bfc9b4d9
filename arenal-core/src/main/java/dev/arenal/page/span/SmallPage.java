package dev.arenal.page.span;

import dev.arenal.page.granule.PageMemory;
import java.util.ArrayList;
import java.util.List;

/** A page of 2 MiB and the runs in it. */
public final class SmallPage extends HeapPage {
  private final List<Run> runs = new ArrayList<>();

  /** All units are free. */
  public SmallPage(SpanOwner owner, PageMemory memory, long osPageBytes) {
    super(owner, memory, SMALL_UNIT_BYTES, osPageBytes);
  }

  /** How many runs are in it. */
  public int runCount() {
    return runs.size();
  }

  /** One of them; a removal changes the numbers. */
  public Run run(int index) {
    return runs.get(index);
  }

  /** Adds a run, whose units are taken. */
  public void add(Run run) {
    runs.add(run); // where the Java heap is full, nothing has changed
    run.indexInPage = runs.size() - 1;
  }

  /** Removes a run; the last one takes its place. */
  public void remove(Run run) {
    Run last = runs.removeLast();
    if (last != run) {
      runs.set(run.indexInPage, last);
      last.indexInPage = run.indexInPage;
    }
    run.indexInPage = -1;
  }

  @Override
  public void beginCycle() {
    super.beginCycle();
    for (int i = 0; i < runs.size(); i++) { // no lambda: a first use would link it, far down
      runs.get(i).beginCycle();
    }
  }

  @Override
  void verify() {
    super.verify();
    for (Run run : runs) {
      run.verify();
    }
  }
}
