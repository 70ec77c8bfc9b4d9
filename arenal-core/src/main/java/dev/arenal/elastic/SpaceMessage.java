package dev.arenal.elastic;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.os.Errno;
import dev.arenal.reserve.Ledger;
import dev.arenal.reserve.Reservation;
import org.jspecify.annotations.Nullable;

/** The messages of what a space refuses, with its figures and the names of arenas. */
final class SpaceMessage {
  /** Names in a message: it is a line, and {@link ReportDetail#ARENAS} has all of them. */
  private static final int MOST_NAMES = 8;

  private SpaceMessage() {}

  /**
   * The error for a refusal, which is not counted: it may be tried again.
   *
   * @param arena whose request it was, or null
   * @param refusal the negative result that says why
   */
  static OutOfNativeMemoryError ofRefusal(
      SpaceState space,
      @Nullable ChunkedArena arena,
      long requestedBytes,
      long alignmentBytes,
      long refusal) {
    SpaceSettings settings = space.settings;
    space.lock.lock();
    try {
      String message =
          "native memory refused: space="
              + settings.name()
              + (arena == null || arena.name == null ? "" : ", arena=" + arena.name)
              + ", requestedBytes="
              + requestedBytes
              + (alignmentBytes <= 8 ? "" : ", byteAlignment=" + alignmentBytes)
              + ", committedBytes="
              + space.nodes.committedBytes()
              + ", reservedBytes="
              + space.nodes.reservedBytes()
              + ", limitBytes="
              + (settings.budget().isLimited() ? settings.budget().limitBytes() : "none")
              + reason(space, requestedBytes, refusal);
      return Ledger.of(settings.budget())
          .refusal(message, settings.name(), requestedBytes, space.nodes.committedBytes());
    } finally {
      space.lock.unlock();
    }
  }

  private static String reason(SpaceState space, long requestedBytes, long refusal) {
    SpaceSettings settings = space.settings;
    long lastErrno = space.nodes.lastErrno();
    if (refusal == Reservation.REFUSED_BY_BUDGET) {
      return ", budget="
          + settings.budget().name()
          + ", budgetCommittedBytes="
          + settings.budget().committedBytes()
          + ofBudget(settings, requestedBytes);
    }
    if (refusal == SpaceState.NO_SUCH_ADDRESSES) {
      return ", errno=none (more than the addresses of a process: ask for less)";
    }
    if (refusal == SpaceState.NO_ADDRESSES && !settings.isGrowable()) {
      return ", errno=none (no room of this size is left in the fixed space: close arenas or build"
          + " a larger one)";
    }
    if (refusal == SpaceState.NO_ADDRESSES && lastErrno != -Errno.TOO_MANY_MAPPINGS) {
      // Another thread may have been served since, and the reason be gone.
      return ", errno="
          + (lastErrno == 0 ? "none" : settings.os().describe(lastErrno))
          + " (the operating system gives no more address space: see ulimit -v)";
    }
    if (refusal == SpaceState.NO_HEAP) {
      return ", errno=none, maxHeapBytes="
          + Runtime.getRuntime().maxMemory()
          + " (the Java heap is too small for the books of so much memory: see -Xmx, or use larger"
          + " granules)";
    }
    if (refusal == SpaceState.NO_ADDRESSES || refusal == -Errno.TOO_MANY_MAPPINGS) {
      return ", errno="
          + settings.os().describe(-Errno.TOO_MANY_MAPPINGS)
          + ", granuleBytes="
          + settings.granuleBytes()
          + " (the rest of the kernel's mappings is left to the program: close arenas, take larger"
          + " granules, or raise vm.max_map_count)";
    }
    return ", errno="
        + Errno.name(refusal)
        + " (the operating system gives no more memory: close arenas, or see vm.overcommit_memory"
        + " and vm.max_map_count)";
  }

  /** Whether it helps to close arenas: a granule is the least that a space commits. */
  private static String ofBudget(SpaceSettings settings, long requestedBytes) {
    return Math.max(requestedBytes, settings.granuleBytes()) <= settings.budget().limitBytes()
        ? ", errno=none (the budget is used up: close arenas, free memory of its other users, or"
            + " raise its limit)"
        : ", granuleBytes="
            + settings.granuleBytes()
            + ", errno=none (expected at most the limit of the budget, in whole granules)";
  }

  /** That of a close that finds open arenas; under the lock. */
  static String ofOpenArenas(SpaceState space) {
    return "space has open arenas: space="
        + space.settings.name()
        + ", openArenas="
        + space.heldArenaCount()
        + names(space)
        + " (expected all arenas to be closed before their space)";
  }

  /** The first names, if there are any. */
  private static String names(SpaceState space) {
    StringBuilder names = new StringBuilder();
    int nameCount = 0;
    for (int slot = 0; slot < space.capacityArenas() && nameCount <= MOST_NAMES; slot++) {
      ChunkedArena arena = space.arena(slot);
      if (arena == null || arena.isOrphan()) {
        continue;
      }
      if (arena.name != null && nameCount++ < MOST_NAMES) {
        names.append(names.isEmpty() ? ", names=[" : ", ").append(arena.name);
      }
    }
    if (nameCount > MOST_NAMES) {
      names.append(", ...");
    }
    return names.isEmpty() ? "" : names + "]";
  }
}
