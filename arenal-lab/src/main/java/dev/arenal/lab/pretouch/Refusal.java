package dev.arenal.lab.pretouch;

/**
 * What came of asking for more memory than there is.
 *
 * @param askedBytes what was asked for
 * @param millis until the answer
 * @param firstUseMillis what the first use of the library in that process had taken before
 * @param message of the {@link OutOfMemoryError}; empty if there was none
 * @param residentBytes the most that was resident of the process meanwhile
 * @param countKilled processes that the kernel ended for want of memory meanwhile; -1 if it does
 *     not say
 */
public record Refusal(
    long askedBytes,
    double millis,
    double firstUseMillis,
    String message,
    long residentBytes,
    long countKilled) {
  /** Whether it was refused, and nobody ended for it. */
  public boolean isRefused() {
    return !message.isEmpty() && countKilled <= 0;
  }
}
