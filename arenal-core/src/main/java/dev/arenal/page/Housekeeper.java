package dev.arenal.page;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread that gives memory back for all page allocators. It keeps none alive, and
 * ends when there is none.
 */
final class Housekeeper implements Runnable {
  private static final long LONGEST_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long SHORTEST_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A delay is kept to within an eighth of it. */
  private static final int PERIODS_PER_DELAY = 8;

  private static final List<WeakReference<PageState>> ALLOCATORS = new ArrayList<>();
  private static @Nullable Thread thread;

  private Housekeeper() {}

  /** Looks after an allocator from now on, until it is closed or lost. */
  static void add(PageState state) {
    synchronized (ALLOCATORS) {
      ALLOCATORS.add(new WeakReference<>(state));
      if (thread == null || !thread.isAlive()) { // it may not have come to its first instruction
        Thread started =
            Thread.ofPlatform()
                .daemon()
                .name("arenal-pages")
                .inheritInheritableThreadLocals(false)
                .unstarted(new Housekeeper());
        started.setContextClassLoader(null); // of the first caller: it may be a plugin's
        started.start();
        thread = started;
      } else {
        ALLOCATORS.notifyAll(); // its period may be shorter
      }
    }
  }

  @Override
  public void run() {
    long periodNanos = SHORTEST_PERIOD_NANOS;
    boolean goesOn = true;
    while (goesOn) {
      try {
        goesOn = sleep(periodNanos);
        periodNanos = goesOn ? tickAll() : 0;
      } catch (Throwable e) {
        // The Java heap is full. All of them need this thread again when it is not.
        periodNanos = LONGEST_PERIOD_NANOS;
      }
    }
  }

  /** Returns whether there is anything left to look after. */
  private static boolean sleep(long nanos) {
    synchronized (ALLOCATORS) {
      try {
        TimeUnit.NANOSECONDS.timedWait(ALLOCATORS, nanos);
      } catch (InterruptedException e) {
        // Nobody has a reason to; go on.
      }
      ALLOCATORS.removeIf(reference -> isGone(reference.get()));
      if (ALLOCATORS.isEmpty()) {
        thread = null;
      }
      return thread != null;
    }
  }

  private static boolean isGone(@Nullable PageState state) {
    return state == null || state.isReleased();
  }

  /** Returns how long to sleep. */
  private static long tickAll() {
    List<WeakReference<PageState>> references;
    synchronized (ALLOCATORS) {
      references = List.copyOf(ALLOCATORS);
    }
    long shortestNanos = LONGEST_PERIOD_NANOS;
    for (WeakReference<PageState> reference : references) {
      PageState state = reference.get();
      if (state != null) {
        shortestNanos = Math.min(shortestNanos, state.uncommitDelayNanos() / PERIODS_PER_DELAY);
        tick(state);
      }
    }
    return Math.max(shortestNanos, SHORTEST_PERIOD_NANOS);
  }

  private static void tick(PageState state) {
    try {
      state.tick(System.nanoTime());
    } catch (Throwable e) {
      // A full heap, most likely. Memory goes back later then; others must not wait for it.
      Thread.onSpinWait();
    }
  }
}
