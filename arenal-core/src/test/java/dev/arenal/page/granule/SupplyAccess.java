package dev.arenal.page.granule;

import dev.arenal.supply.Claims;
import java.util.concurrent.locks.ReentrantLock;

/** Access to the inside of supplies, for tests in other packages. */
public final class SupplyAccess {
  private SupplyAccess() {}

  /** The lock of a supply. */
  public static ReentrantLock lock(PageSupply supply) {
    return supply.state.lock;
  }

  /** Claims memory for a discard; returns what ends that. */
  public static Runnable claim(PageSupply supply) {
    locked(supply, () -> supply.state.claims.begin(Claims.Use.DISCARD));
    return () -> locked(supply, () -> supply.state.claims.end(Claims.Use.DISCARD));
  }

  /** Has granules in hand, as a pretouch, which may be all that a refused request lacks. */
  public static Runnable claimForPretouch(PageSupply supply) {
    SupplyState state = supply.state;
    int count = 8;
    locked(
        supply,
        () -> {
          state.granules.pretouchGranules += count;
          state.claims.begin(Claims.Use.PRETOUCH);
        });
    return () ->
        locked(
            supply,
            () -> {
              state.granules.pretouchGranules -= count;
              state.claims.end(Claims.Use.PRETOUCH);
            });
  }

  private static void locked(PageSupply supply, Runnable action) {
    supply.state.lock.lock();
    try {
      action.run();
    } finally {
      supply.state.lock.unlock();
    }
  }
}
