package dev.arenal.stats;

import java.util.concurrent.atomic.LongAdder;

/** Counts events or bytes; a row shows how many there were in a second. Any thread may count. */
public final class Counter {
  private final LongAdder total = new LongAdder();

  Counter() {}

  /** Counts {@code amount} events or bytes. */
  public void add(long amount) {
    total.add(amount);
  }
}
