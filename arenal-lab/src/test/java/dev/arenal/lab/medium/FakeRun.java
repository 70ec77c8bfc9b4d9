package dev.arenal.lab.medium;

import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Path;

/** Stands in for a run, and misbehaves as the real one does not when asked. */
public final class FakeRun {
  static final int WORKS = 1;
  static final int WRITES_NOTHING = 3;
  static final int DIES_SYNCHRONIZED = 4;

  private FakeRun() {}

  /**
   * Does what the number of threads says.
   *
   * @param args as for the real one
   */
  public static void main(String[] args) throws IOException {
    boolean isSynchronized = Boolean.getBoolean(MediumChild.SYNCHRONIZED_PROPERTY);
    int behaviour = Integer.parseInt(args[0]);
    if (behaviour == DIES_SYNCHRONIZED && isSynchronized) {
      System.out.println("last words");
      System.exit(6);
    }
    if (behaviour != WRITES_NOTHING) {
      Json.write(Path.of(args[3]), isSynchronized ? Results.with(0) : Results.without(3));
    }
  }
}
