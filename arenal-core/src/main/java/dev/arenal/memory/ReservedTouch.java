package dev.arenal.memory;

import dev.arenal.touch.TouchNeed;
import dev.arenal.touch.TouchPiece;
import dev.arenal.touch.TouchSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The beginning of a {@link ReservedMemory}, as far as it is to be touched. */
final class ReservedTouch implements TouchSource {
  private final ReservedMemory memory;
  private final long endBytes;
  private long nextBytes;

  /** What this run has committed: offset and size, one after the other. */
  private final List<Range> committed = new ArrayList<>();

  private record Range(long offsetBytes, long sizeBytes) {}

  ReservedTouch(ReservedMemory memory, long endBytes) {
    this.memory = memory;
    this.endBytes = endBytes;
  }

  /** What is committed is taken for resident. */
  TouchNeed need() {
    Budget budget = memory.budget();
    long newBytes;
    memory.lock.lock();
    try {
      newBytes = endBytes - memory.reservation.committedBytes(0, endBytes);
    } finally {
      memory.lock.unlock();
    }
    return new TouchNeed(
        newBytes, 0, 0, budget.name(), newBytes, budget.limitBytes(), budget.committedBytes());
  }

  @Override
  public @Nullable TouchPiece next(long mostBytes) {
    if (nextBytes == endBytes) {
      return null;
    }
    long sizeBytes = Math.min(mostBytes, endBytes - nextBytes);
    if (!tryCommit(sizeBytes) && !(memory.budget().reclaim() > 0 && tryCommit(sizeBytes))) {
      throw memory.budgetUsedUp(sizeBytes);
    }
    long offsetBytes = nextBytes;
    nextBytes += sizeBytes;
    return new TouchPiece(memory.reservation.baseAddress() + offsetBytes, sizeBytes);
  }

  private boolean tryCommit(long sizeBytes) {
    memory.lock.lock();
    try {
      // Noted first: nothing may be committed that nobody knows of, should the heap be full.
      List<Range> before = uncommittedRanges(nextBytes, nextBytes + sizeBytes);
      committed.addAll(before);
      boolean isDone = false;
      try {
        isDone = memory.reservation.commit(nextBytes, sizeBytes) >= 0;
      } finally {
        if (!isDone) {
          committed.subList(committed.size() - before.size(), committed.size()).clear();
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

  /** Whoever has uncommitted a part of it meanwhile does not want it resident. */
  @Override
  public void done(TouchPiece piece) {
    long offsetBytes = piece.address() - memory.reservation.baseAddress();
    memory.lock.lock();
    try {
      for (Range range : uncommittedRanges(offsetBytes, offsetBytes + piece.sizeBytes())) {
        var _ = memory.discard(range.offsetBytes, range.sizeBytes);
      }
    } finally {
      memory.lock.unlock();
    }
  }

  /** Goes back with all the others. */
  @Override
  public void failed(TouchPiece piece) {
    done(piece);
  }

  @Override
  public void undo() {
    for (Range range : committed) {
      var _ = memory.uncommit(range.offsetBytes, range.sizeBytes);
    }
  }

  @Override
  public TouchPiece hugeRange(TouchPiece piece) {
    return new TouchPiece(memory.reservation.baseAddress(), endBytes);
  }

  /** A program of its own that asks for huge pages has them for good. */
  @Override
  public boolean wantsSmallPagesLater() {
    return false;
  }
}
