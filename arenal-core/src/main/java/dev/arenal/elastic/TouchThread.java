package dev.arenal.elastic;

import dev.arenal.guard.DaemonThreads;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread that makes memory ready for all spaces that grow fast.
 *
 * <p>It starts with the first that does, polls for some microseconds after each piece of work,
 * sleeps when no space is hot, and ends when none has been for a second. Memory that a space has
 * ready goes back when it has not asked for a while; the thread holds on to a space only until
 * then.
 */
final class TouchThread implements Runnable {
  private static final long SPIN_NANOS = 30_000;

  /** After this long without a request nothing of a space stays ready. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * How long it waits for the next request: a thread that never ends would keep its class loader.
   */
  private static final long STAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final TouchThread INSTANCE = new TouchThread();

  private final ConcurrentLinkedQueue<TouchAhead> requests = new ConcurrentLinkedQueue<>();
  private final List<Active> active = new ArrayList<>();
  private @Nullable Thread thread;
  private volatile boolean parked;
  private long sweptNanos;

  /** A space that has been served lately. */
  private static final class Active {
    final TouchAhead space;
    long lastNanos;

    Active(TouchAhead space) {
      this.space = space;
    }
  }

  private TouchThread() {}

  /**
   * Has the thread look at a space.
   *
   * @throws OutOfMemoryError if the thread cannot be started
   */
  static void request(TouchAhead space) {
    // In this order: a thread that ends looks at the queue first, under the monitor.
    INSTANCE.requests.add(space);
    Thread started;
    try {
      started = INSTANCE.started();
    } catch (Throwable e) {
      var _ = INSTANCE.requests.remove(space);
      throw e;
    }
    if (INSTANCE.parked) {
      LockSupport.unpark(started);
    }
  }

  private synchronized Thread started() {
    Thread known = thread;
    if (known == null) {
      known = DaemonThreads.unstarted("arenal-touch", this);
      known.start();
      thread = known;
    }
    return known;
  }

  /** Whether it is not needed, and ends: the next request starts another one. */
  private synchronized boolean ends() {
    if (requests.isEmpty() && active.isEmpty()) {
      thread = null;
      return true;
    }
    return false;
  }

  @Override
  public void run() {
    while (true) {
      try {
        TouchAhead space = poll();
        if (space == null) {
          if (sleep() && ends()) {
            return;
          }
        } else {
          serve(space);
        }
        sweep();
      } catch (Throwable e) {
        // A full heap, most likely: what the space had on its way is put back; go on.
        Thread.onSpinWait();
      }
    }
  }

  private void serve(TouchAhead space) {
    boolean isServed = false;
    try {
      activeOf(space).lastNanos = System.nanoTime();
      if (space.step()) {
        requests.add(space); // behind the others
      }
      isServed = true;
    } finally {
      if (!isServed) {
        space.noteRequestFailed(); // or it would wait for an answer for ever
      }
    }
  }

  private Active activeOf(TouchAhead space) {
    for (Active known : active) {
      if (known.space == space) {
        return known;
      }
    }
    Active added = new Active(space);
    active.add(added);
    return added;
  }

  private @Nullable TouchAhead poll() {
    TouchAhead space = requests.poll();
    if (space == null) {
      long endNanos = System.nanoTime() + SPIN_NANOS;
      do {
        Thread.onSpinWait();
        space = requests.poll();
      } while (space == null && System.nanoTime() < endNanos);
    }
    return space;
  }

  /** Returns whether no space has been hot for as long as the thread stays. */
  private boolean sleep() {
    boolean wasIdle = false;
    parked = true;
    // The queue again, after the write that requests look at: one of us sees the other.
    if (requests.isEmpty()) {
      if (active.isEmpty()) {
        long startNanos = System.nanoTime();
        LockSupport.parkNanos(this, STAY_NANOS);
        wasIdle = System.nanoTime() - startNanos >= STAY_NANOS;
      } else {
        LockSupport.parkNanos(this, IDLE_NANOS);
      }
    }
    parked = false;
    return wasIdle;
  }

  /** Lets go of spaces that have not asked for a while. */
  private void sweep() {
    long nowNanos = System.nanoTime();
    if (active.isEmpty() || nowNanos - sweptNanos < IDLE_NANOS / 4) {
      return;
    }
    sweptNanos = nowNanos;
    for (Iterator<Active> spaces = active.iterator(); spaces.hasNext(); ) {
      Active each = spaces.next();
      if (nowNanos - each.lastNanos >= IDLE_NANOS) {
        revoke(each.space);
        spaces.remove();
      }
    }
  }

  /** On a full Java heap it is tried again. */
  private static void revoke(TouchAhead space) {
    try {
      var _ = space.revokeUnneeded(0);
    } catch (LinkageError e) {
      // The class loader was closed, as its spaces were, before the class was needed.
      Thread.onSpinWait();
    }
  }
}
