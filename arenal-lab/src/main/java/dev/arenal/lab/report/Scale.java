package dev.arenal.lab.report;

/**
 * A vertical axis from zero to a round figure, the same for all charts that are to be compared.
 *
 * @param unit what a figure on the axis counts, such as MiB
 * @param unitBytes the bytes in one of it
 * @param step from one grid line to the next, in units
 * @param countSteps how many of them
 */
record Scale(String unit, long unitBytes, long step, int countSteps) {
  private static final int MOST_STEPS = 5;
  private static final int UNIT_FACTOR = 1024;
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  private static final int[] ROUND_DIGITS = {1, 2, 5};

  /** The scale that just holds the largest figure. */
  static Scale upTo(long maxBytes) {
    int index = 0;
    long unitBytes = 1;
    while (index < UNITS.length - 1 && unitBytes * UNIT_FACTOR <= maxBytes) {
      unitBytes *= UNIT_FACTOR;
      index++;
    }
    long units = Math.max(1, Math.ceilDiv(maxBytes, unitBytes));
    long step = roundStep(units);
    return new Scale(UNITS[index], unitBytes, step, (int) Math.ceilDiv(units, step));
  }

  private static long roundStep(long units) {
    for (long power = 1; ; power *= 10) {
      for (int digit : ROUND_DIGITS) {
        if (digit * power * MOST_STEPS >= units) {
          return digit * power;
        }
      }
    }
  }

  long topBytes() {
    return step * countSteps * unitBytes;
  }

  long bytesAt(int line) {
    return step * line * unitBytes;
  }

  /** The label of a grid line. */
  String label(int line) {
    return line == 0 ? "0" : step * line + " " + unit;
  }
}
