package dev.arenal.guard;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that is neither kept nor waited for without end where the stack of a thread ends inside of
 * it, as far as the stack still allows.
 *
 * <p>{@link ReentrantLock#lock} has a reserved stack area (JEP 270): where the stack ends inside,
 * the lock is taken nevertheless, and {@link StackOverflowError} is thrown afterwards. The caller
 * has not come to its {@code try} then, and the lock would not be given back. Here it is given back
 * before the error goes on. That takes a call or two, which may find no stack either: so an
 * operation asks {@link StackReserve} first. One that takes the lock by {@link #tryLock} has to.
 *
 * <p>The call that wakes up the next thread is not in that area: {@link ReentrantLock#unlock} gives
 * the lock back and may end before it has done so, and a thread that ends while it waits stays in
 * the queue and takes the wake-ups of those behind it. So a thread that waits looks again now and
 * then.
 */
public class StackSafeLock extends ReentrantLock {
  private static final long serialVersionUID = 1;

  /** A lost wake-up costs no more than that; nothing where none is lost. */
  private static final long LONGEST_WAIT_NANOS = 20_000_000;

  /** A free lock, which is unfair: the threads that wait longest need not get it first. */
  public StackSafeLock() {}

  @Override
  public void lock() {
    int holds = getHoldCount();
    try {
      if (!tryLock() && !lockBeforeParking()) {
        lockWaiting();
      }
    } catch (VirtualMachineError e) { // with a full Java heap the end of the stack is another one
      unlockTo(holds);
      throw e;
    }
  }

  /** Whether the lock was got in another way than by parking, which comes next. */
  protected boolean lockBeforeParking() {
    return false;
  }

  /** Parks; not interruptible. */
  protected final void lockWaiting() {
    boolean isInterrupted = false;
    try {
      while (true) {
        isInterrupted |= Thread.interrupted(); // else the call would make an exception
        try {
          if (tryLock(LONGEST_WAIT_NANOS, NANOSECONDS)) {
            return;
          }
        } catch (InterruptedException e) {
          isInterrupted = true;
        } catch (OutOfMemoryError e) { // the Java heap has no room for that exception
          if (!StackReserve.isThereShort()) {
            throw e; // or it is the end of the stack
          }
          isInterrupted = true;
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Called when a thread has the lock again after it has waited for a condition. */
  public void afterWait() {}

  /** Releases the lock until the current thread holds it a given number of times. */
  protected final void unlockTo(int holds) {
    while (getHoldCount() > holds) {
      unlock();
    }
  }
}
