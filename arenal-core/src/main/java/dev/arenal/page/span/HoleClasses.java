package dev.arenal.page.span;

/**
 * The lengths of holes in classes, of which a bit says whether there is one: exact below 64 units,
 * thirty-two for each doubling up to 2,048, and one for all from there on.
 *
 * <p>So the shortest hole for a request is found to within a thirty-second of its length without a
 * look at any that is shorter or longer. After the two levels of TLSF (Masmano and others, 2004).
 */
final class HoleClasses {
  private static final int EXACT_LOG = 6;
  private static final int EXACT = 1 << EXACT_LOG;
  private static final int STEPS_SHIFT = 5;

  /** From there on there is one class. */
  private static final int LONGEST_LOG = 11;

  private static final int LONGEST = 1 << LONGEST_LOG;

  /** Number of classes. */
  static final int COUNT = EXACT + ((LONGEST_LOG - EXACT_LOG) << STEPS_SHIFT) + 1;

  /** Words with a bit for each class. */
  static final int WORDS = (COUNT + Long.SIZE - 1) >>> 6;

  private HoleClasses() {}

  /** The class of a hole of so many units, which are positive. */
  static int of(int units) {
    if (units < EXACT) {
      return units;
    }
    int length = Math.min(units, LONGEST);
    int log = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
    int step = (length >>> (log - STEPS_SHIFT)) & ((1 << STEPS_SHIFT) - 1);
    return EXACT + ((log - EXACT_LOG) << STEPS_SHIFT) + step;
  }

  /** The shortest hole of a class. */
  static int shortest(int holeClass) {
    if (holeClass < EXACT) {
      return holeClass;
    }
    int log = EXACT_LOG + ((holeClass - EXACT) >>> STEPS_SHIFT);
    int step = (holeClass - EXACT) & ((1 << STEPS_SHIFT) - 1);
    return (1 << log) + (step << (log - STEPS_SHIFT));
  }

  /** The longest hole of a class. */
  static int longest(int holeClass) {
    return holeClass == COUNT - 1 ? Integer.MAX_VALUE : shortest(holeClass + 1) - 1;
  }

  /**
   * The first class of which each hole has room for so many units; {@link #COUNT} if there is none.
   */
  static int surely(int units) {
    int holeClass = of(units);
    return shortest(holeClass) >= units ? holeClass : holeClass + 1;
  }
}
