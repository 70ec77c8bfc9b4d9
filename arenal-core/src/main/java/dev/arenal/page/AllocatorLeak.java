package dev.arenal.page;

import java.lang.ref.Cleaner;

/** Warns once, by the JDK's logging, when the handle of an allocator is lost without a close. */
final class AllocatorLeak {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final System.Logger LOGGER = System.getLogger("dev.arenal");

  private final Cleaner.Cleanable cleanable;
  private final Lost lost;

  private AllocatorLeak(Cleaner.Cleanable cleanable, Lost lost) {
    this.cleanable = cleanable;
    this.lost = lost;
  }

  static AllocatorLeak watch(PageAllocator handle, PageState state) {
    Lost lost = new Lost(state);
    return new AllocatorLeak(CLEANER.register(handle, lost), lost);
  }

  void cancel() {
    lost.isCancelled = true;
    cleanable.clean();
  }

  /** Closes what nobody uses any more; where buffers are open, their memory stays. */
  private static final class Lost implements Runnable {
    private final PageState state;
    volatile boolean isCancelled;

    Lost(PageState state) {
      this.state = state;
    }

    @Override
    public void run() {
      if (isCancelled || state.isReleased()) { // or nobody has ever got it
        return;
      }
      String outcome = "its memory has been given back";
      try {
        state.close();
      } catch (IllegalStateException e) {
        outcome = "buffers are open, so its memory stays";
      }
      LOGGER.log(
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
}
