package dev.arenal.touch;

import dev.arenal.os.SimulatedOperatingSystem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One mapping whose parts are claimed in order, and which notes what becomes of them. */
final class PaperSource implements TouchSource {
  private final SimulatedOperatingSystem os;
  private final long sizeBytes;
  final long address;
  private long claimedBytes;
  private long doneBytes;
  private int claimedCount;
  private int settledCount;
  private int failedCount;
  private int undoneCount;
  private int inside;
  final List<String> complaints = new ArrayList<>();

  /** Thrown by {@link #next} once so much is claimed. */
  @Nullable Error failure;

  long failsAfterBytes;

  /** The last part first. */
  boolean isBackwards;

  PaperSource(SimulatedOperatingSystem os, long sizeBytes) {
    this.os = os;
    this.sizeBytes = sizeBytes;
    this.address = os.reserve(sizeBytes, true);
  }

  @Override
  public @Nullable TouchPart next(long mostBytes) {
    enter();
    try {
      if (failure != null && claimedBytes >= failsAfterBytes) {
        throw failure;
      }
      long partBytes = Math.min(mostBytes, sizeBytes - claimedBytes);
      if (partBytes == 0) {
        return null;
      }
      claimedBytes += partBytes;
      claimedCount++;
      long offset = isBackwards ? sizeBytes - claimedBytes : claimedBytes - partBytes;
      return new Part(address + offset, partBytes);
    } finally {
      inside--;
    }
  }

  /** Settled once, by the thread that has claimed it. */
  private final class Part implements TouchPart {
    private final long address;
    private final long sizeBytes;
    private boolean isTouched;

    Part(long address, long sizeBytes) {
      this.address = address;
      this.sizeBytes = sizeBytes;
    }

    @Override
    public long address() {
      return address;
    }

    @Override
    public long sizeBytes() {
      return sizeBytes;
    }

    @Override
    public int touch(Toucher toucher) {
      int error = toucher.touch(address, sizeBytes);
      isTouched = error == 0;
      return error;
    }

    @Override
    public void settle() {
      note(isTouched ? sizeBytes : 0);
    }
  }

  private synchronized void note(long touchedBytes) {
    doneBytes += touchedBytes;
    failedCount += touchedBytes == 0 ? 1 : 0;
    settledCount++;
    if (undoneCount != 0) {
      complaints.add("settled after the end");
    }
  }

  @Override
  public void undo() {
    enter();
    undoneCount++;
    inside--;
  }

  private void enter() {
    if (inside++ != 0) {
      complaints.add("two threads at a time");
    }
    if (undoneCount != 0) {
      complaints.add("called after the end");
    }
  }

  long doneBytes() {
    return doneBytes;
  }

  int failedCount() {
    return failedCount;
  }

  int undoneCount() {
    return undoneCount;
  }

  /** Claimed and never heard of again. */
  int lostCount() {
    return claimedCount - settledCount;
  }

  void release() {
    var _ = os.release(address, sizeBytes);
  }
}
