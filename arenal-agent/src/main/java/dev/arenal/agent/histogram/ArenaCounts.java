package dev.arenal.agent.histogram;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counters of this JVM's threads. */
public final class ArenaCounts {
  /** Virtual threads share these by their number; threads with numbers in a row are apart. */
  private static final int COUNT_SHARED =
      Integer.highestOneBit(Math.max(1, Runtime.getRuntime().availableProcessors())) * 4;

  private static final Counters[] SHARED = shared();
  private static final ThreadLocal<@Nullable Counters> OWN = new ThreadLocal<>();

  private static final Object LOCK = new Object();

  /** By thread number: a thread whose locals were cleared, as pools do, finds its counters here. */
  private static final Map<Long, ThreadEntry> THREADS = new HashMap<>();

  private static final long[] ENDED = new long[Counters.COUNT];
  private static int sweepAt = 64;

  /** Does not keep a thread that has ended, nor the class loader it may hold. */
  private record ThreadEntry(WeakReference<Thread> thread, Counters counters) {
    boolean hasEnded() {
      Thread alive = thread.get();
      return alive == null || !alive.isAlive();
    }
  }

  private ArenaCounts() {}

  private static Counters[] shared() {
    Counters[] all = new Counters[COUNT_SHARED];
    for (int i = 0; i < all.length; i++) {
      all[i] = new Counters(true);
    }
    return all;
  }

  /** The counters for an arena of the current thread. */
  static Counters ofThisThread() {
    Thread thread = Thread.currentThread();
    if (thread.isVirtual()) {
      return SHARED[(int) thread.threadId() & (COUNT_SHARED - 1)];
    }
    Counters own = OWN.get();
    return own == null ? registered(thread) : own;
  }

  private static Counters registered(Thread thread) {
    Counters counters;
    synchronized (LOCK) {
      ThreadEntry known = THREADS.get(thread.threadId());
      if (known == null && THREADS.size() >= sweepAt) {
        sweep();
        sweepAt = Math.max(64, 2 * THREADS.size());
      }
      if (known == null) {
        known = new ThreadEntry(new WeakReference<>(thread), new Counters(false));
        THREADS.put(thread.threadId(), known);
      }
      counters = known.counters();
    }
    OWN.set(counters);
    return counters;
  }

  /** Keeps the figures of threads that have ended and nothing else of them. */
  private static void sweep() {
    for (Iterator<ThreadEntry> all = THREADS.values().iterator(); all.hasNext(); ) {
      ThreadEntry entry = all.next();
      if (entry.hasEnded()) {
        entry.counters().addTo(ENDED);
        all.remove();
      }
    }
  }

  /** Everything counted so far; arenas that are being closed meanwhile may be in it or not. */
  public static HistogramData snapshot() {
    long[] sums;
    synchronized (LOCK) {
      sums = ENDED.clone();
      THREADS.values().forEach(entry -> entry.counters().addTo(sums));
    }
    for (Counters counters : SHARED) {
      counters.addTo(sums);
    }
    return HistogramData.ofCounters(sums);
  }
}
