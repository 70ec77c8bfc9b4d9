package dev.arenal.elastic;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/** Warns once, by the JDK's logging, when the handle of a space is lost without a close. */
final class LeakWarning {
  private static final Cleaner CLEANER = Cleaner.create();
  private static final System.Logger LOGGER = System.getLogger("dev.arenal");

  private final Cleaner.Cleanable cleanable;
  private final Lost lost;

  private LeakWarning(Cleaner.Cleanable cleanable, Lost lost) {
    this.cleanable = cleanable;
    this.lost = lost;
  }

  static LeakWarning watch(Object handle, SpaceState state, SpaceSettings settings) {
    Throwable opened = settings.trackOpening() ? new Throwable("space was opened here") : null;
    Lost lost = new Lost(state, settings.name(), opened);
    return new LeakWarning(CLEANER.register(handle, lost), lost);
  }

  void cancel() {
    lost.cancelled = true;
    cleanable.clean();
  }

  private static final class Lost implements Runnable {
    private final SpaceState state;
    private final String name;
    private final @Nullable Throwable opened;
    volatile boolean cancelled;

    Lost(SpaceState state, String name, @Nullable Throwable opened) {
      this.state = state;
      this.name = name;
      this.opened = opened;
    }

    @Override
    public void run() {
      if (cancelled) {
        return;
      }
      int openArenas = 0; // and a mapping that the kernel refused to take
      try {
        openArenas = state.abandon();
      } finally {
        warn(openArenas);
      }
    }

    private void warn(int openArenas) {
      String message =
          "space was never closed: space="
              + name
              + ", openArenas="
              + openArenas
              + (opened == null
                  ? " (close it, or build it with trackOpening(true) to see where it was opened)"
                  : " (close it; it was opened where the stack trace says)");
      if (opened == null) {
        LOGGER.log(System.Logger.Level.WARNING, message);
      } else {
        LOGGER.log(System.Logger.Level.WARNING, message, opened);
      }
    }
  }
}
