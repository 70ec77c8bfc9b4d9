package dev.arenal.elastic;

import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.BirthStack;
import dev.arenal.guard.LostHandle;

/** Releases a space whose handle is lost without a close, and reports it. */
final class SpaceLeak extends LostHandle {
  private final SpaceState state;
  private int openArenas; // and a mapping that the kernel refused to take

  private SpaceLeak(SpaceState state) {
    super(BirthStack.takeIfWatched(), "space was opened here");
    this.state = state;
  }

  static SpaceLeak watch(Object handle, SpaceState state) {
    return watch(handle, new SpaceLeak(state));
  }

  @Override
  protected void giveBack() {
    openArenas = state.abandon();
    MemoryEvents.leak(SpaceStatistics.KIND, state.settings.name(), 0, 1, place());
  }

  @Override
  protected String report() {
    return "space was never closed: space="
        + state.settings.name()
        + ", openArenas="
        + openArenas
        + placeInMessage()
        + (place() == null
            ? " (close it; without -Darenal.leaks=off this says where it was opened)"
            : " (close it)");
  }
}
