package dev.arenal.elastic;

import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.BirthStack;
import dev.arenal.guard.LostHandle;
import org.jspecify.annotations.Nullable;

/** Releases a space whose handle is lost without a close, and reports it. */
final class SpaceLeak extends LostHandle {
  private final SpaceState state;
  private final String name;
  private final @Nullable BirthStack stack;
  private int openArenas; // and a mapping that the kernel refused to take

  private SpaceLeak(SpaceState state, String name, @Nullable BirthStack stack) {
    this.state = state;
    this.name = name;
    this.stack = stack;
  }

  static SpaceLeak watch(Object handle, SpaceState state, SpaceSettings settings) {
    BirthStack stack = BirthStack.takeIfWatched();
    return watch(handle, new SpaceLeak(state, settings.name(), stack));
  }

  @Override
  protected void giveBack() {
    openArenas = state.abandon();
    MemoryEvents.leak(SpaceStatistics.KIND, name, 0, 1, stack == null ? null : stack.place());
  }

  @Override
  protected String report() {
    return "space was never closed: space="
        + name
        + ", openArenas="
        + openArenas
        + (stack == null
            ? " (close it; without -Darenal.leaks=off this says where it was opened)"
            : ", place=" + stack.place() + " (close it)");
  }

  @Override
  protected @Nullable Throwable opening() {
    return stack == null ? null : stack.toThrowable("space was opened here");
  }
}
