package dev.arenal.supply;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.reserve.Reservation;
import java.util.Arrays;

/**
 * Ranges of reserved memory whose state a thread changes with the kernel, without the lock of their
 * owner: claimed under that lock, {@linkplain #discard discarded} or {@linkplain #allow made
 * accessible} without it, and settled under it again.
 *
 * <p>Neighbours become one range. To discard 8 KiB costs a system call as much as to discard 8 MiB,
 * and where the kernel can (Linux 6.13) all ranges go in one call.
 *
 * <p>Not thread-safe: it belongs to the thread that claims. Between claim and settlement only
 * {@link #discard} and {@link #allow} are called, which need no Java heap.
 */
public final class Claim {
  /** The reservations in which the states of addresses are kept. */
  @FunctionalInterface
  public interface Reservations {
    /** The reservation of an address that was claimed. */
    Reservation reservationOf(long address);
  }

  /** Each makes at least one mapping free, so two or three are enough nearly always. */
  private static final int MOST_ROUNDS = 8;

  private long[] addresses = new long[16];
  private long[] sizesBytes = new long[16];

  /** The committed bytes of each range: its size, except for {@linkplain #addSpan spans}. */
  private long[] committedBytes = new long[16];

  /** Which ranges have gone; grown before anything is claimed. */
  private boolean[] gone = new boolean[16];

  /** For one range alone, since a discard needs no Java heap. */
  private final long[] oneAddress = new long[1];

  private final long[] oneSizeBytes = new long[1];
  private int count;
  private long totalBytes;
  private long discardedBytes;

  /** No ranges yet. */
  public Claim() {}

  /** Adds a range; it joins the one added before if they touch. */
  public void add(long address, long sizeBytes) {
    addSpan(address, sizeBytes, sizeBytes);
  }

  /**
   * Adds a range of which only a part is committed; it joins the one added before if they touch.
   * For {@link #discard} in the mode of that name, since a revoke would change the mappings of the
   * gaps: addresses without memory cost the kernel next to nothing, another range costs about as
   * much as a page. The caller ensures that no thread commits any of the range until it is settled.
   *
   * @param partBytes the committed bytes of the range
   */
  public void addSpan(long address, long sizeBytes, long partBytes) {
    if (count == addresses.length) {
      growArrays(); // first: a full Java heap changes nothing
    }
    totalBytes += partBytes;
    int last = count - 1;
    boolean follows = count > 0 && addresses[last] + sizesBytes[last] == address;
    boolean precedes = count > 0 && address + sizeBytes == addresses[last];
    if (follows || precedes) {
      addresses[last] = Math.min(addresses[last], address);
      sizesBytes[last] += sizeBytes;
      committedBytes[last] += partBytes;
      return;
    }
    addresses[count] = address;
    sizesBytes[count] = sizeBytes;
    committedBytes[count] = partBytes;
    count++;
  }

  private void growArrays() {
    long[] moreAddresses = Arrays.copyOf(addresses, 2 * count);
    long[] moreSizes = Arrays.copyOf(sizesBytes, 2 * count);
    boolean[] moreGone = Arrays.copyOf(gone, 2 * count);
    committedBytes = Arrays.copyOf(committedBytes, 2 * count);
    gone = moreGone;
    sizesBytes = moreSizes;
    addresses = moreAddresses;
  }

  /** Number of ranges. */
  public int count() {
    return count;
  }

  /** Address of a range. */
  public long address(int index) {
    return addresses[index];
  }

  /** Size in bytes of a range. */
  public long sizeBytes(int index) {
    return sizesBytes[index];
  }

  /** Sum of the committed bytes of all ranges. */
  public long totalBytes() {
    return totalBytes;
  }

  /** Adds what is committed in a range of a reservation. */
  public void addCommitted(Reservation reservation, long offsetBytes, long sizeBytes) {
    long end = offsetBytes + sizeBytes;
    long from = reservation.nextCommitted(offsetBytes, end);
    while (from < end) {
      long to = reservation.nextUncommitted(from, end);
      add(reservation.baseAddress() + from, to - from);
      from = reservation.nextCommitted(to, end);
    }
  }

  /** Adds what is not committed in a range of a reservation. */
  public void addUncommitted(Reservation reservation, long offsetBytes, long sizeBytes) {
    long end = offsetBytes + sizeBytes;
    long from = reservation.nextUncommitted(offsetBytes, end);
    while (from < end) {
      long to = reservation.nextCommitted(from, end);
      add(reservation.baseAddress() + from, to - from);
      from = reservation.nextUncommitted(to, end);
    }
  }

  /**
   * Gives the ranges back to the kernel. One that it refuses, since it is locked or would take a
   * mapping too many, keeps none of the others.
   *
   * @return bytes that have gone: {@link #totalBytes()}, or less if the kernel refused a range
   */
  public long discard(OperatingSystem os, CommitMode mode) {
    if (count > 0 && mode == CommitMode.DISCARD && os.discard(addresses, sizesBytes, count) == 0) {
      for (int i = 0; i < count; i++) {
        noteGone(i);
      }
      return discardedBytes;
    }
    // Where a batch failed half-way some contents are gone, which is allowed: they are unused.
    // A range that goes may free the mapping that another one needs: again, while that helps.
    boolean helps = count > 0;
    for (int round = 0; helps && round < MOST_ROUNDS; round++) {
      helps = discardRest(os, mode) && mode == CommitMode.PROTECT && discardedBytes < totalBytes;
    }
    return discardedBytes;
  }

  /** One by one; whether any has gone. */
  private boolean discardRest(OperatingSystem os, CommitMode mode) {
    boolean isAny = false;
    for (int i = 0; i < count; i++) {
      if (!gone[i] && discardOne(os, mode, i) == 0) {
        noteGone(i);
        isAny = true;
      }
    }
    return isAny;
  }

  private int discardOne(OperatingSystem os, CommitMode mode, int index) {
    if (mode == CommitMode.PROTECT) {
      return os.revoke(addresses[index], sizesBytes[index]);
    }
    oneAddress[0] = addresses[index];
    oneSizeBytes[0] = sizesBytes[index];
    return os.discard(oneAddress, oneSizeBytes, 1);
  }

  private void noteGone(int index) {
    if (!gone[index]) {
      gone[index] = true;
      discardedBytes += committedBytes[index];
    }
  }

  /** Whether {@link #discard} has given that range back. */
  public boolean isGone(int index) {
    return gone[index];
  }

  /** Bytes that {@link #discard} has given back, also where it ended with an error of the JVM. */
  public long discardedBytes() {
    return discardedBytes;
  }

  /**
   * Notes in the reservations what has been discarded, which takes it off the budget; under the
   * lock of the owner, once.
   *
   * @return bytes that were committed and are not any more
   */
  public long settleDiscarded(Reservations owner) {
    long uncommittedBytes = 0;
    for (int i = 0; i < count; i++) {
      if (gone[i]) {
        Reservation reservation = owner.reservationOf(addresses[i]);
        long offsetBytes = addresses[i] - reservation.baseAddress();
        uncommittedBytes += reservation.uncommitted(offsetBytes, sizesBytes[i]);
      }
    }
    return uncommittedBytes;
  }

  /**
   * Makes the ranges accessible, all or none.
   *
   * @return 0, or a negative errno
   */
  public int allow(OperatingSystem os) {
    for (int i = 0; i < count; i++) {
      int error = os.allow(addresses[i], sizesBytes[i]);
      if (error < 0) {
        while (--i >= 0) { // a refusal here leaves pages accessible: harmless
          var _ = os.revoke(addresses[i], sizesBytes[i]);
        }
        return error;
      }
    }
    return 0;
  }
}
