package dev.arenal.memory;

import dev.arenal.reserve.Ledger;
import dev.arenal.touch.TouchNeed;
import dev.arenal.touch.TouchPart;
import dev.arenal.touch.TouchRange;
import dev.arenal.touch.TouchSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The beginning of a {@link ReservedMemory}, as far as it is to be touched. */
final class ReservedTouch implements TouchSource {
  private final ReservedMemory memory;
  private final long endBytes;
  private long nextBytes;

  /**
   * Pages that this run has committed, or has found committed by another run that has not ended,
   * and that the program has not asked for since; guarded by the lock of the memory.
   */
  private final BitSet own = new BitSet();

  /** A part that has been committed, or was already. */
  private record Part(ReservedTouch source, long offsetBytes, long sizeBytes) implements TouchPart {
    @Override
    public long address() {
      return source.memory.reservation.baseAddress() + offsetBytes;
    }

    @Override
    public void settle() {
      source.discardUncommitted(offsetBytes, offsetBytes + sizeBytes);
    }

    @Override
    public TouchRange hugeRange() {
      return new TouchRange(source.memory.reservation.baseAddress(), source.endBytes);
    }
  }

  private record Range(long offsetBytes, long sizeBytes) {
    long end() {
      return offsetBytes + sizeBytes;
    }
  }

  ReservedTouch(ReservedMemory memory, long endBytes) {
    this.memory = memory;
    this.endBytes = endBytes;
  }

  /** Committed memory may be resident or not: the kernel is asked. */
  TouchNeed need() {
    Budget budget = memory.budget();
    memory.lock.lock();
    try {
      long newBytes = missingBytes();
      return new TouchNeed(
          newBytes + absentBytes(),
          0,
          0,
          budget.name(),
          newBytes,
          budget.limitBytes(),
          budget.committedBytes());
    } finally {
      memory.lock.unlock();
    }
  }

  private long missingBytes() {
    return memory.uncommittedBytes(0, endBytes);
  }

  private long absentBytes() {
    long bytes = 0;
    long from = memory.reservation.nextCommitted(0, endBytes);
    while (from < endBytes) {
      long to = memory.reservation.nextUncommitted(from, endBytes);
      bytes += Math.max(0, memory.absentBytes(from, to - from));
      from = memory.reservation.nextCommitted(to, endBytes);
    }
    return bytes;
  }

  /** Notes that the program has a range, or gave it back: this run no longer undoes it. */
  void disown(long offsetBytes, long sizeBytes) {
    own.clear(memory.page(offsetBytes), memory.page(offsetBytes + sizeBytes));
  }

  @Override
  public @Nullable TouchPart next(long mostBytes) {
    if (nextBytes == endBytes) {
      return null;
    }
    long sizeBytes = Math.min(mostBytes, endBytes - nextBytes);
    if (!tryCommit(sizeBytes)) {
      throw memory.budgetUsedUp(sizeBytes);
    }
    long offsetBytes = nextBytes;
    nextBytes += sizeBytes;
    return new Part(this, offsetBytes, sizeBytes);
  }

  @Override
  public boolean makeRoom() {
    return Ledger.of(memory.budget()).makeRoomInHoles(memory, missingBytes());
  }

  private boolean tryCommit(long sizeBytes) {
    memory.lock.lock();
    try {
      List<Range> uncommitted = uncommittedRanges(nextBytes, nextBytes + sizeBytes);
      boolean isDone = false;
      try {
        // Noted first: nothing may be committed without a note, should the heap be full.
        uncommitted.forEach(
            range -> own.set(memory.page(range.offsetBytes), memory.page(range.end())));
        memory.share(this, nextBytes, sizeBytes);
        isDone = memory.commitFor(this, nextBytes, sizeBytes) >= 0;
      } finally {
        if (!isDone) {
          disown(nextBytes, sizeBytes); // a run comes to each page once
        }
      }
      return isDone;
    } finally {
      memory.lock.unlock();
    }
  }

  private List<Range> uncommittedRanges(long fromBytes, long toBytes) {
    List<Range> ranges = new ArrayList<>();
    memory.lock.lock();
    try {
      long from = memory.reservation.nextUncommitted(fromBytes, toBytes);
      while (from < toBytes) {
        long to = memory.reservation.nextCommitted(from, toBytes);
        ranges.add(new Range(from, to - from));
        from = memory.reservation.nextUncommitted(to, toBytes);
      }
      return ranges;
    } finally {
      memory.lock.unlock();
    }
  }

  /** A thread that has uncommitted a part of it meanwhile does not want it resident. */
  private void discardUncommitted(long fromBytes, long toBytes) {
    memory.lock.lock();
    try {
      for (Range range : uncommittedRanges(fromBytes, toBytes)) {
        var _ = memory.discard(range.offsetBytes, range.sizeBytes);
      }
    } finally {
      memory.lock.unlock();
    }
  }

  /** Takes a share in what another run owns of a range. */
  void share(ReservedTouch other, long offsetBytes, long sizeBytes) {
    int end = memory.page(offsetBytes + sizeBytes);
    int from = other.own.nextSetBit(memory.page(offsetBytes));
    while (from >= 0 && from < end) {
      int to = Math.min(end, other.own.nextClearBit(from));
      own.set(from, to);
      from = other.own.nextSetBit(to);
    }
  }

  /** Leaves to another run what both own. */
  void leaveTo(ReservedTouch other) {
    own.andNot(other.own);
  }

  /** What another run owns as well stays for that one, which gives it back if it fails, too. */
  @Override
  public void undo() {
    memory.lock.lock();
    try {
      memory.leaveToOthers(this);
      Throwable refusal = null;
      for (int from = own.nextSetBit(0); from >= 0; ) {
        int to = own.nextClearBit(from);
        try {
          var _ = memory.uncommit(memory.offset(from), memory.offset(to) - memory.offset(from));
        } catch (IllegalStateException | OutOfMemoryError e) { // the others go nevertheless
          refusal = e;
        }
        from = own.nextSetBit(to);
      }
      own.clear(); // no other run leaves anything to this one any more
      if (refusal instanceof Error error) {
        throw error;
      } else if (refusal != null) {
        throw (IllegalStateException) refusal;
      }
    } finally {
      memory.lock.unlock();
    }
  }

  /** A program of its own that asks for huge pages has them for good. */
  @Override
  public boolean wantsSmallPagesLater() {
    return false;
  }
}
