package dev.arenal.lab.figure;

/**
 * A vertical axis from zero to a round figure, the same for all charts that are to be compared.
 *
 * @param unit what a figure on the axis counts, such as MiB
 * @param unitSize the bytes, or nanoseconds, in one of it
 * @param step from one grid line to the next, in units
 * @param stepCount how many of them
 */
public record Scale(String unit, double unitSize, long step, int stepCount) {
  private static final int MOST_STEPS = 5;

  /** The scale that just holds the largest figure. */
  static Scale upTo(Measure measure, double max) {
    int index = 0;
    double unitSize = 1;
    while (index < measure.units().size() - 1 && unitSize * measure.factor() <= max) {
      unitSize *= measure.factor();
      index++;
    }
    long units = Math.max(1, (long) Math.ceil(max / unitSize));
    long step = Math.max(1, Math.round(AxisTicks.roundStep((double) units, MOST_STEPS)));
    return new Scale(measure.units().get(index), unitSize, step, (int) Math.ceilDiv(units, step));
  }

  /** The figure at the upper end. */
  double top() {
    return at(stepCount);
  }

  /** The figure of a grid line. */
  double at(int line) {
    return step * line * unitSize;
  }

  /** The label of a grid line. */
  String label(int line) {
    return line == 0 ? "0" : step * line + " " + unit;
  }
}
