package dev.arenal.stats.recorder;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts events or bytes; its row shows their number in a second.
 *
 * <p><b>Threading:</b> any thread may count. <b>Cost:</b> a striped add, a few nanoseconds, even if
 * many threads count at once.
 */
public final class Counter {
  private final LongAdder total = new LongAdder();

  Counter() {}

  /**
   * Counts {@code amount} events or bytes.
   *
   * @throws IllegalArgumentException if the amount is negative; nothing has been counted then
   */
  public void add(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException(
          "counted amount is negative: amount=" + amount + " (expected 0 or more)");
    }
    total.add(amount);
  }

  /** All that has been counted ever. */
  long total() {
    return total.sum();
  }
}
