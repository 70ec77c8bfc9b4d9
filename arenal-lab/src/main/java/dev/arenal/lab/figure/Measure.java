package dev.arenal.lab.figure;

import java.util.List;

/**
 * The quantity on a vertical axis: its units, smallest first, and how many of one are in the next.
 */
enum Measure {
  BYTES(1024, "B KiB MiB GiB TiB PiB"),
  NANOS(1000, "ns µs ms s");

  private final int factor;
  private final String units;

  Measure(int factor, String units) {
    this.factor = factor;
    this.units = units;
  }

  /** How many of a unit are in the next larger one. */
  int factor() {
    return factor;
  }

  /** Their names; the first one is one byte, or one nanosecond. */
  List<String> units() {
    return List.of(units.split(" ", -1));
  }
}
