package dev.arenal.lab.figure;

import java.util.Locale;

/**
 * Round figures along an x axis, from zero.
 *
 * @param step from one to the next
 * @param count how many, the zero included
 */
record AxisTicks(double step, int count) {
  private static final double[] ROUND_DIGITS = {1, 2, 5};
  private static final double MILLION = 1e6;
  private static final double THOUSAND = 1e3;

  /** At most that many steps up to a maximum. */
  static AxisTicks upTo(double max, int mostSteps) {
    double step = roundStep(max, mostSteps);
    return new AxisTicks(step, (int) Math.floor(max / step * (1 + 1e-9)) + 1);
  }

  /** The smallest round figure that reaches a maximum in so many steps. */
  static double roundStep(double max, int mostSteps) {
    for (double power = 1e-3; power < 1e18; power *= 10) {
      for (double digit : ROUND_DIGITS) {
        if (digit * power * mostSteps >= max) {
          return digit * power;
        }
      }
    }
    return max;
  }

  double at(int index) {
    return step * index;
  }

  /** The figure with as many digits as the step needs, millions as such. */
  String label(int index) {
    double value = at(index);
    if (index == 0) {
      return "0";
    }
    if (step >= MILLION / 10) {
      return plain(value / MILLION) + " M";
    }
    return step >= THOUSAND ? String.format(Locale.ROOT, "%,.0f", value) : plain(value);
  }

  private static String plain(double value) {
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceAll("\\.?0+$", "");
  }
}
