package dev.arenal.lab.buffers;

/**
 * Something that is claimed, and whether the figures say so.
 *
 * @param what what it is about
 * @param wanted what is claimed
 * @param shown what the figures say
 * @param isReached whether the claim holds
 */
public record Claim(String what, String wanted, String shown, boolean isReached) {
  /** Whether it holds, in words. */
  public String verdict() {
    return isReached ? "reached" : "not reached";
  }

  /** One thread, 16 threads. */
  static String threads(int count) {
    return count == 1 ? "1 thread" : count + " threads";
  }
}
