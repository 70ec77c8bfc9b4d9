package dev.arenal.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread that makes memory ready for all spaces that grow fast.
 *
 * <p>It starts with the first that does, polls for some microseconds after each piece of work, and
 * sleeps when no space is hot; a while later it gives back what nobody took. It holds on to a space
 * only until then.
 */
final class TouchThread implements Runnable {
  private static final long SPIN_NANOS = 30_000;

  /** After this long without work nothing stays ready. */
  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final ConcurrentLinkedQueue<TouchAhead> REQUESTS = new ConcurrentLinkedQueue<>();

  private final List<TouchAhead> active = new ArrayList<>();

  /** Written by the thread, read by who has put something into the queue; both after a fence. */
  private volatile boolean parked;

  private static final class Holder {
    static final TouchThread INSTANCE = new TouchThread();
    static final Thread THREAD = Thread.ofPlatform().daemon().name("arenal-touch").start(INSTANCE);
  }

  private TouchThread() {}

  /** Has the thread look at a space. */
  static void request(TouchAhead space) {
    REQUESTS.add(space);
    Thread thread = Holder.THREAD;
    if (Holder.INSTANCE.parked) {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void run() {
    while (true) {
      TouchAhead space = poll();
      if (space == null) {
        sleep();
      } else {
        serveSafely(space);
      }
    }
  }

  /** A space that breaks gets no help any more; the others do. */
  private void serveSafely(TouchAhead space) {
    try {
      serve(space);
    } catch (Throwable e) {
      active.remove(space);
    }
  }

  private void serve(TouchAhead space) {
    if (!active.contains(space)) {
      active.add(space);
    }
    if (space.step()) {
      REQUESTS.add(space); // behind the others
    }
  }

  private static @Nullable TouchAhead poll() {
    TouchAhead space = REQUESTS.poll();
    if (space == null) {
      long endNanos = System.nanoTime() + SPIN_NANOS;
      do {
        Thread.onSpinWait();
        space = REQUESTS.poll();
      } while (space == null && System.nanoTime() < endNanos);
    }
    return space;
  }

  private void sleep() {
    parked = true;
    // The queue again, after the write that requests look at: one of us sees the other.
    if (REQUESTS.isEmpty()) {
      if (active.isEmpty()) {
        LockSupport.park(this);
      } else {
        LockSupport.parkNanos(this, IDLE_NANOS);
      }
    }
    parked = false;
    if (!active.isEmpty() && REQUESTS.isEmpty()) {
      active.forEach(space -> space.revokeDownTo(0));
      active.clear();
    }
  }
}
