package dev.arenal.micrometer;

import dev.arenal.memory.Budget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * All owners of one kind and name: of two meters with the same tags a registry drops the second.
 *
 * <p>The meters of a group share their figures. These are read again after a second at the
 * earliest, and after a hundred times the duration of the last read, so that scrapes cost at most a
 * hundredth of a processor. Resident bytes are read separately and less often, because the kernel
 * looks at each page. A thread that comes while another one reads gets the figures of the read
 * before.
 */
final class Group {
  private static final long LEAST_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LEAST_RESIDENT_AGE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long AGE_FACTOR = 100;

  /** Longer than any scrape takes. */
  private static final long LINGER_NANOS = TimeUnit.MINUTES.toNanos(1);

  final String kind;
  final String name;

  private final LongSupplier clockNanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as all below but the volatile fields. */
  private final List<Source<?>> sources = new ArrayList<>();

  /** The counts of closed owners. */
  private Figures past = Figures.NONE;

  /** Whether there has been an owner that was not closed. */
  private boolean hasServed;

  private volatile boolean isEmpty;

  /** When the last of them was found to be closed. */
  private long emptySinceNanos;

  private volatile Figures figures = Figures.NONE;
  private volatile long dueNanos;
  private volatile boolean isOver;

  /** Held while the kernel is asked. */
  private final ReentrantLock residentLock = new ReentrantLock();

  private volatile double residentBytes = Double.NaN;
  private volatile long residentDueNanos;

  /** Whether there is a meter of the limit. Written under the monitor of {@link ArenalMetrics}. */
  volatile boolean hasLimit;

  Group(String kind, String name, LongSupplier clockNanos) {
    this.kind = kind;
    this.name = name;
    this.clockNanos = clockNanos;
    this.dueNanos = clockNanos.getAsLong();
    this.residentDueNanos = dueNanos;
  }

  /** False if the group is over: it is not used again. */
  boolean add(Source<?> source) {
    lock.lock();
    try {
      if (isOver) {
        return false;
      }
      // One that is closed has nothing to add, and its counts may be in the past already.
      boolean isClosed = hasServed && source.read() == null;
      if (!isClosed && sources.stream().noneMatch(source::isSameAs)) {
        sources.add(source);
      }
      read();
      return !isOver;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether all owners have been closed or collected for a minute, as far as is known. Not at once:
   * a scrape of a Prometheus registry during which meters are removed, and others of the same name
   * are added, would have them twice.
   */
  boolean isOver() {
    return isOver;
  }

  /** Whether a meter of the limit is missing. */
  boolean lacksLimit() {
    // The figures are read first, as isEmpty is written first: a group without an owner has none.
    return !hasLimit && figures.limitBytes() != Long.MAX_VALUE && !isEmpty;
  }

  /** The current figures, or recent ones. */
  Figures figures() {
    if (clockNanos.getAsLong() - dueNanos >= 0 && lock.tryLock()) {
      try {
        if (clockNanos.getAsLong() - dueNanos >= 0) {
          read();
        }
      } finally {
        lock.unlock();
      }
    }
    return figures;
  }

  /**
   * Resident bytes, as they are now or were some seconds ago; NaN if they are not known. A closed
   * owner has none, whatever was read before.
   */
  double residentBytes() {
    if (isEmpty) {
      return 0;
    }
    if (clockNanos.getAsLong() - residentDueNanos >= 0 && residentLock.tryLock()) {
      try {
        if (clockNanos.getAsLong() - residentDueNanos >= 0) {
          askKernel();
        }
      } finally {
        residentLock.unlock();
      }
    }
    return residentBytes;
  }

  /** Without the lock: others read and add meanwhile. */
  private void askKernel() {
    long startNanos = clockNanos.getAsLong();
    double sum = 0;
    for (Source<?> source : copyOfSources()) {
      long sizeBytes = source.residentBytes();
      sum += sizeBytes < 0 ? Double.NaN : sizeBytes;
    }
    residentBytes = sum;
    long nowNanos = clockNanos.getAsLong();
    residentDueNanos =
        nowNanos + Math.max(LEAST_RESIDENT_AGE_NANOS, AGE_FACTOR * (nowNanos - startNanos));
  }

  private List<Source<?>> copyOfSources() {
    lock.lock();
    try {
      return List.copyOf(sources);
    } finally {
      lock.unlock();
    }
  }

  /** Owners of one budget have its limit once, in common. */
  private static long limitBytes(Map<Budget, Long> mostBytes) {
    long sumBytes = 0;
    for (Map.Entry<Budget, Long> most : mostBytes.entrySet()) {
      sumBytes = Figures.sum(sumBytes, Math.min(most.getValue(), most.getKey().limitBytes()));
    }
    return sumBytes;
  }

  private void read() {
    long startNanos = clockNanos.getAsLong();
    Figures sum = Figures.NONE;
    Map<Budget, Long> mostBytes = new HashMap<>(); // by budget: no budget is equal to another one
    for (Iterator<Source<?>> all = sources.iterator(); all.hasNext(); ) {
      Source<?> source = all.next();
      Budget budget = source.budget();
      Figures now = source.read();
      if (now == null) {
        past = past.plus(source.last.counted());
        all.remove();
      } else {
        source.last = now;
        sum = sum.plus(now);
        if (budget != null) {
          var _ = mostBytes.merge(budget, now.limitBytes(), Figures::sum);
        }
      }
    }
    isEmpty = sources.isEmpty(); // first: they have no limit
    figures = sum.plus(past).withLimit(limitBytes(mostBytes));
    long nowNanos = clockNanos.getAsLong();
    if (!isEmpty) {
      hasServed = true;
      emptySinceNanos = nowNanos;
    } else {
      isOver = !hasServed || nowNanos - emptySinceNanos >= LINGER_NANOS;
    }
    dueNanos = nowNanos + Math.max(LEAST_AGE_NANOS, AGE_FACTOR * (nowNanos - startNanos));
  }
}
