package dev.arenal.elastic;

import dev.arenal.guard.Damage;
import dev.arenal.os.CarrierLock;

/**
 * The lock of a space. It is usually held for a microsecond, far less than it takes to put a thread
 * to sleep and wake it again: so a thread polls for that long before it goes to sleep. A report and
 * a verification hold it longer.
 *
 * <p>A thread that changes something that could be left half done says so before ({@link
 * #changing}) and after. If a change has not ended when the lock is taken next, the space is
 * damaged: that takes no call in the thread that could not go on, whose stack is at its end.
 */
final class SpaceLock extends CarrierLock {
  private static final long serialVersionUID = 1;
  private static final int SPINS = 100;

  private final transient Damage damage;

  /** Made at the beginning: later the heap may be full. */
  private final transient Error ended = new InternalError("a change has ended in the middle");

  /**
   * Something is half done; guarded by this lock. Waiting for a condition meanwhile is an error.
   */
  boolean changing;

  SpaceLock(Damage damage) {
    this.damage = damage;
  }

  @Override
  public void lock() {
    int holds = getHoldCount();
    try {
      lockAndLook();
    } catch (VirtualMachineError e) { // with a full Java heap the end of the stack is another one
      unlockTo(holds);
      throw e;
    }
  }

  private void lockAndLook() {
    for (int i = 0; i < SPINS; i++) {
      if (tryLock()) {
        look();
        return;
      }
      Thread.onSpinWait();
    }
    super.lock();
    look();
  }

  @Override
  public void afterWait() {
    look();
  }

  /** Notes damage if the thread that had the lock before has left something half done. */
  private void look() {
    if (changing && getHoldCount() == 1) {
      if (damage.cause == null) { // without a call, and first: it must not be forgotten
        damage.cause = ended;
      }
      changing = false;
    }
  }
}
