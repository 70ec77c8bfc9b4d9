package dev.arenal.elastic;

import java.util.SplittableRandom;

/** The seed of this run of the randomised tests: {@code -Dtest.seed}, or a fresh one. */
public final class Seeds {
  public static final long MASTER = master();

  /** {@code -Dtest.draws}: so many times as much is drawn as in each build. */
  private static final int DRAWS = Integer.getInteger("test.draws", 1);

  private Seeds() {}

  /** How much to draw, where each build draws that much. */
  public static int draws(int count) {
    return Math.multiplyExact(count, DRAWS);
  }

  /** Another seed for each number, all from the master seed. */
  public static long derive(String test, int number) {
    return new SplittableRandom(MASTER ^ ((long) test.hashCode() << 32) ^ number).nextLong();
  }

  /** The end of each failure message. */
  public static String hint() {
    return "repeat with -Dtest.seed=" + MASTER;
  }

  private static long master() {
    String given = System.getProperty("test.seed", "");
    return given.isBlank() ? new SplittableRandom().nextLong() >>> 1 : Long.parseLong(given);
  }
}
