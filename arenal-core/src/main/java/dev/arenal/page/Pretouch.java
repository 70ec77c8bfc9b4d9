package dev.arenal.page;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.OperatingSystem;

/** Commits and touches memory for the cache of a supply that is being built. */
final class Pretouch {
  /** In steps, so that a refusal comes before much has been touched in vain. */
  private static final int STEP_GRANULES = 32;

  private Pretouch() {}

  /**
   * Fills the cache with what the settings say, from the lowest address on.
   *
   * @throws OutOfMemoryError if budget or kernel refuse
   */
  static void run(PageSettings settings, GranuleStates states) {
    long wantedGranules = Math.ceilDiv(settings.pretouchBytes(), PageSupply.GRANULE_BYTES);
    int rest = (int) Math.min(wantedGranules, states.capacityGranules);
    long restBytes = rest * PageSupply.GRANULE_BYTES;
    if (!settings.budget().tryCommit(restBytes)) {
      throw refused(settings, states, "none (the budget is used up: raise its limit)");
    }
    boolean done = false;
    try {
      while (rest > 0) {
        int from = states.free.lowest(1);
        int count = Math.min(STEP_GRANULES, Math.min(rest, states.free.lengthAt(from)));
        states.prepare(from, count);
        int error = touch(settings, states.addresses.address(from), count);
        if (error < 0) {
          throw refused(
              settings, states, Errno.name(error) + " (the machine or the container has no more)");
        }
        states.claimFree(from, count);
        states.addresses.noteCommitted(from, count);
        restBytes -= count * PageSupply.GRANULE_BYTES;
        states.putCached(from, count, RangeCache.NO_OWNER);
        rest -= count;
      }
      done = true;
    } finally {
      if (!done) {
        settings.budget().uncommit(restBytes); // what has been noted goes with the addresses
      }
    }
  }

  private static int touch(PageSettings settings, long address, int count) {
    OperatingSystem os = settings.os();
    long sizeBytes = count * PageSupply.GRANULE_BYTES;
    int error = settings.commitMode() == CommitMode.PROTECT ? os.allow(address, sizeBytes) : 0;
    return error < 0 ? error : os.populate(address, sizeBytes);
  }

  private static OutOfMemoryError refused(
      PageSettings settings, GranuleStates states, String errno) {
    return new OutOfMemoryError(
        "pretouching refused: allocator="
            + settings.name()
            + ", pretouchBytes="
            + settings.pretouchBytes()
            + ", committedBytes="
            + states.addresses.committedBytes()
            + ", capacityBytes="
            + settings.capacityBytes()
            + ", budget="
            + settings.budget().name()
            + ", budgetCommittedBytes="
            + settings.budget().committedBytes()
            + ", errno="
            + errno);
  }
}
