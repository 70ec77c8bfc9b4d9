package dev.arenal.elastic;

import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.BirthStack;
import dev.arenal.guard.LostHandle;

/** Releases a space whose handle is lost without a close, and reports it. */
final class SpaceLeak extends LostHandle {
  private final SpaceState state;
  private final String name;
  private int openArenas; // and a mapping that the kernel refused to take

  private SpaceLeak(SpaceState state, String name) {
    super(BirthStack.takeIfWatched(), "space was opened here");
    this.state = state;
    this.name = name;
  }

  static SpaceLeak watch(Object handle, SpaceState state, SpaceSettings settings) {
    return watch(handle, new SpaceLeak(state, settings.name()));
  }

  @Override
  protected void giveBack() {
    openArenas = state.abandon();
    MemoryEvents.leak(SpaceStatistics.KIND, name, 0, 1, place());
  }

  @Override
  protected String report() {
    return "space was never closed: space="
        + name
        + ", openArenas="
        + openArenas
        + placeInMessage()
        + (place() == null
            ? " (close it; without -Darenal.leaks=off this says where it was opened)"
            : " (close it)");
  }
}
