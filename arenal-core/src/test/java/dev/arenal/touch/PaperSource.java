package dev.arenal.touch;

import dev.arenal.os.SimulatedOperatingSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One mapping whose pieces are claimed in order, and which notes what becomes of them. */
final class PaperSource implements TouchSource {
  private final SimulatedOperatingSystem os;
  private final long sizeBytes;
  final long address;
  private long claimedBytes;
  private long doneBytes;
  private int countClaimed;
  private int countFailed;
  private int countUndone;
  private int inside;
  private final Set<TouchPiece> touched = ConcurrentHashMap.newKeySet();
  final List<String> complaints = new ArrayList<>();

  /** Thrown by {@link #next} once so much is claimed. */
  @Nullable Error failure;

  long failsAfterBytes;

  PaperSource(SimulatedOperatingSystem os, long sizeBytes) {
    this.os = os;
    this.sizeBytes = sizeBytes;
    this.address = os.reserve(sizeBytes, true);
  }

  @Override
  public @Nullable TouchPiece next(long mostBytes) {
    enter();
    try {
      if (failure != null && claimedBytes >= failsAfterBytes) {
        throw failure;
      }
      long pieceBytes = Math.min(mostBytes, sizeBytes - claimedBytes);
      if (pieceBytes == 0) {
        return null;
      }
      claimedBytes += pieceBytes;
      countClaimed++;
      return new TouchPiece(address + claimedBytes - pieceBytes, pieceBytes);
    } finally {
      inside--;
    }
  }

  @Override
  public int touch(TouchPiece piece, Toucher toucher) {
    int error = toucher.touch(piece.address(), piece.sizeBytes());
    if (error == 0) {
      touched.add(piece);
    }
    return error;
  }

  @Override
  public void settle(TouchPiece piece) {
    enter();
    if (touched.contains(piece)) {
      doneBytes += piece.sizeBytes();
    } else {
      countFailed++;
    }
    countClaimed--;
    inside--;
  }

  @Override
  public void undo() {
    enter();
    countUndone++;
    inside--;
  }

  private void enter() {
    if (inside++ != 0) {
      complaints.add("two threads at a time");
    }
    if (countUndone != 0) {
      complaints.add("called after the end");
    }
  }

  long doneBytes() {
    return doneBytes;
  }

  int countFailed() {
    return countFailed;
  }

  int countUndone() {
    return countUndone;
  }

  /** Claimed and never heard of again. */
  int countLost() {
    return countClaimed;
  }

  void release() {
    var _ = os.release(address, sizeBytes);
  }
}
