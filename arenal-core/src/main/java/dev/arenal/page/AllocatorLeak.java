package dev.arenal.page;

import dev.arenal.guard.LostHandle;
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

  private AllocatorLeak(PageState state) {
    this.state = state;
  }

  static AllocatorLeak watch(PageAllocator handle, PageState state) {
    return watch(handle, new AllocatorLeak(state));
  }

  @Override
  protected void giveBack() {
    isOver = isOver || (!isBegun && state.isReleased()); // the build failed
    isBegun = true;
    if (isOver) {
      return;
    }
    try {
      state.close();
      outcome = "its memory has been given back";
    } catch (IllegalStateException e) {
      outcome = "buffers are open, so its memory stays";
    }
  }

  @Override
  protected @Nullable String report() {
    return isOver
        ? null
        : "allocator was never closed: allocator="
            + state.settings().name()
            + ", usedBytes="
            + state.usedBytes()
            + " ("
            + outcome
            + "; close it)";
  }
}
