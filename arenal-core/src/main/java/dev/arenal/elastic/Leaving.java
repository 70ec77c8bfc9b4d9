package dev.arenal.elastic;

import dev.arenal.memory.DeadRanges;
import java.util.ArrayList;

/**
 * The ranges that are on their way to the kernel: given back without the lock, while the masks
 * still say that they are committed.
 *
 * <p>Who wants to touch memory of others asks here: pages that leave must not come back to life,
 * and in protect mode they may be inaccessible already. Whoever gives memory back adds its ranges
 * under the lock before it calls the kernel, and removes them under the lock when the masks are
 * right again. Guarded by the lock of the space.
 */
final class Leaving {
  private final ArrayList<DeadRanges> all = new ArrayList<>();
  private long totalBytes;

  /** Sum of all that leaves. */
  long totalBytes() {
    return totalBytes;
  }

  /** They are about to be given back; nothing is added to them from now on. */
  void add(DeadRanges ranges) {
    all.add(ranges);
    totalBytes += ranges.totalBytes();
  }

  /** They are gone, or stay; no effect if they were not added. */
  void remove(DeadRanges ranges) {
    if (all.remove(ranges)) {
      totalBytes -= ranges.totalBytes();
    }
  }

  /** Where the first part of a range that leaves begins; the end of the range if none does. */
  long nextStart(long address, long end) {
    long next = end;
    for (DeadRanges ranges : all) {
      for (int i = 0; i < ranges.count(); i++) {
        if (ranges.address(i) + ranges.sizeBytes(i) > address) {
          next = Math.min(next, Math.max(address, ranges.address(i)));
        }
      }
    }
    return next;
  }

  /** Where what leaves from an address on ends; the address itself if it does not leave. */
  long endOf(long address) {
    long end = address;
    for (DeadRanges ranges : all) {
      for (int i = 0; i < ranges.count(); i++) {
        long start = ranges.address(i);
        if (start <= address && start + ranges.sizeBytes(i) > address) {
          end = Math.max(end, start + ranges.sizeBytes(i));
        }
      }
    }
    return end;
  }
}
