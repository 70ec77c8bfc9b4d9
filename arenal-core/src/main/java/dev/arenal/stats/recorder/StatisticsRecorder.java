package dev.arenal.stats.recorder;

import dev.arenal.guard.FirstUse;
import dev.arenal.guard.StackReserve;
import dev.arenal.stats.StatisticsMXBean;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsTable;
import dev.arenal.stats.StatisticsUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one allocator: its rows, sampled once a second, and their history.
 *
 * <p>The count of one second is one sample; {@link #snapshot} shows average and maximum of the
 * samples in the last ten seconds, ten minutes and ten hours and in total, computed as ZGC does for
 * its {@code gc,stats} table. Seconds are counted from the opening. One daemon thread samples for
 * all recorders; it keeps none of them alive and ends with the last one. A sample that is taken a
 * tenth of a second late or more, because the machine was busy or the process was stopped, is
 * divided by time: the count is spread evenly over the seconds that have ended, and a part stays
 * for the current second. Values of samplers are not divided.
 *
 * <p>While it is open, it can be read by {@link #tables}, as an {@linkplain StatisticsMXBean
 * MXBean} and, during a recording, as events {@code dev.arenal.MemoryStatistics} of Java Flight
 * Recorder, one for each row and second.
 *
 * <p><b>Threading:</b> all methods may be called by any thread. <b>Cost:</b> for counting see
 * {@link Counter} and {@link Sampler}; opening costs some microseconds and starts the thread; each
 * second costs about a microsecond for ten rows; a row takes about 3 KiB after ten hours.
 */
public final class StatisticsRecorder implements AutoCloseable {
  static final long SECOND_NANOS = 1_000_000_000;

  /** A thread that sleeps wakes up late by less than this, and samples are not divided for it. */
  static final long ON_TIME_NANOS = 100_000_000;

  private final String kind;
  private final String name;
  private final LongSupplier clockNanos;
  private final long openedNanos;
  private final Object lock = new Object();

  /** Sorted; replaced as a whole, under the lock, when a row is added. */
  private volatile Row[] rows = {};

  /** Whole seconds that have been sampled. Guarded by the lock. */
  private long secondCount;

  private volatile boolean closed;
  private volatile SamplingThread.@Nullable Entry entry;

  /** Not sampled by the thread: for tests, with their own clock. */
  StatisticsRecorder(String kind, String name, LongSupplier clockNanos) {
    this.kind = kind;
    this.name = name;
    this.clockNanos = clockNanos;
    this.openedNanos = clockNanos.getAsLong();
  }

  /**
   * Opens the statistics of an allocator. The owner keeps a reference to the recorder and closes
   * it; a recorder that becomes unreachable is no longer sampled.
   *
   * @param kind the kind of allocator, such as "PageAllocator"
   * @param name the name of the allocator; need not be unique
   */
  public static StatisticsRecorder open(String kind, String name) {
    FirstUse.ofStatistics();
    StatisticsRecorder recorder = new StatisticsRecorder(kind, name, new Clock());
    recorder.entry = SamplingThread.add(recorder);
    return recorder;
  }

  /** Snapshots of all open recorders, in the order in which they were opened. */
  public static List<StatisticsTable> tables() {
    return SamplingThread.recorders().stream().map(StatisticsRecorder::snapshot).toList();
  }

  /**
   * Adds a row that counts.
   *
   * @param group at most 10 characters, the width of its column
   * @param row at most 41 characters
   * @throws IllegalArgumentException if the row exists with this unit
   * @throws IllegalStateException if the recorder is closed
   */
  public Counter counter(String group, String row, StatisticsUnit unit) {
    Counter counter = new Counter();
    counter(group, row, unit, new CounterTotal(counter));
    return counter;
  }

  /**
   * Adds a row whose owner does the counting; the recorder adds no cost to it.
   *
   * @param total the total that was ever counted, which never decreases. It is read once a second
   *     by the sampling thread, and for each snapshot; its present value is not counted. It should
   *     not take long, and must not take a lock that a thread holds while it takes a snapshot or
   *     closes this recorder
   * @throws IllegalArgumentException as for {@link #counter(String, String, StatisticsUnit)}
   * @throws IllegalStateException if the recorder is closed
   */
  public void counter(String group, String row, StatisticsUnit unit, LongSupplier total) {
    add(new Row.Counting(group, row, unit, total));
  }

  /**
   * Adds a row of values.
   *
   * @throws IllegalArgumentException as for {@link #counter(String, String, StatisticsUnit)}
   * @throws IllegalStateException if the recorder is closed
   */
  public Sampler sampler(String group, String row, StatisticsUnit unit) {
    Sampler sampler = new Sampler();
    add(new Row.Sampling(group, row, unit, sampler));
    return sampler;
  }

  /**
   * The table at this moment: whole seconds, and the pending counts. A closed recorder keeps its
   * last table. <b>Cost:</b> a few microseconds.
   */
  public StatisticsTable snapshot() {
    StackReserve.ensure();
    SamplingThread.startAgain();
    tick();
    Row[] current = rows;
    long[] reads = read(current);
    List<StatisticsRow> result = new ArrayList<>(current.length);
    synchronized (lock) {
      for (int i = 0; i < current.length; i++) {
        result.add(current[i].toStatisticsRow(reads[i]));
      }
    }
    return new StatisticsTable(kind, name, result);
  }

  /**
   * Takes a last sample and ends the recording: the MXBean is removed, and totals are not read any
   * more. The counts of the current second are a sample if half of it or more has passed, or if it
   * is the first; otherwise they stay pending, so that a moment does not count as a second. Has no
   * effect if the recorder is already closed.
   */
  @Override
  public void close() {
    SamplingThread.Entry known = entry;
    if (known != null) {
      known.close();
    }
    tick();
    long nowNanos = clockNanos.getAsLong();
    Row[] current = rows;
    long[] reads = read(current);
    synchronized (lock) {
      if (closed) {
        return;
      }
      long restNanos = nowNanos - openedNanos - secondCount * SECOND_NANOS;
      boolean isSample = restNanos >= SECOND_NANOS / 2 || (secondCount == 0 && restNanos > 0);
      for (int i = 0; i < current.length; i++) {
        if (!current[i].isFrozen) { // by a close before, which an error has ended
          current[i].takeUntil(
              isSample ? secondCount + 1 : secondCount, reads[i], isSample ? 0 : restNanos);
          current[i].freeze(reads[i]);
          current[i].isFrozen = true;
        }
      }
      closed = true; // at last: after an error another close goes on
    }
  }

  /** Samples the seconds that are over, if any. */
  void tick() {
    if (closed || clockNanos.getAsLong() - dueNanos() < 0) {
      return;
    }
    Row[] current = rows;
    long[] reads = read(current);
    long nowNanos =
        clockNanos.getAsLong(); // after reading: the calling thread may have had to wait
    synchronized (lock) {
      long newCount = (nowNanos - openedNanos) / SECOND_NANOS - secondCount;
      if (closed || newCount <= 0) {
        return;
      }
      secondCount += newCount;
      long lateNanos = nowNanos - openedNanos - secondCount * SECOND_NANOS;
      for (int i = 0; i < current.length; i++) {
        current[i].takeUntil(secondCount, reads[i], lateNanos);
      }
    }
  }

  /** The time at which the next second is over. */
  long dueNanos() {
    synchronized (lock) {
      return openedNanos + (secondCount + 1) * SECOND_NANOS;
    }
  }

  String kind() {
    return kind;
  }

  String name() {
    return name;
  }

  private static long[] read(Row[] rows) {
    long[] reads = new long[rows.length];
    for (int i = 0; i < rows.length; i++) {
      reads[i] = rows[i].read();
    }
    return reads;
  }

  private void add(Row row) {
    synchronized (lock) {
      if (closed) {
        throw new IllegalStateException(
            "statistics are closed: kind=" + kind + ", name=" + name + " (expected open ones)");
      }
      for (Row known : rows) {
        // As in the original, what is counted and timed has one name and two units.
        if (compare(known, row) == 0 && known.unit == row.unit) {
          throw new IllegalArgumentException(
              "row of statistics exists: group="
                  + row.group
                  + ", row="
                  + row.name
                  + ", unit="
                  + row.unit);
        }
      }
      row.takenSeconds = secondCount;
      rows = withRow(rows, row);
    }
  }

  private static Row[] withRow(Row[] sorted, Row row) {
    Row[] more = Arrays.copyOf(sorted, sorted.length + 1);
    int place = sorted.length;
    for (; place > 0 && compare(sorted[place - 1], row) > 0; place--) {
      more[place] = sorted[place - 1];
    }
    more[place] = row;
    return more;
  }

  /** By group, then by name, then by unit, so that the rows of one name stand in an order, too. */
  private static int compare(Row a, Row b) {
    int byGroup = a.group.compareTo(b.group);
    int byName = byGroup == 0 ? a.name.compareTo(b.name) : byGroup;
    return byName == 0 ? a.unit.compareTo(b.unit) : byName;
  }

  // No lambdas: to link them is a good part of a program's first use of the library.

  private static final class Clock implements LongSupplier {
    @Override
    public long getAsLong() {
      return System.nanoTime();
    }
  }

  private record CounterTotal(Counter counter) implements LongSupplier {
    @Override
    public long getAsLong() {
      return counter.total();
    }
  }
}
