package dev.arenal.memory;

import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * An upper limit on committed memory, shared by everything it is given to.
 *
 * <p>HotSpot's commit limiter as an object: any number of spaces, allocators and memory of the
 * program's own can count against one budget. Thread-safe; a commit costs one compare-and-set.
 */
public final class Budget {
  private final String name;
  private final long limitBytes;
  private final AtomicLong committedBytes = new AtomicLong();

  /** Threads that are just calling reclaimers of this budget. */
  private final Set<Thread> reclaiming = ConcurrentHashMap.newKeySet();

  /** Weak: a budget outlives the spaces that use it, and must not keep them alive. */
  private final CopyOnWriteArrayList<WeakReference<LongSupplier>> reclaimers =
      new CopyOnWriteArrayList<>();

  private Budget(String name, long limitBytes) {
    this.name = Objects.requireNonNull(name, "name");
    this.limitBytes = limitBytes;
  }

  /**
   * A budget of {@code limitBytes} bytes.
   *
   * @throws IllegalArgumentException if the limit is negative
   */
  public static Budget limitedTo(String name, long limitBytes) {
    if (limitBytes < 0) {
      throw new IllegalArgumentException(
          "budget limit is negative: budget=" + name + ", limitBytes=" + limitBytes);
    }
    return new Budget(name, limitBytes);
  }

  /** A budget that counts and never refuses. */
  public static Budget unlimited(String name) {
    return new Budget(name, Long.MAX_VALUE);
  }

  /** The name that errors and reports show. */
  public String name() {
    return name;
  }

  /** The limit in bytes; {@link Long#MAX_VALUE} if there is none. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Whether this budget can refuse at all. */
  public boolean isLimited() {
    return limitBytes != Long.MAX_VALUE;
  }

  /** Bytes committed against this budget now. */
  public long committedBytes() {
    return committedBytes.get();
  }

  /** Bytes that could still be committed; {@link Long#MAX_VALUE} if there is no limit. */
  public long availableBytes() {
    return isLimited() ? limitBytes - committedBytes.get() : Long.MAX_VALUE;
  }

  /**
   * Counts {@code sizeBytes} more bytes as committed if the limit allows it.
   *
   * @return false if it does not; nothing has changed then
   * @throws IllegalArgumentException if the size is negative
   */
  public boolean tryCommit(long sizeBytes) {
    requireNotNegative(sizeBytes);
    long current = committedBytes.get();
    while (sizeBytes <= limitBytes - current) {
      long witness = committedBytes.compareAndExchange(current, current + sizeBytes);
      if (witness == current) {
        return true;
      }
      current = witness;
    }
    return false;
  }

  /**
   * Counts {@code sizeBytes} bytes as no longer committed.
   *
   * @throws IllegalArgumentException if the size is negative
   * @throws IllegalStateException if less than that is committed; nothing has changed then
   */
  public void uncommit(long sizeBytes) {
    requireNotNegative(sizeBytes);
    long current = committedBytes.get();
    while (sizeBytes <= current) {
      long witness = committedBytes.compareAndExchange(current, current - sizeBytes);
      if (witness == current) {
        return;
      }
      current = witness;
    }
    throw new IllegalStateException(
        "uncommit exceeds what is committed: budget="
            + name
            + ", committedBytes="
            + current
            + ", requestedBytes="
            + sizeBytes);
  }

  /**
   * Asks {@code reclaimer} when a commit is refused: something that holds committed memory it could
   * do without, such as a reserve or a cache.
   *
   * <p>It may call anything of Arenal: free and trim, allocate, close arenas and spaces. But what
   * it does must not need reclaimers itself: none is called for a thread that is in one already, so
   * that what it asks for is refused where the budget has no room. And it must not close the arena
   * that asks, whose allocation ends with an {@code IllegalStateException} then.
   *
   * @param reclaimer gives back what is not needed now and answers how many bytes that was; is
   *     called without any lock of Arenal held, by the thread whose commit was refused. Exceptions
   *     that it throws are logged. Held weakly: keep a reference to it.
   */
  public void addReclaimer(LongSupplier reclaimer) {
    Objects.requireNonNull(reclaimer, "reclaimer");
    for (WeakReference<LongSupplier> reference : reclaimers) {
      if (reference.get() == null) {
        reclaimers.remove(reference);
      }
    }
    reclaimers.add(new WeakReference<>(reclaimer));
  }

  /** Undoes {@link #addReclaimer}; no effect if it is not known. */
  public void removeReclaimer(LongSupplier reclaimer) {
    reclaimers.removeIf(reference -> {
      LongSupplier known = reference.get();
      return known == null || known.equals(reclaimer);
    });
  }

  /**
   * Asks all reclaimers to give back memory that they do not need. The caller must hold no lock
   * that a reclaimer may take.
   *
   * @return bytes given back; 0 if the calling thread is in a reclaimer of this budget
   */
  public long reclaim() {
    Thread thread = Thread.currentThread();
    if (reclaimers.isEmpty() || reclaiming.contains(thread)) {
      return 0;
    }
    try {
      reclaiming.add(thread); // here: a set that cannot grow has the thread, and throws
      long sizeBytes = 0;
      for (WeakReference<LongSupplier> reference : reclaimers) {
        LongSupplier reclaimer = reference.get();
        long givenBackBytes = reclaimer == null ? 0 : ask(reclaimer);
        sizeBytes += Math.clamp(givenBackBytes, 0, Long.MAX_VALUE - sizeBytes);
      }
      return sizeBytes;
    } finally {
      reclaiming.remove(thread);
    }
  }

  /** It is the program's code: an error of one does not keep the others from being asked. */
  private long ask(LongSupplier reclaimer) {
    try {
      return reclaimer.getAsLong();
    } catch (Throwable e) {
      try {
        System.getLogger("dev.arenal")
            .log(System.Logger.Level.WARNING, "reclaimer has failed: budget=" + name, e);
      } catch (Throwable again) {
        return 0; // the heap or the stack has ended: there is nothing to log with
      }
      return 0;
    }
  }

  @Override
  public String toString() {
    String limit = isLimited() ? Long.toString(limitBytes) : "none";
    return "Budget[name="
        + name
        + ", limitBytes="
        + limit
        + ", committedBytes="
        + committedBytes
        + "]";
  }

  private void requireNotNegative(long sizeBytes) {
    if (sizeBytes < 0) {
      throw new IllegalArgumentException(
          "size is negative: budget=" + name + ", sizeBytes=" + sizeBytes);
    }
  }
}
