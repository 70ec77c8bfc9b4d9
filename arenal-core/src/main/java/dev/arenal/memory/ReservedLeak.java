package dev.arenal.memory;

import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.BirthStack;
import dev.arenal.guard.LostHandle;
import dev.arenal.reserve.Reservation;
import org.jspecify.annotations.Nullable;

/** Warns of reserved memory that is lost without a close. It stays: its address may be held. */
final class ReservedLeak extends LostHandle {
  private static final String KIND = "ReservedMemory";

  private final String name;
  private final Reservation reservation;

  private ReservedLeak(String name, Reservation reservation, BirthStack stack) {
    super(stack, "memory was reserved here");
    this.name = name;
    this.reservation = reservation;
  }

  /** Null if nothing is watched. */
  static @Nullable ReservedLeak watch(ReservedMemory handle, String name, Reservation reservation) {
    BirthStack stack = BirthStack.takeIfWatched();
    return stack == null ? null : watch(handle, new ReservedLeak(name, reservation, stack));
  }

  @Override
  protected void giveBack() {
    MemoryEvents.leak(KIND, name, reservation.sizeBytes(), 1, place());
  }

  @Override
  protected String report() {
    return "memory was never closed: memory="
        + name
        + ", sizeBytes="
        + reservation.sizeBytes()
        + ", committedBytes="
        + reservation.committedBytes()
        + placeInMessage()
        + " (it stays, since its address may be held, and so does its share of the budget;"
        + " close it)";
  }
}
