package dev.arenal.lab.figure;

import org.jspecify.annotations.Nullable;

/**
 * One measured figure against another. A difference counts only if it is larger than its error: the
 * root of the sum of the squares of both errors.
 *
 * @param error half of the confidence interval of the value; null or NaN where it is not known
 * @param baseError the same of the base
 */
public record Comparison(
    double value, @Nullable Double error, double base, @Nullable Double baseError) {
  /** Stands for a ratio whose difference lies within its error. */
  public static final String SAME = "≈ 1";

  /** Stands behind a ratio of figures without an error: whether it counts is unknown. */
  private static final String UNKNOWN = " ?";

  /** Whether both figures exist and their difference lies within its error. */
  public boolean isWithinError() {
    return exists() && Math.abs(value - base) <= Math.hypot(orZero(error), orZero(baseError));
  }

  /** How many times the base, by a pattern of {@link java.util.Formatter}; or that it is none. */
  public String times(String pattern) {
    return exists() ? marked(Figures.format(pattern, value / base)) : Figures.NONE;
  }

  /** The same to three digits. */
  public String times() {
    return exists() ? marked(Figures.number(value / base)) : Figures.NONE;
  }

  private String marked(String ratio) {
    if (!isKnown(error) || !isKnown(baseError)) {
      return ratio + UNKNOWN;
    }
    return isWithinError() ? SAME : ratio;
  }

  private boolean exists() {
    return !Double.isNaN(value) && !Double.isNaN(base) && base != 0;
  }

  private static boolean isKnown(@Nullable Double error) {
    return error != null && !error.isNaN();
  }

  private static double orZero(@Nullable Double error) {
    return error == null || error.isNaN() ? 0 : error;
  }
}
