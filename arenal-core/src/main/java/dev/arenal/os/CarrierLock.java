package dev.arenal.os;

import dev.arenal.guard.StackSafeLock;

/**
 * A lock that threads wait for with another one held: for so long a virtual one stays on its
 * carrier.
 *
 * <p>A virtual thread that left it would leave the other lock held. Threads that native code has
 * called back cannot leave theirs: waiting for that other lock on all carriers there are, they
 * would keep the first one from going on, for ever. So it sleeps inside the kernel.
 */
public class CarrierLock extends StackSafeLock {
  private static final long serialVersionUID = 1;

  /**
   * Far longer than any of these locks is held by a thread that runs. One that does not may itself
   * want the carrier.
   */
  private static final long MOST_SLEEP_NANOS = 1_000_000_000;

  /** A free lock, which is unfair. */
  public CarrierLock() {}

  @Override
  protected boolean lockBeforeParking() {
    if (!Thread.currentThread().isVirtual()) {
      return false;
    }
    long startNanos = System.nanoTime();
    boolean isLocked = false;
    while (!isLocked && System.nanoTime() - startNanos < MOST_SLEEP_NANOS) {
      KernelCalls.sleepMoment();
      isLocked = tryLock();
    }
    return isLocked;
  }
}
