package dev.arenal.stats;

import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Emits the rows of all recorders, as often as a recording asks. */
final class JfrRows implements FlightRecorderListener {
  private static final AtomicBoolean INSTALLED = new AtomicBoolean();

  private JfrRows() {}

  /** Cheap: the classes of the events wait until the first recording starts. */
  static void install() {
    if (!INSTALLED.getAndSet(true)) {
      FlightRecorder.addListener(new JfrRows());
    }
  }

  @Override
  public void recorderInitialized(FlightRecorder recorder) {
    FlightRecorder.addPeriodicEvent(MemoryStatisticsEvent.class, JfrRows::emit);
  }

  private static void emit() {
    for (StatisticsTable table : StatisticsRecorder.tables()) {
      for (StatisticsRow row : table.rows()) {
        new MemoryStatisticsEvent(table, row).commit();
      }
    }
  }
}
