package dev.arenal.memory;

import dev.arenal.guard.LostHandle;
import dev.arenal.guard.WatchMode;
import org.jspecify.annotations.Nullable;

/** Warns of reserved memory that is lost without a close. It stays: an address may be held. */
final class ReservedLeak extends LostHandle {
  private final String name;
  private final Reservation reservation;
  private final Throwable stack = new Throwable("memory was reserved here");

  private ReservedLeak(String name, Reservation reservation) {
    this.name = name;
    this.reservation = reservation;
  }

  /** Null if nothing is watched. */
  static @Nullable ReservedLeak watch(
      ReservedMemory handle, String name, Reservation reservation, WatchMode mode) {
    return mode == WatchMode.OFF ? null : watch(handle, new ReservedLeak(name, reservation));
  }

  @Override
  protected void giveBack() {}

  @Override
  protected String report() {
    return "memory was never closed: memory="
        + name
        + ", sizeBytes="
        + reservation.sizeBytes()
        + ", committedBytes="
        + reservation.committedBytes()
        + " (it stays, since its address may be held, and so does its share of the budget;"
        + " close it)";
  }

  @Override
  protected Throwable opening() {
    return stack;
  }
}
