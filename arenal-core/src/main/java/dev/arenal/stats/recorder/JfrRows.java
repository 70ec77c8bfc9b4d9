package dev.arenal.stats.recorder;

import dev.arenal.events.MemoryEvents;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsTable;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** Emits the rows of all recorders, as often as a recording asks. */
final class JfrRows implements FlightRecorderListener, Runnable {
  /** Its identity is what the recorder finds it by. */
  private static final JfrRows INSTANCE = new JfrRows();

  /** Written by the sampling thread. */
  private static volatile boolean isInstalled;

  private JfrRows() {}

  /** Cheap: the classes of the events wait until the first recording starts. */
  static void install() {
    if (!isInstalled) {
      isInstalled = true;
      boolean isDone = false;
      try {
        FlightRecorder.addListener(INSTANCE);
        isDone = true;
      } finally {
        if (!isDone) { // the Java heap is full: to be installed again
          uninstall();
        }
      }
    }
  }

  static void uninstall() {
    if (isInstalled) {
      isInstalled = false;
      FlightRecorder.removeListener(INSTANCE);
      FlightRecorder.removePeriodicEvent(INSTANCE);
    }
  }

  /** By the thread that starts the first recording: without a lock, since the recorder has its. */
  @Override
  public void recorderInitialized(FlightRecorder recorder) {
    var _ = MemoryEvents.areEmitted(); // soon
    FlightRecorder.addPeriodicEvent(MemoryStatistics.class, INSTANCE);
    if (!isInstalled) { // it was uninstalled meanwhile: one of both removes it
      FlightRecorder.removePeriodicEvent(INSTANCE);
    }
  }

  /** Called by the recorder as often as a recording asks. */
  @Override
  public void run() {
    for (StatisticsTable table : StatisticsRecorder.tables()) {
      for (StatisticsRow row : table.rows()) {
        new MemoryStatistics(table, row).commit();
      }
    }
  }

  /** One row of the table of one allocator, once a second. */
  @Name("dev.arenal.MemoryStatistics")
  @Label("Memory Statistics")
  @Category("Arenal")
  @Description("One row of the statistics of an allocator")
  @Period("1 s")
  @StackTrace(false)
  @SuppressWarnings("UnusedVariable") // read by the recorder
  static final class MemoryStatistics extends Event {
    @Label("Kind")
    String kind;

    @Label("Name")
    String name;

    @Label("Group")
    String group;

    @Label("Row")
    String row;

    @Label("Unit")
    @Description("BYTES_PER_SECOND, OPERATIONS_PER_SECOND, NANOSECONDS or BYTES")
    String unit;

    @Label("Last 10 s, Average")
    long average10s;

    @Label("Last 10 s, Maximum")
    long max10s;

    @Label("Last 10 min, Average")
    long average10m;

    @Label("Last 10 min, Maximum")
    long max10m;

    @Label("Last 10 h, Average")
    long average10h;

    @Label("Last 10 h, Maximum")
    long max10h;

    @Label("Total, Average")
    long averageTotal;

    @Label("Total, Maximum")
    long maxTotal;

    @Label("Sum Ever")
    long sumEver;

    MemoryStatistics(StatisticsTable table, StatisticsRow row) {
      this.kind = table.kind();
      this.name = table.name();
      this.group = row.group();
      this.row = row.row();
      this.unit = row.unit().name();
      this.average10s = row.last10s().average();
      this.max10s = row.last10s().max();
      this.average10m = row.last10m().average();
      this.max10m = row.last10m().max();
      this.average10h = row.last10h().average();
      this.max10h = row.last10h().max();
      this.averageTotal = row.total().average();
      this.maxTotal = row.total().max();
      this.sumEver = row.sumEver();
    }
  }
}
