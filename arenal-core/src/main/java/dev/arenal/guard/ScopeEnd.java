package dev.arenal.guard;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The call that may end the scope of a shared arena: one at a time, so that the one that finds the
 * scope closed afterwards knows that it has ended it, and that all cleanup actions have run.
 *
 * <p><b>Threading:</b> any thread. No lock is held while cleanup actions run: they are the
 * program's code.
 */
public final class ScopeEnd {
  private static final VarHandle CALL;

  static {
    try {
      CALL = MethodHandles.lookup().findVarHandle(ScopeEnd.class, "call", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final Object CLOSE = "close";

  /** How long a call waits for the reset of another thread, whose cleanup actions go on. */
  private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A short reset is not waited for much longer than it takes, a long one not with many looks. */
  private static final long LEAST_PARK_NANOS = 1_000;

  private static final long MOST_PARK_NANOS = 1_000_000;

  private final Owner owner;

  /**
   * Null; or the thread that resets the arena; or a mark of a call that closes it, which stays if
   * the scope has ended. A field, so that a call that has failed to end the scope, or has begun
   * another one, can give way without a call: that might fail at the end of the stack.
   */
  public volatile @Nullable Object call;

  /** The arena. */
  public interface Owner {
    /** Whose scope is to end: that of the JDK inside. */
    Arena inner();

    /** For messages: name-value pairs. */
    String description();
  }

  /** No call yet. */
  public ScopeEnd(Owner owner) {
    this.owner = owner;
  }

  /**
   * Makes this call the one that may end the scope for good.
   *
   * <p>Waits for another call until that has ended the scope or has failed to: some instructions,
   * since the handshake and cleanup actions come after the death. If it was a close, this one is
   * refused then. If it was a reset, the arena lives on: its end is waited for, a second at most.
   *
   * @throws IllegalStateException if the arena is closed, or the wait was in vain, or this is a
   *     cleanup action of the reset
   */
  public void beginClose() {
    begin(CLOSE);
  }

  /**
   * Makes this call the one that may end the scope and begin another.
   *
   * @throws IllegalStateException as {@link #beginClose} does
   */
  public void beginReset() {
    begin(Thread.currentThread());
  }

  private void begin(Object own) {
    long startNanos = 0;
    while (!CALL.compareAndSet(this, null, own)) {
      startNanos = startNanos == 0 ? System.nanoTime() : startNanos;
      awaitTurn(startNanos);
    }
  }

  /**
   * Waits until there is no other call. A thread that is interrupted would not park, and keep its
   * processor from the other one; it is interrupted again before it tries to be the next, since
   * after that nothing may fail.
   */
  private void awaitTurn(long startNanos) {
    boolean isInterrupted = false;
    try {
      for (Object other = call; other != null; other = call) {
        long parkNanos = LEAST_PARK_NANOS;
        if (!owner.inner().scope().isAlive() && other.equals(call)) { // it is that call's end
          if (!(other instanceof Thread resetting)) {
            throw new IllegalStateException("Already closed"); // as the JDK says it
          }
          long waitedNanos = System.nanoTime() - startNanos;
          checkReset(resetting, waitedNanos);
          parkNanos = Math.clamp(waitedNanos / 4, LEAST_PARK_NANOS, MOST_PARK_NANOS);
        }
        isInterrupted |= Thread.interrupted();
        LockSupport.parkNanos(this, parkNanos);
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Throws where cleanup actions of a reset go on for too long. */
  private void checkReset(Thread resetting, long waitedNanos) {
    if (resetting.equals(Thread.currentThread()) || waitedNanos > MOST_WAIT_NANOS) {
      throw new IllegalStateException(
          "arena is being reset: "
              + owner.description()
              + ", thread="
              + resetting.getName()
              + " (its cleanup actions go on: close or reset the arena when they have ended)");
    }
  }
}
