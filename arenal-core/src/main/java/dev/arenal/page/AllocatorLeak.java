package dev.arenal.page;

import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.BirthStack;
import dev.arenal.guard.LostHandle;
import dev.arenal.page.granule.PageSupply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Closes an allocator whose handle is lost without a close, and reports it. Where buffers are open,
 * their memory stays.
 */
final class AllocatorLeak extends LostHandle {
  private final PageState state;
  private boolean isBegun;
  private boolean isOver;
  private String outcome = "its memory has not been given back";
  private List<OpenBuffers> openBuffers = List.of();

  private AllocatorLeak(PageState state) {
    super(BirthStack.takeIfWatched(), "allocator was built here");
    this.state = state;
  }

  static AllocatorLeak watch(PageAllocator handle, PageState state) {
    return watch(handle, new AllocatorLeak(state));
  }

  @Override
  protected void giveBack() {
    isOver = isOver || (!isBegun && state.isOver()); // the build failed
    isBegun = true;
    if (isOver) {
      return;
    }
    try {
      state.close();
      outcome = "its memory has been given back";
    } catch (IllegalStateException e) {
      openBuffers = state.births.groups();
      outcome =
          state.usedBytes() > 0
              ? "buffers are open, so its memory stays"
              : "its memory stays: " + e.getMessage();
    }
    MemoryEvents.leak(PageSupply.KIND, state.settings.name(), state.usedBytes(), 1, place());
  }

  @Override
  protected @Nullable String report() {
    return isOver
        ? null
        : "allocator was never closed: allocator="
            + state.settings.name()
            + ", usedBytes="
            + state.usedBytes()
            + OpenBuffers.inMessage(openBuffers)
            + placeInMessage()
            + " ("
            + outcome
            + "; close it)";
  }
}
