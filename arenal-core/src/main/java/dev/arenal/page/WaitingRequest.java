package dev.arenal.page;

import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.StackReserve;
import dev.arenal.page.granule.PageSupply;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for memory. A class and no lambda: one that is linked at its first use, at
 * the end of a stack, fails for ever.
 */
record WaitingRequest(PageState state, long sizeBytes, long alignmentBytes, PageAge age)
    implements StallQueue.Request<PageBuffer> {
  /** Waits for that long at most; null if there is no room at the end either. */
  @Nullable PageBuffer await(long maxWaitNanos) {
    StackReserve.ensure(); // the next thread in the queue waits for this one to leave it
    long start = System.nanoTime();
    MemoryEvents.Stall event = MemoryEvents.beginStall();
    PageBuffer buffer = null;
    boolean isCounted = false;
    try {
      buffer = state.context.stalls().await(this, maxWaitNanos);
      if (event != null) {
        event.end(PageSupply.KIND, state.settings.name(), sizeBytes, buffer != null);
      }
      state.stallCount.add(1);
      state.stallNanos.sample(System.nanoTime() - start);
      isCounted = true;
      return buffer;
    } finally {
      if (!isCounted && buffer != null) { // the Java heap is full
        buffer.closeEnsured();
      }
    }
  }

  @Override
  public @Nullable PageBuffer attempt() {
    return state.tryAllocate(sizeBytes, alignmentBytes, age, true);
  }

  @Override
  public @Nullable PageBuffer attemptBehind() {
    return state.tryAllocate(sizeBytes, alignmentBytes, age, false);
  }

  /** The limit of the budget may have been lowered since the wait began. */
  @Override
  public boolean isPossible() {
    return sizeBytes <= state.supply.mostPossibleBytes();
  }
}
