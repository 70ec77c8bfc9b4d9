package dev.arenal.stats.recorder;

import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One row that is being recorded. Guarded by the lock of the recorder, except where it says. */
abstract sealed class Row {
  final String group;
  final String name;
  final StatisticsUnit unit;
  final History history = new History();

  /** Seconds of its recorder that it has taken, or that were over when it came. */
  long takenSeconds;

  /** Whether its end is complete. */
  boolean isFrozen;

  private Row(String group, String name, StatisticsUnit unit) {
    this.group = group;
    this.name = name;
    this.unit = unit;
  }

  /**
   * Asks the owner of the row for its total, without any lock held: the owner may need its own. The
   * result is handed to the methods below.
   */
  abstract long read();

  /**
   * Takes what has come since the last time as that many seconds.
   *
   * @param fraction how much of the time since then those seconds are; 1 unless the tick is late
   */
  abstract void take(long read, long secondCount, double fraction);

  /** Takes the seconds that are over and were not taken yet, whatever ended an earlier attempt. */
  final void takeUntil(long seconds, long read, long lateNanos) {
    long newSeconds = seconds - takenSeconds;
    if (newSeconds > 0) {
      double newNanos = newSeconds * StatisticsRecorder.SECOND_NANOS;
      boolean isLate = lateNanos >= StatisticsRecorder.ON_TIME_NANOS;
      take(read, newSeconds, isLate ? newNanos / (newNanos + lateNanos) : 1);
    }
  }

  /** Adds a second, for which the history is prepared. */
  final void addSecond(Tally second) {
    history.addSecond(second);
    takenSeconds++;
  }

  /** The change since then. */
  abstract long pending(long read);

  /** The end: asks the owner no more. */
  abstract void freeze(long read);

  StatisticsRow toStatisticsRow(long read) {
    return new StatisticsRow(
        group,
        name,
        unit,
        history.last10s(),
        history.last10m(),
        history.last10h(),
        history.total(),
        pending(read));
  }

  /** Counts: the total grows, and what it grew by in a second is one sample. */
  static final class Counting extends Row {
    /** Null at the end. */
    private volatile @Nullable LongSupplier total;

    private long takenTotal;

    /** Written before the end is. */
    private long frozenTotal;

    Counting(String group, String name, StatisticsUnit unit, LongSupplier total) {
      super(group, name, unit);
      this.total = total;
      this.takenTotal = Math.max(0, read());
    }

    @Override
    long read() {
      LongSupplier asked = total;
      if (asked == null) {
        return frozenTotal;
      }
      try {
        return asked.getAsLong();
      } catch (RuntimeException e) {
        Log.rowFailed(this, e);
        return 0; // less than before: nothing has come
      }
    }

    /**
     * Spreads evenly what came in several seconds: a late sample knows no better, and all of it in
     * one second would be a maximum that never was.
     */
    @Override
    void take(long read, long secondCount, double fraction) {
      long pending = pending(read);
      long taken = fraction == 1 ? pending : Math.min(pending, Math.round(pending * fraction));
      long least = taken / secondCount;
      long moreCount = taken % secondCount;
      for (long i = secondCount; i > 0; i--) {
        long sample = i <= moreCount ? least + 1 : least;
        history.prepare(); // first: where the Java heap is full, what is left comes the next time
        Tally second = new Tally();
        second.add(1, sample, sample);
        takenTotal += sample;
        addSecond(second);
      }
    }

    /** A total that was read before another thread took a later one is less: nothing has come. */
    @Override
    long pending(long read) {
      return Math.max(0, read - takenTotal);
    }

    @Override
    void freeze(long read) {
      frozenTotal = Math.max(read, takenTotal);
      total = null;
    }
  }

  /** Values: all of a second together are one slot of the history. */
  static final class Sampling extends Row {
    private final Sampler sampler;
    private long frozenPending = -1;

    Sampling(String group, String name, StatisticsUnit unit, Sampler sampler) {
      super(group, name, unit);
      this.sampler = sampler;
    }

    @Override
    long read() {
      return 0;
    }

    /** A value is what it is, however late it is taken: all belong to the last second. */
    @Override
    void take(long read, long secondCount, double fraction) {
      for (long i = secondCount; i > 1; i--) {
        history.prepare(); // first: where the Java heap is full, nothing is lost
        addSecond(new Tally());
      }
      history.prepare();
      addSecond(sampler.drain());
    }

    @Override
    long pending(long read) {
      return frozenPending >= 0 ? frozenPending : sampler.peek().sum;
    }

    @Override
    void freeze(long read) {
      frozenPending = sampler.peek().sum;
    }
  }
}
