package dev.arenal.corpus.lambdas;

import dev.arenal.corpus.common.Popularity;
import java.util.Random;
import java.util.function.LongBinaryOperator;

/** A cache of compiled formulas, as in spreadsheets and rule engines. */
final class Formulas {
  /** Formulas that stay at night. */
  static final int FEWEST = 50;

  private static final int FORMULAS = 3_000;
  private static final int MOST_COMPILED = 900;

  private final Lru<Integer, LongBinaryOperator> compiled = new Lru<>(MOST_COMPILED);
  private Popularity popularity;
  private long checksum;

  void newDay(int day) {
    popularity = new Popularity(FORMULAS, 0.7, 100 + day);
  }

  void evaluate(int request) {
    LongBinaryOperator formula =
        compiled.get(popularity.next(), number -> Formula.draw(new Random(number), 0).compile());
    checksum += formula.applyAsLong(request, checksum);
  }

  /** Drops formulas until so many are left. */
  void keep(int count) {
    compiled.keep(count);
  }
}
