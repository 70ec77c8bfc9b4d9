package dev.arenal.lab.figure;

/** Moves labels of one column apart, as little as it takes. */
final class LabelSpread {
  private LabelSpread() {}

  /**
   * Places at least a gap apart and not below the end; where there is no room for all, the first
   * ones stand above the beginning.
   *
   * @param wanted rising
   */
  static double[] apart(double[] wanted, double gap, double end) {
    double[] places = wanted.clone();
    for (int i = 1; i < places.length; i++) {
      places[i] = Math.max(places[i], places[i - 1] + gap);
    }
    double limit = end;
    for (int i = places.length - 1; i >= 0; i--) {
      places[i] = Math.min(places[i], limit);
      limit = places[i] - gap;
    }
    return places;
  }
}
