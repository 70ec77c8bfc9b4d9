package dev.arenal.lab.confined;

/**
 * A claim and whether the figures say so.
 *
 * @param what is claimed about
 * @param original what the pool of the JDK's own developers is said to reach
 * @param wanted what is claimed of this one
 * @param shown what the figures say; empty if they say nothing
 * @param outcome whether it is reached
 */
public record Verdict(String what, String original, String wanted, String shown, Outcome outcome) {
  /** Whether a claim holds. */
  public enum Outcome {
    REACHED("reached"),
    MISSED("not reached"),
    NOT_MEASURED("not measured");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }

    /** The same in words. */
    public String label() {
      return label;
    }
  }
}
