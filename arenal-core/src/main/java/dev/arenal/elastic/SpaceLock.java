package dev.arenal.elastic;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The lock of a space. It is held for a microsecond at most, far less than it takes to put a thread
 * to sleep and wake it again: so a thread polls for that long before it goes to sleep.
 */
final class SpaceLock extends ReentrantLock {
  private static final long serialVersionUID = 1;
  private static final int SPINS = 100;

  @Override
  public void lock() {
    for (int i = 0; i < SPINS; i++) {
      if (tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    super.lock();
  }
}
