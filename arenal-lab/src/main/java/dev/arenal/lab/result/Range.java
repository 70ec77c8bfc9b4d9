package dev.arenal.lab.result;

/** The range of a figure that a person gives. */
public final class Range {
  private Range() {}

  /**
   * Refuses a figure that is out of it.
   *
   * @param what the mistake that it is then
   * @param name its name
   */
  public static void check(String what, String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s: %s=%d (expected %d to %d)".formatted(what, name, value, least, most));
    }
  }
}
