package dev.arenal.os;

import java.util.List;

/**
 * The kernel's figures of the memory that this process may still get, at one moment.
 *
 * <p>{@link #UNKNOWN} stands for a figure that could not be read, and for no limit.
 *
 * @param memAvailableBytes {@code MemAvailable}: bytes that are available without swapping
 * @param memTotalBytes {@code MemTotal}
 * @param groups control groups from this process's up to the root, those with a limit only
 * @param addressSpaceLimitBytes {@code RLIMIT_AS}
 * @param addressSpaceUsedBytes bytes that count against it
 * @param overcommitMode {@code vm.overcommit_memory}: 0 heuristic, 1 always, 2 never
 * @param commitLimitBytes {@code CommitLimit}, a limit in mode 2 only
 * @param commitUsedBytes {@code Committed_AS}
 */
public record MemoryFigures(
    long memAvailableBytes,
    long memTotalBytes,
    List<Group> groups,
    long addressSpaceLimitBytes,
    long addressSpaceUsedBytes,
    int overcommitMode,
    long commitLimitBytes,
    long commitUsedBytes) {
  /** In place of a figure that is not known. */
  public static final long UNKNOWN = Long.MAX_VALUE;

  /**
   * A control group with a limit.
   *
   * @param path in its hierarchy, such as {@code /system.slice/app.service}
   * @param limitBytes {@code memory.max} or {@code memory.limit_in_bytes}
   * @param usageBytes bytes that count against it
   * @param reclaimableBytes part of that: cached files that the kernel drops before it refuses
   */
  public record Group(String path, long limitBytes, long usageBytes, long reclaimableBytes) {
    /** Bytes that this group has to give. */
    public long availableBytes() {
      return Math.max(0, limitBytes - usageBytes + reclaimableBytes);
    }
  }

  /** The copy is its own. */
  public MemoryFigures {
    groups = List.copyOf(groups);
  }

  /**
   * Bytes that can still become resident: the least of what machine and control groups have to
   * give.
   */
  public long availableBytes() {
    long least = memAvailableBytes;
    for (Group group : groups) {
      least = Math.min(least, group.availableBytes());
    }
    return least;
  }

  /** Addresses that can be mapped still. */
  public long availableAddressBytes() {
    return addressSpaceLimitBytes == UNKNOWN
        ? UNKNOWN
        : Math.max(0, addressSpaceLimitBytes - addressSpaceUsedBytes);
  }

  /** Bytes that the kernel still promises; only where it never promises more than it has. */
  public long availablePromiseBytes() {
    return overcommitMode != 2 || commitLimitBytes == UNKNOWN
        ? UNKNOWN
        : Math.max(0, commitLimitBytes - commitUsedBytes);
  }
}
