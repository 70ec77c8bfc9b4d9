package dev.arenal.page;

import dev.arenal.memory.CommitMode;
import dev.arenal.memory.DeadRanges;
import dev.arenal.memory.Reservation;
import dev.arenal.os.Errno;
import dev.arenal.stats.MemoryEvents;

/** Parts of pages in use that go back to the kernel, and come again. */
final class PageParts {
  /**
   * In which the cache gives way: a thread that takes what it gives does not keep it going for
   * ever.
   */
  private static final int MOST_ROUNDS = 8;

  private final SupplyState supply;
  private final Uncommitter uncommitter;

  PageParts(SupplyState supply, Uncommitter uncommitter) {
    this.supply = supply;
    this.uncommitter = uncommitter;
  }

  /**
   * Gives dead OS pages inside pages in use back to the kernel. They come off the budget and still
   * count against the capacity.
   *
   * @return bytes that have gone: all of the first ranges, or less if the kernel refuses
   */
  long discard(DeadRanges ranges) {
    if (ranges.count() == 0) {
      return 0;
    }
    MemoryEvents.Uncommit event = MemoryEvents.beginUncommit();
    try {
      var _ = ranges.giveBack(supply.os, supply.mode);
    } finally {
      long restBytes = ranges.givenBackBytes();
      supply.lock.lock();
      try {
        for (int i = 0; i < ranges.count() && restBytes >= ranges.sizeBytes(i); i++) {
          restBytes -= ranges.sizeBytes(i);
          Reservation reservation = supply.granules.addresses.reservationOf(ranges.address(i));
          long offsetBytes = ranges.address(i) - reservation.baseAddress();
          var _ = reservation.uncommitted(offsetBytes, ranges.sizeBytes(i));
        }
      } finally {
        supply.lock.unlock();
      }
    }
    event.end(PageState.KIND, supply.settings.name(), ranges.totalBytes(), ranges.givenBackBytes());
    var _ = supply.statistics.uncommittedBytes.addAndGet(ranges.givenBackBytes());
    return ranges.givenBackBytes();
  }

  /**
   * Commits what was discarded in a range of whole OS pages of one page in use, which reads zero
   * then. Nobody else may do so for the same range meanwhile.
   *
   * @return false where budget or kernel refuse: nothing has changed then
   */
  boolean recommit(long address, long sizeBytes) {
    DeadRanges missing = new DeadRanges();
    Reservation reservation;
    supply.lock.lock();
    try {
      reservation = supply.granules.addresses.reservationOf(address);
      long offsetBytes = address - reservation.baseAddress();
      long end = offsetBytes + sizeBytes;
      long at = reservation.nextUncommitted(offsetBytes, end);
      while (at < end) {
        long to = reservation.nextCommitted(at, end);
        missing.add(reservation.baseAddress() + at, to - at);
        at = reservation.nextUncommitted(to, end);
      }
    } finally {
      supply.lock.unlock();
    }
    if (missing.totalBytes() == 0) {
      return true;
    }
    long wantedBytes = missing.totalBytes();
    if (!tryCommit(wantedBytes)) {
      return false;
    }
    long error = -Errno.EFAULT;
    try {
      error = supply.mode == CommitMode.PROTECT ? allowAll(missing) : 0;
    } finally {
      if (error < 0) {
        supply.granules.addresses.uncountRefused(missing.totalBytes());
      }
      supply.lock.lock();
      try {
        if (error < 0) {
          supply.lastErrno = error;
        } else {
          for (int i = 0; i < missing.count(); i++) {
            long offsetBytes = missing.address(i) - reservation.baseAddress();
            supply.granules.addresses.noteCommitted(reservation, offsetBytes, missing.sizeBytes(i));
          }
        }
      } finally {
        supply.lock.unlock();
      }
    }
    if (error == 0) {
      supply.grownBytes.addAndGet(missing.totalBytes());
    }
    return error == 0;
  }

  /** The cache gives way, but nobody else is asked: the caller holds the lock of a heap. */
  private boolean tryCommit(long wantedBytes) {
    long deadlineNanos = SupplyState.awaitDeadline();
    int countRounds = 0;
    while (!supply.granules.addresses.tryCount(wantedBytes)) {
      // Another one of the budget may have been faster: then the cache gives way once more.
      boolean hasGiven = countRounds < MOST_ROUNDS && uncommitter.giveWay(wantedBytes) > 0;
      countRounds++;
      if (!hasGiven && !awaitTouched(wantedBytes, deadlineNanos)) {
        return false;
      }
    }
    return true;
  }

  /** Memory that a pretouch has in hand may give way, too. */
  private boolean awaitTouched(long wantedBytes, long deadlineNanos) {
    supply.lock.lock();
    try {
      return supply.touchedMayPayFor(wantedBytes) && supply.awaitTouched(deadlineNanos);
    } finally {
      supply.lock.unlock();
    }
  }

  private int allowAll(DeadRanges ranges) {
    for (int i = 0; i < ranges.count(); i++) {
      int error = supply.os.allow(ranges.address(i), ranges.sizeBytes(i));
      if (error < 0) {
        while (--i >= 0) { // a refusal here leaves pages accessible: harmless
          var _ = supply.os.revoke(ranges.address(i), ranges.sizeBytes(i));
        }
        return error;
      }
    }
    return 0;
  }
}
