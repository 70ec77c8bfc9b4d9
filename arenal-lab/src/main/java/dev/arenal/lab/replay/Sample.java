package dev.arenal.lab.replay;

import org.jspecify.annotations.Nullable;

/**
 * Used, committed and resident bytes at one moment of a replay.
 *
 * @param operation how many operations were done
 * @param usedBytes the bytes of all live blocks, the same for every allocator
 * @param committedBytes what the allocator had taken from the system; null if it cannot tell
 * @param residentBytes what the process kept in memory beyond its baseline; null if none ran
 * @param wallNanos the time of all operations until then; null if none ran
 */
public record Sample(
    long operation,
    long usedBytes,
    @Nullable Long committedBytes,
    @Nullable Long residentBytes,
    @Nullable Long wallNanos) {
  /** A moment without a time. */
  public Sample(
      long operation, long usedBytes, @Nullable Long committedBytes, @Nullable Long residentBytes) {
    this(operation, usedBytes, committedBytes, residentBytes, null);
  }

  /** Committed over used; null if there is no such figure. */
  public @Nullable Double committedPerUsed() {
    return committedBytes == null ? null : ratio(committedBytes);
  }

  /** Resident over used; null if there is no such figure. */
  public @Nullable Double residentPerUsed() {
    return residentBytes == null ? null : ratio(residentBytes);
  }

  private @Nullable Double ratio(long bytes) {
    return usedBytes == 0 ? null : (double) bytes / usedBytes;
  }
}
