package dev.arenal.stats;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what another thread or the collector does. */
public final class Await {
  private Await() {}

  /** Until the condition holds; an error after half a minute. */
  public static void until(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("nothing happened in 30 s");
      }
      try {
        Thread.sleep(5);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
