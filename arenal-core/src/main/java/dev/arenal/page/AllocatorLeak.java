package dev.arenal.page;

import dev.arenal.guard.LostHandle;

/**
 * Warns once, by the JDK's logging, when the handle of an allocator is lost without a close. Closes
 * what nobody uses any more; where buffers are open, their memory stays.
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
    AllocatorLeak leak = new AllocatorLeak(state);
    leak.watch(handle);
    return leak;
  }

  @Override
  protected void giveBack() {
    isOver = isOver || (!isBegun && state.isReleased()); // nobody has ever got it
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
  protected void warn() {
    if (isOver) {
      return;
    }
    System.getLogger("dev.arenal")
        .log(
            System.Logger.Level.WARNING,
            "allocator was never closed: allocator="
                + state.settings().name()
                + ", usedBytes="
                + state.usedBytes()
                + " ("
                + outcome
                + "; close it)");
  }
}
