package dev.arenal.os;

import dev.arenal.guard.StackSafeLock;

/**
 * A lock that a thread waits for with another lock held. A virtual thread stays on its carrier
 * while it waits: it sleeps inside the kernel, for a second at most (ADR 0061).
 *
 * <p>If it left its carrier, it would leave the other lock held. Threads that native code has
 * called back cannot leave their carriers. If they wait for the other lock on all carriers, none is
 * left for the thread that holds it, and all of them wait for ever.
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
    long startNanos = System.nanoTime();
    boolean isLocked = false;
    while (!isLocked && staysOnCarrier(startNanos)) {
      sleepMoment();
      isLocked = tryLock();
    }
    return isLocked;
  }

  /** Takes the lock for a thread that has no other one: a virtual one leaves its carrier. */
  public final void lockAlone() {
    int holds = getHoldCount();
    try {
      if (!tryLock()) {
        lockWaiting();
      }
    } catch (VirtualMachineError e) { // as in lock()
      unlockTo(holds);
      throw e;
    }
  }

  /**
   * Whether a thread that has waited since then, with a lock held, stays on its carrier: a virtual
   * one does, and sleeps for a moment each time, for a second.
   */
  public static boolean staysOnCarrier(long startNanos) {
    return Thread.currentThread().isVirtual() && System.nanoTime() - startNanos < MOST_SLEEP_NANOS;
  }

  /** Sleeps inside the kernel for some 100 microseconds. */
  public static void sleepMoment() {
    KernelCalls.sleepMoment();
  }
}
