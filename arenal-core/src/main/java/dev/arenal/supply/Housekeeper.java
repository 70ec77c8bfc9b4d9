package dev.arenal.supply;

import dev.arenal.guard.DaemonThreads;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread that gives idle memory back, for all spaces and page allocators. It keeps
 * none alive, starts with the first that has something to give back, and ends a second after the
 * last.
 *
 * <p>An error of one owner, a full Java heap most likely, delays that owner and does not stop the
 * others.
 */
public final class Housekeeper implements Runnable {
  /** Returned by a tick that wants no other. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * How long the thread waits for the next owner, and at most until it notices that an owner is
   * closed.
   */
  private static final long STAY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final long TRY_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Guarded by itself, after which nothing is taken. */
  private static final List<Entry> ENTRIES = new ArrayList<>();

  private static @Nullable Thread thread;

  private Housekeeper() {}

  /** An owner of memory. */
  public interface Owner {
    /**
     * Gives back what is due; called with no lock held. If it ends by an error, it is called again
     * a tenth of a second later.
     *
     * @return nanoseconds until it is to be called again, or {@link #NEVER}
     */
    long tick();

    /** Whether it will never give anything back any more; must not wait. */
    boolean isOver();
  }

  /** The schedule entry of one owner. Its fields are guarded by the list. */
  public static final class Entry extends WeakReference<Owner> {
    private long dueNanos;
    private boolean isListed;
    private boolean isScheduled;

    /** Makes the entry of an owner that has nothing to give back yet. */
    public Entry(Owner owner) {
      super(owner);
    }

    /**
     * Has the owner called after a delay, or earlier if it will be anyway; by any thread, without
     * any lock.
     *
     * @throws OutOfMemoryError if the Java heap is full or the thread cannot be started; nothing
     *     has changed then
     */
    public void schedule(long delayNanos) {
      long nanos = System.nanoTime() + delayNanos;
      synchronized (ENTRIES) {
        boolean isFirst = !isListed;
        boolean isDone = false;
        if (isFirst) {
          ENTRIES.add(this);
        }
        try {
          start();
          isDone = true;
        } finally {
          if (isFirst && !isDone) {
            ENTRIES.remove(this);
          }
        }
        dueNanos = isFirst || nanos - dueNanos < 0 ? nanos : dueNanos;
        isListed = true;
        isScheduled = true;
        ENTRIES.notifyAll(); // it may be due earlier than the others
      }
    }

    private boolean isGone() {
      Owner owner = get();
      return owner == null || owner.isOver();
    }
  }

  private static void start() {
    if (thread == null || !thread.isAlive()) {
      Thread started = DaemonThreads.unstarted("arenal-housekeeper", new Housekeeper());
      started.start();
      thread = started;
    }
  }

  @Override
  public void run() {
    while (!ends()) {
      Entry due = next();
      if (due != null) {
        serve(due);
      }
    }
  }

  /** Lets go of owners that are gone; ends where none comes in the time that the thread stays. */
  private static boolean ends() {
    synchronized (ENTRIES) {
      dropGone();
      if (ENTRIES.isEmpty()) {
        sleep(STAY_NANOS);
      }
      if (ENTRIES.isEmpty()) {
        thread = null;
      }
      return ENTRIES.isEmpty();
    }
  }

  /** By index, here and below: an iterator needs the Java heap. */
  private static void dropGone() {
    for (int i = ENTRIES.size() - 1; i >= 0; i--) {
      if (ENTRIES.get(i).isGone()) {
        ENTRIES.remove(i).isListed = false;
      }
    }
  }

  /**
   * The owner that is due for longest, or null after some sleep. One whose work takes as long as
   * its period is due again at once, and must not keep the others from having their turn.
   */
  private static @Nullable Entry next() {
    synchronized (ENTRIES) {
      long nowNanos = System.nanoTime();
      long leastNanos = STAY_NANOS;
      Entry next = null;
      for (int i = 0; i < ENTRIES.size(); i++) {
        Entry entry = ENTRIES.get(i);
        long restNanos = entry.dueNanos - nowNanos;
        if (restNanos < leastNanos) {
          leastNanos = restNanos;
          next = entry;
        }
      }
      if (next == null || leastNanos > 0) {
        sleep(leastNanos);
        return null;
      }
      next.isScheduled = false;
      return next;
    }
  }

  @SuppressWarnings("WaitNotInLoop") // the thread looks again
  private static void sleep(long nanos) {
    try {
      TimeUnit.NANOSECONDS.timedWait(ENTRIES, nanos);
    } catch (InterruptedException | OutOfMemoryError e) {
      // No code has a reason to interrupt it, and a full Java heap is no reason to end; go on.
      Thread.onSpinWait();
    }
  }

  private static void serve(Entry entry) {
    Owner owner = entry.get();
    long delayNanos = owner == null ? NEVER : tick(owner);
    synchronized (ENTRIES) {
      if (delayNanos != NEVER) {
        entry.dueNanos = System.nanoTime() + delayNanos;
      } else if (!entry.isScheduled) { // by another thread, during the tick
        ENTRIES.remove(entry);
        entry.isListed = false;
      }
    }
  }

  private static long tick(Owner owner) {
    try {
      return owner.tick();
    } catch (Throwable e) {
      return TRY_AGAIN_NANOS; // the Java heap is full, most likely
    }
  }
}
