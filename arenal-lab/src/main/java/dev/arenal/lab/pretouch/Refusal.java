package dev.arenal.lab.pretouch;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request for more memory than is available.
 *
 * @param askedBytes what was asked for
 * @param millis until the answer
 * @param firstUseMillis what reserving the addresses, its first use of the library, took before
 * @param message of the {@link OutOfMemoryError}; empty if there was none
 * @param residentBytes the most that was resident of the process meanwhile
 * @param killedCount processes that the kernel ended for want of memory meanwhile; null if it does
 *     not say
 */
public record Refusal(
    long askedBytes,
    double millis,
    double firstUseMillis,
    String message,
    long residentBytes,
    @JsonProperty("killed") @Nullable Long killedCount) {
  Refusal withKilled(@Nullable Long count) {
    return new Refusal(askedBytes, millis, firstUseMillis, message, residentBytes, count);
  }

  /** Whether it was refused, and no process ended for it. */
  public boolean isRefused() {
    return !message.isEmpty() && (killedCount == null || killedCount <= 0);
  }
}
