package dev.arenal.elastic;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread that ticks for all spaces that have a delay. It keeps none alive, starts
 * with the first that has something to give back, and ends a second after the last.
 */
final class TrimThread implements Runnable {
  /** So long it stays for the next, and so long it may take until it sees that a space is gone. */
  private static final long STAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Guarded by itself, after which nothing is taken. */
  private static final List<Due> DUE = new ArrayList<>();

  private static @Nullable Thread thread;

  private TrimThread() {}

  /** A space that waits for its tick: in the list until its trimmer wants no more. */
  private static final class Due extends WeakReference<Trimmer> {
    long atNanos;

    Due(Trimmer trimmer) {
      super(trimmer);
    }

    boolean isGone() {
      Trimmer trimmer = get();
      return trimmer == null || trimmer.isOver();
    }
  }

  /**
   * Has the thread tick after a delay, unless it will anyway; without any lock.
   *
   * @throws OutOfMemoryError if the Java heap is full or the thread cannot be started
   */
  static void add(Trimmer trimmer) {
    Due due = new Due(trimmer);
    due.atNanos = System.nanoTime() + trimmer.delayNanos();
    synchronized (DUE) {
      if (trimmer.isScheduled) {
        return;
      }
      DUE.add(due);
      boolean isServed = false;
      try {
        start();
        DUE.notifyAll(); // it may be due earlier than the others
        isServed = true;
      } finally {
        if (!isServed) {
          DUE.remove(due);
        }
      }
      trimmer.isScheduled = true;
    }
  }

  private static void start() {
    if (thread == null || !thread.isAlive()) {
      Thread started =
          Thread.ofPlatform()
              .daemon()
              .name("arenal-uncommit")
              .inheritInheritableThreadLocals(false)
              .unstarted(new TrimThread());
      started.setContextClassLoader(null); // of the first caller: it may be a plugin's
      started.start();
      thread = started;
    }
  }

  @Override
  public void run() {
    while (!ends()) {
      Due due = next();
      if (due != null) {
        serve(due);
      }
    }
  }

  /** Lets go of spaces that are gone; ends where none comes in the time that the thread stays. */
  private static boolean ends() {
    synchronized (DUE) {
      dropGone();
      if (DUE.isEmpty()) {
        sleep(STAY_NANOS);
      }
      if (DUE.isEmpty()) {
        thread = null;
      }
      return DUE.isEmpty();
    }
  }

  /** By index, here and below: an iterator needs the Java heap. */
  private static void dropGone() {
    for (int i = DUE.size() - 1; i >= 0; i--) {
      if (DUE.get(i).isGone()) {
        DUE.remove(i);
      }
    }
  }

  /** A space whose delay has passed, or null after some sleep. */
  private static @Nullable Due next() {
    synchronized (DUE) {
      long nowNanos = System.nanoTime();
      long leastNanos = STAY_NANOS;
      for (int i = 0; i < DUE.size(); i++) {
        long restNanos = DUE.get(i).atNanos - nowNanos;
        if (restNanos <= 0) {
          return DUE.get(i);
        }
        leastNanos = Math.min(leastNanos, restNanos);
      }
      sleep(leastNanos);
      return null;
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the thread looks again
  private static void sleep(long nanos) {
    try {
      TimeUnit.NANOSECONDS.timedWait(DUE, nanos);
    } catch (InterruptedException | OutOfMemoryError e) {
      // Nobody has a reason to interrupt it, and a full Java heap is none to end; go on.
      Thread.onSpinWait();
    }
  }

  private static void serve(Due due) {
    Trimmer trimmer = due.get();
    boolean again = trimmer != null && ticksAgain(trimmer);
    synchronized (DUE) {
      if (trimmer != null && again) {
        due.atNanos = System.nanoTime() + trimmer.delayNanos();
      } else {
        DUE.remove(due);
      }
    }
  }

  private static boolean ticksAgain(Trimmer trimmer) {
    try {
      return trimmer.tick();
    } catch (Throwable e) {
      return true; // the Java heap is full, most likely: after another delay
    }
  }
}
