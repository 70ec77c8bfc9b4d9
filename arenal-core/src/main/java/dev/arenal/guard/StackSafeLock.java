package dev.arenal.guard;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that a thread whose stack ends while it is taken gives back, as far as the stack still
 * allows.
 *
 * <p>{@link ReentrantLock#lock} has a reserved stack area (JEP 270): where the stack ends inside,
 * the lock is taken all the same, and {@link StackOverflowError} is thrown afterwards. The caller
 * has not come to its {@code try} then, and nobody gives the lock back. Here it is given back
 * before the error goes on. That takes a call or two, which may find no stack either: so an
 * operation asks {@link StackReserve} first.
 */
public class StackSafeLock extends ReentrantLock {
  private static final long serialVersionUID = 1;

  /** A lock that nobody has, and that need not be given to those who wait longest. */
  public StackSafeLock() {}

  @Override
  public void lock() {
    int holds = getHoldCount();
    try {
      super.lock();
    } catch (StackOverflowError e) {
      unlockTo(holds);
      throw e;
    }
  }

  @Override
  public boolean tryLock() {
    int holds = getHoldCount();
    try {
      return super.tryLock();
    } catch (StackOverflowError e) {
      unlockTo(holds);
      throw e;
    }
  }

  /** Gives the lock back until the current thread has it so many times. */
  protected final void unlockTo(int holds) {
    while (getHoldCount() > holds) {
      unlock();
    }
  }
}
