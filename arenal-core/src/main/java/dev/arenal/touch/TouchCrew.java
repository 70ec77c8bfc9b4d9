package dev.arenal.touch;

import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one run: each claims a piece, touches it and hands it over, until nothing is left
 * or something is wrong.
 *
 * <p>What is wrong first is kept, and ends all of them. One lock, the crew's, is held while the
 * source is asked and told; locks of the source are taken inside it, never the other way round.
 */
final class TouchCrew {
  /** Small enough that a cancellation is noticed soon, large enough that calls do not count. */
  private static final long PIECE_BYTES = 8L << 20;

  /** Where hardly anything is left, each thread goes by such steps: a huge page still fits. */
  private static final long LEAST_PIECE_BYTES = 2L << 20;

  /** How often somebody looks around. */
  private static final long LOOK_NANOS = 20_000_000;

  private final OperatingSystem os;
  private final Pretouch settings;
  private final TouchSource source;
  private final TouchPlan plan;
  private final long wantedBytes;
  private final Thread caller = Thread.currentThread();
  private final ReentrantLock lock = new ReentrantLock();

  /** Held by who looks around; the others go on. */
  private final ReentrantLock looking = new ReentrantLock();

  private final AtomicLong touchedBytes = new AtomicLong();

  // Guarded by the lock.
  private final TouchedRanges ranges = new TouchedRanges();

  private TouchPiece advised = new TouchPiece(0, 0);
  private long doneBytes;
  private long countFaults;

  /** Set under the lock once, read without it: who sees it late touches one piece more. */
  private volatile @Nullable Throwable failure;

  /** Guarded by {@code looking}; whichever comes first. */
  private long nextLookBytes;

  private long nextLookNanos = System.nanoTime() + LOOK_NANOS;

  TouchCrew(
      OperatingSystem os, Pretouch settings, TouchPlan plan, TouchSource source, long wantedBytes) {
    this.os = os;
    this.settings = settings;
    this.plan = plan;
    this.source = source;
    this.wantedBytes = wantedBytes;
  }

  /** Does all of it; returns what went wrong, or null. */
  @Nullable Throwable work() {
    boolean callerTouches = plan.processors() == null && !caller.isVirtual();
    List<Thread> others = new ArrayList<>();
    int countOthers = plan.countThreads() - (callerTouches ? 1 : 0);
    for (int i = 0; i < countOthers; i++) {
      Thread thread =
          Thread.ofPlatform().daemon().name("arenal-pretouch-" + i).unstarted(this::touchBound);
      try {
        thread.start();
        others.add(thread);
      } catch (OutOfMemoryError e) { // no thread more: those that there are do it
        break;
      }
    }
    if (callerTouches || others.isEmpty()) {
      touchAll();
    }
    boolean isInterrupted = false;
    for (Thread thread : others) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          isInterrupted = true;
          fail(plan.cancelled(wantedBytes, touchedBytes.get()));
        }
      }
    }
    if (isInterrupted) {
      caller.interrupt();
    }
    return failure;
  }

  private void touchBound() {
    BitSet processors = plan.processors();
    if (processors != null) {
      var _ = os.bindThread(processors); // a hint, too
    }
    touchAll();
  }

  private void touchAll() {
    long faultsBefore = os.threadFaults();
    try {
      TouchPiece piece = claim();
      while (piece != null) {
        settle(piece, touch(piece));
        lookAround(); // with nothing in hand: callbacks may do what they like
        piece = claim();
      }
    } catch (Throwable e) { // whatever a source or a listener throws
      fail(e);
    } finally {
      long faults = os.threadFaults() - faultsBefore;
      lock.lock();
      try {
        countFaults = faultsBefore < 0 || countFaults < 0 ? -1 : countFaults + faults;
      } finally {
        lock.unlock();
      }
    }
  }

  private @Nullable TouchPiece claim() {
    lock.lock();
    try {
      TouchPiece piece = failure == null ? source.next(pieceBytes()) : null;
      if (piece == null) {
        return null;
      }
      boolean isDone = false;
      try {
        adviseHuge(piece);
        isDone = true;
      } finally {
        if (!isDone) { // the Java heap is full
          source.failed(piece);
        }
      }
      return piece;
    } finally {
      lock.unlock();
    }
  }

  /** As seldom as can be: it waits for all who touch, and they for it. */
  private void adviseHuge(TouchPiece piece) {
    if (settings.hugePages() && !advised.contains(piece)) {
      advised = source.hugeRange(piece);
      plan.adviseHuge(advised, true);
      ranges.add(advised);
    }
  }

  /** Returns what went wrong, or null. */
  private @Nullable Throwable touch(TouchPiece piece) {
    try {
      int error = source.touch(piece, this::touch);
      return error == 0 ? null : plan.failed(wantedBytes, touchedBytes.get(), error);
    } catch (Throwable e) {
      return e;
    }
  }

  /** Calls nobody back. */
  private int touch(long address, long sizeBytes) {
    int error = 0;
    if (plan.populates()) {
      error = os.populate(address, sizeBytes);
    } else {
      os.touch(address, sizeBytes);
    }
    if (error == 0) {
      touchedBytes.addAndGet(sizeBytes);
    }
    return error;
  }

  /** All threads together touch no more than what may be touched unseen. */
  private long pieceBytes() {
    long bytes = plan.bytesUntilLook() / plan.countThreads();
    return Math.clamp(bytes & -LEAST_PIECE_BYTES, LEAST_PIECE_BYTES, PIECE_BYTES);
  }

  private void settle(TouchPiece piece, @Nullable Throwable trouble) {
    lock.lock();
    try {
      ranges.add(piece);
      if (trouble == null) {
        doneBytes += piece.sizeBytes();
        source.done(piece);
      } else {
        fail(trouble);
        source.failed(piece);
      }
    } finally {
      lock.unlock();
    }
  }

  /** From time to time, by whoever comes along: tells how far it is, and asks whether to go on. */
  private void lookAround() {
    if (!looking.tryLock()) {
      return;
    }
    try {
      long touched = touchedBytes.get();
      if (failure == null && (caller.isInterrupted() || settings.cancelled().getAsBoolean())) {
        fail(plan.cancelled(wantedBytes, touched));
      }
      boolean isTime = System.nanoTime() - nextLookNanos >= 0;
      if (failure != null || (!isTime && touched < nextLookBytes)) {
        return;
      }
      OutOfMemoryError shortage = plan.shortage(wantedBytes, touched);
      if (shortage != null) {
        fail(shortage);
        return;
      }
      long untilLookBytes = plan.bytesUntilLook();
      nextLookBytes =
          Long.MAX_VALUE - touched < untilLookBytes ? Long.MAX_VALUE : touched + untilLookBytes;
      if (isTime) {
        settings.progress().touched(Math.min(touched, wantedBytes), wantedBytes);
        nextLookNanos = System.nanoTime() + LOOK_NANOS;
      }
    } catch (Throwable e) { // of a callback
      fail(e);
    } finally {
      looking.unlock();
    }
  }

  private void fail(Throwable trouble) {
    lock.lock();
    try {
      Throwable first = failure;
      if (first == null) {
        failure = trouble;
      } else if (!first.equals(trouble)) {
        first.addSuppressed(trouble);
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- after the work ----

  /** What was handed over. */
  long doneBytes() {
    return doneBytes;
  }

  /** Page faults of all threads; -1 if that is not known. */
  long countFaults() {
    return countFaults;
  }

  /** All that was claimed. */
  List<TouchPiece> ranges() {
    return ranges.joined();
  }
}
