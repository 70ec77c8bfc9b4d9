package dev.arenal.elastic;

import dev.arenal.guard.LostHandle;
import org.jspecify.annotations.Nullable;

/** Warns once, by the JDK's logging, when the handle of a space is lost without a close. */
final class LeakWarning extends LostHandle {
  private final SpaceState state;
  private final String name;
  private final @Nullable Throwable opened;
  private int openArenas; // and a mapping that the kernel refused to take

  private LeakWarning(SpaceState state, SpaceSettings settings) {
    this.state = state;
    this.name = settings.name();
    this.opened = settings.trackOpening() ? new Throwable("space was opened here") : null;
  }

  static LeakWarning watch(Object handle, SpaceState state, SpaceSettings settings) {
    LeakWarning warning = new LeakWarning(state, settings);
    warning.watch(handle);
    return warning;
  }

  @Override
  protected void giveBack() {
    openArenas = state.abandon();
  }

  @Override
  protected void warn() {
    String message =
        "space was never closed: space="
            + name
            + ", openArenas="
            + openArenas
            + (opened == null
                ? " (close it, or build it with trackOpening(true) to see where it was opened)"
                : " (close it; it was opened where the stack trace says)");
    System.Logger logger = System.getLogger("dev.arenal");
    if (opened == null) {
      logger.log(System.Logger.Level.WARNING, message);
    } else {
      logger.log(System.Logger.Level.WARNING, message, opened);
    }
  }
}
