package dev.arenal.elastic;

import dev.arenal.guard.LostHandle;
import org.jspecify.annotations.Nullable;

/** Releases a space whose handle is lost without a close, and reports it. */
final class SpaceLeak extends LostHandle {
  private final SpaceState state;
  private final String name;
  private final @Nullable Throwable opened;
  private int openArenas; // and a mapping that the kernel refused to take

  private SpaceLeak(SpaceState state, SpaceSettings settings) {
    this.state = state;
    this.name = settings.name();
    this.opened = settings.trackOpening() ? new Throwable("space was opened here") : null;
  }

  static SpaceLeak watch(Object handle, SpaceState state, SpaceSettings settings) {
    return watch(handle, new SpaceLeak(state, settings));
  }

  @Override
  protected void giveBack() {
    openArenas = state.abandon();
  }

  @Override
  protected String report() {
    return "space was never closed: space="
        + name
        + ", openArenas="
        + openArenas
        + (opened == null
            ? " (close it, or build it with trackOpening(true) to see where it was opened)"
            : " (close it; it was opened where the stack trace says)");
  }

  @Override
  protected @Nullable Throwable opening() {
    return opened;
  }
}
