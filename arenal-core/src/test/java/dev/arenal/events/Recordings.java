package dev.arenal.events;

import dev.arenal.stats.Await;
import jdk.jfr.Recording;

/** Recordings that have the events of the library from their beginning. */
public final class Recordings {
  private Recordings() {}

  /** Starts it: after the first one of a process, events are ready some moments later. */
  public static void start(Recording recording) {
    recording.start();
    Await.until(MemoryEvents::areEmitted);
  }
}
