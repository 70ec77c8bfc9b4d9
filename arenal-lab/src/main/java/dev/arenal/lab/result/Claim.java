package dev.arenal.lab.result;

/**
 * Something that is claimed, and whether the figures say so.
 *
 * @param what what it is about
 * @param original what others are said to reach; empty if nothing is said
 * @param wanted what is claimed
 * @param shown what the figures say; empty if they say nothing
 * @param outcome whether the claim holds
 */
public record Claim(String what, String original, String wanted, String shown, Outcome outcome) {
  /** A claim of which there are figures, and nothing of others. */
  public Claim(String what, String wanted, String shown, boolean isReached) {
    this(what, "", wanted, shown, isReached ? Outcome.REACHED : Outcome.MISSED);
  }

  /** Whether it holds. */
  public boolean isReached() {
    return outcome == Outcome.REACHED;
  }

  /** Whether there are figures. */
  public boolean isMeasured() {
    return outcome != Outcome.NOT_MEASURED;
  }

  /** Whether a claim holds. */
  public enum Outcome {
    REACHED("reached"),
    MISSED("not reached"),
    /** The figures have an error that is larger than their distance from the limit. */
    WITHIN_ERROR("within the error"),
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
