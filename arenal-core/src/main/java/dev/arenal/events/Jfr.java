package dev.arenal.events;

import jdk.jfr.FlightRecorder;

/**
 * Whether Java Flight Recorder is there and runs. Asked before any class of an event is touched: a
 * small run-time image may lack the module, and the first event class costs a program that records
 * nothing a hundred milliseconds.
 */
public final class Jfr {
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private Jfr() {}

  /** Whether the JDK has it. */
  public static boolean isPresent() {
    return PRESENT;
  }

  /** Whether a recording has ever been started. */
  public static boolean isRunning() {
    return PRESENT && FlightRecorder.isInitialized();
  }
}
