package dev.arenal.memory;

import dev.arenal.os.OperatingSystem;
import java.util.Arrays;

/**
 * Ranges of committed memory that nobody uses any more, collected under a lock and given back to
 * the kernel outside it.
 *
 * <p>Neighbours become one range. Giving back 8 KiB costs a system call as much as giving back 8
 * MiB, and where the kernel can (Linux 6.13) all ranges go in one call.
 *
 * <p>Not thread-safe.
 */
public final class DeadRanges {
  private long[] addresses = new long[16];
  private long[] sizesBytes = new long[16];
  private int count;
  private long totalBytes;
  private long givenBackBytes;

  /** No ranges yet. */
  public DeadRanges() {}

  /** Adds a range; it joins the one added before if they touch. */
  public void add(long address, long sizeBytes) {
    totalBytes += sizeBytes;
    if (count > 0 && addresses[count - 1] + sizesBytes[count - 1] == address) {
      sizesBytes[count - 1] += sizeBytes;
      return;
    }
    if (count > 0 && address + sizeBytes == addresses[count - 1]) {
      addresses[count - 1] = address;
      sizesBytes[count - 1] += sizeBytes;
      return;
    }
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * count);
      sizesBytes = Arrays.copyOf(sizesBytes, 2 * count);
    }
    addresses[count] = address;
    sizesBytes[count] = sizeBytes;
    count++;
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

  /** Sum of the sizes in bytes. */
  public long totalBytes() {
    return totalBytes;
  }

  /**
   * Gives the ranges back to the kernel, in the order in which they were added.
   *
   * @return bytes that have gone back: {@link #totalBytes()}, or less if the kernel refused a
   *     range, in which case that range and all behind it are as they were
   */
  @SuppressWarnings("exports") // for the layers above, which are in this module
  public long giveBack(OperatingSystem os, CommitMode mode) {
    if (mode == CommitMode.DISCARD) {
      // Where a batch fails half-way some contents are gone, which is allowed: they are dead.
      givenBackBytes = os.discard(addresses, sizesBytes, count) == 0 ? totalBytes : 0;
    } else {
      for (int i = 0; i < count && os.revoke(addresses[i], sizesBytes[i]) == 0; i++) {
        givenBackBytes += sizesBytes[i];
      }
    }
    return givenBackBytes;
  }

  /** What {@link #giveBack} has given back, also where it ended with an error of the JVM. */
  public long givenBackBytes() {
    return givenBackBytes;
  }
}
