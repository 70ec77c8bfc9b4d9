package dev.arenal.page.granule;

import java.util.concurrent.locks.ReentrantLock;

/** Access to the inside of supplies, for tests in other packages. */
public final class SupplyAccess {
  private SupplyAccess() {}

  /** The lock of a supply. */
  public static ReentrantLock lock(PageSupply supply) {
    return supply.state.lock;
  }
}
