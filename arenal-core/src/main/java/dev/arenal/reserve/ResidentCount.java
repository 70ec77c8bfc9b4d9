package dev.arenal.reserve;

import dev.arenal.guard.StackSafeLock;
import dev.arenal.os.OperatingSystem;
import org.jspecify.annotations.Nullable;

/**
 * Counts how much of the committed memory of an owner is in physical memory.
 *
 * <p>Goes over the addresses in steps. In each, the lock of the owner is held while the next runs
 * of committed granules are noted, which is a look at the bits of 1 GiB at most; the kernel is
 * asked without it. So the sum is not that of one moment: memory that is committed, given back or
 * moved meanwhile may be counted or not, or, where it moves, twice.
 *
 * <p>An owner that gives its addresses back meanwhile has nothing resident. Another mapping may be
 * there when the kernel is asked: that only makes the sum wrong, since nothing is read or written.
 */
public final class ResidentCount {
  /** Returned where the kernel does not say. */
  public static final long UNKNOWN = -1;

  private static final long STEP_BYTES = 1L << 30;
  private static final int MOST_RUNS = 64;

  /** Whose memory it is. */
  public interface Owner {
    /**
     * One of its reservations; called under its lock. Each keeps its index as long as the owner has
     * it.
     *
     * @return null for an index behind the last
     */
    @Nullable Reservation reservation(int index);
  }

  private ResidentCount() {}

  /**
   * Counts all of it; the caller holds no lock.
   *
   * @return bytes, or {@link #UNKNOWN}
   */
  public static long count(OperatingSystem os, StackSafeLock lock, Owner owner) {
    long[] addresses = new long[MOST_RUNS];
    long[] sizesBytes = new long[MOST_RUNS];
    long residentBytes = 0;
    int index = 0; // where the next step begins, with the offset
    long offsetBytes = 0;
    while (true) {
      int runCount = 0; // of this step, possibly none
      lock.lock();
      try {
        Reservation reservation = owner.reservation(index);
        if (reservation == null) {
          return residentBytes;
        }
        long end = Math.min(reservation.sizeBytes(), offsetBytes + STEP_BYTES);
        long from = reservation.nextCommitted(offsetBytes, end);
        while (from < end && runCount < MOST_RUNS) {
          long to = reservation.nextUncommitted(from, end);
          addresses[runCount] = reservation.baseAddress() + from;
          sizesBytes[runCount++] = to - from;
          from = reservation.nextCommitted(to, end);
        }
        boolean isNext = from >= reservation.sizeBytes();
        index += isNext ? 1 : 0;
        offsetBytes = isNext ? 0 : from;
      } finally {
        lock.unlock();
      }
      for (int i = 0; i < runCount; i++) {
        long absentBytes = os.absentBytes(addresses[i], sizesBytes[i]);
        if (absentBytes < 0) {
          return isGone(lock, owner) ? 0 : UNKNOWN;
        }
        residentBytes += sizesBytes[i] - absentBytes;
      }
    }
  }

  /** Whether the kernel was asked for addresses that the owner no longer has. */
  private static boolean isGone(StackSafeLock lock, Owner owner) {
    lock.lock();
    try {
      return owner.reservation(0) == null;
    } finally {
      lock.unlock();
    }
  }
}
