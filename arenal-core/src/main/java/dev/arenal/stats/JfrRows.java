package dev.arenal.stats;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

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
    FlightRecorder.addPeriodicEvent(MemoryStatisticsEvent.class, INSTANCE);
    if (!isInstalled) { // it was uninstalled meanwhile: one of both removes it
      FlightRecorder.removePeriodicEvent(INSTANCE);
    }
  }

  /** Called by the recorder as often as a recording asks. */
  @Override
  public void run() {
    for (StatisticsTable table : StatisticsRecorder.tables()) {
      for (StatisticsRow row : table.rows()) {
        new MemoryStatisticsEvent(table, row).commit();
      }
    }
  }
}
