package dev.arenal.supply;

import dev.arenal.memory.Budget;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The threads of one owner that ask the others of its budget to give memory back. Since the budget
 * asks the owner too, it looks here first, and keeps its own cache.
 *
 * <p>Thread-safe.
 */
public final class ReclaimGuard {
  private final Set<Thread> reclaiming = ConcurrentHashMap.newKeySet();

  /** A guard that no thread has entered. */
  public ReclaimGuard() {}

  /**
   * Has the others of a budget give back what they can do without; no lock is held.
   *
   * @return bytes given back
   */
  public long reclaim(Budget budget) {
    Thread thread = Thread.currentThread();
    boolean isFirst = !reclaiming.contains(thread);
    try {
      reclaiming.add(thread); // here: a set that cannot grow has the thread, and throws
      return budget.reclaim();
    } finally {
      if (isFirst) {
        reclaiming.remove(thread);
      }
    }
  }

  /** Whether the calling thread is in {@link #reclaim}. */
  public boolean isReclaiming() {
    return reclaiming.contains(Thread.currentThread());
  }
}
