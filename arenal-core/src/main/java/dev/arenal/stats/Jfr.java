package dev.arenal.stats;

import jdk.jfr.FlightRecorder;

/**
 * Whether Java Flight Recorder is there and runs. Asked before any class of an event is touched: a
 * small run-time image may lack the module, and the first event class costs a program that records
 * nothing a hundred milliseconds.
 */
final class Jfr {
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private Jfr() {}

  /** Whether a recording has ever been started. */
  static boolean isRunning() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  /** Lets recordings ask for rows from now on; by the sampling thread. */
  static void install() {
    if (PRESENT) {
      JfrRows.install();
    }
  }

  /** Undoes that, so that nothing keeps the class loader of this class. */
  static void uninstall() {
    if (PRESENT) {
      JfrRows.uninstall();
    }
  }
}
