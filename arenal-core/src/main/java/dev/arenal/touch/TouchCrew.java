package dev.arenal.touch;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.guard.DaemonThreads;
import dev.arenal.guard.StackSafeLock;
import dev.arenal.os.HugePages;
import dev.arenal.os.OperatingSystem;
import dev.arenal.pretouch.Pretouch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one run: each claims a part, touches it and hands it over, until nothing is left
 * or an error occurs.
 *
 * <p>The first error is kept, and ends all of them. One lock, the crew's, is held while the source
 * is asked; locks of the source are taken inside it, never the other way round.
 */
final class TouchCrew {
  /** Small enough that a cancellation is noticed soon, large enough that calls do not count. */
  private static final long PART_BYTES = 8L << 20;

  /** Takes as long as a smaller part of small pages: what is done for each counts sooner. */
  private static final long HUGE_PART_BYTES = 4 * PART_BYTES;

  /** The size of a part where hardly any memory is left: a huge page still fits. */
  private static final long LEAST_PART_BYTES = HugePages.SIZE_BYTES;

  /** The interval of progress callbacks. */
  private static final long TELL_NANOS = 20_000_000;

  /**
   * The interval of questions to the kernel about available memory; shorter where little is left.
   */
  private static final long LOOK_NANOS = 5 * TELL_NANOS;

  /** The most attempts to claim a part after others have made room. */
  private static final int MOST_CLAIMS = 3;

  /** A thread that makes room runs the program's code: it may take as long as it likes. */
  private static final long MOST_ASKING_NANOS = 10_000_000_000L;

  private static final long ASKING_NANOS = 1_000_000;

  private final OperatingSystem os;
  private final Pretouch settings;
  private final TouchSource source;
  private final TouchPlan plan;
  private final Refusals refusals;
  private final Thread caller = Thread.currentThread();
  private final StackSafeLock lock = new StackSafeLock();

  /** Held by the thread that looks around; the others go on. */
  private final StackSafeLock looking = new StackSafeLock();

  private final AtomicLong touchedBytes = new AtomicLong();

  /** Those that are being touched included, which may be resident already. */
  private final AtomicLong begunBytes = new AtomicLong();

  /** The threads that are making room. */
  private final AtomicLong askingCount = new AtomicLong();

  /** How often a thread has made room. */
  private final AtomicLong askedCount = new AtomicLong();

  // Guarded by the lock.

  /** Where huge pages were asked for: beginnings and ends, of which none touch each other. */
  private final TreeMap<Long, Long> hugeRanges = new TreeMap<>();

  private TouchRange advised = new TouchRange(0, 0);
  private long doneBytes;
  private long faultCount;

  /** Of the caller: the threads that touch, fewer than planned where no more can be started. */
  private int threadCount;

  /** Set under the lock once, read without it: a thread that sees it late touches one part more. */
  private volatile @Nullable Throwable failure;

  /** The caller was interrupted while it waited for the others. */
  private volatile boolean isCancelled;

  /** Whichever comes first; written with {@code looking} held, read without it. */
  private volatile long nextLookBytes;

  // Guarded by looking.
  private long nextLookNanos = System.nanoTime() + LOOK_NANOS;
  private long nextTellNanos = System.nanoTime() + TELL_NANOS;

  TouchCrew(
      OperatingSystem os,
      Pretouch settings,
      TouchPlan plan,
      Refusals refusals,
      TouchSource source) {
    this.os = os;
    this.settings = settings;
    this.plan = plan;
    this.source = source;
    this.refusals = refusals;
    this.nextLookBytes = refusals.bytesUntilLook();
  }

  /**
   * Does all of the work; returns the first error, or null. All threads have ended when it returns.
   */
  @Nullable Throwable work() {
    boolean callerTouches = plan.processors() == null && !caller.isVirtual();
    List<Thread> others = new ArrayList<>(plan.threadCount());
    try {
      start(others, plan.threadCount() - (callerTouches ? 1 : 0));
      callerTouches |= others.isEmpty();
      threadCount = others.size() + (callerTouches ? 1 : 0);
      if (callerTouches) {
        touchAll();
      }
    } catch (Throwable e) { // the Java heap is full
      fail(e);
    } finally {
      joinAll(others);
    }
    return failure;
  }

  private void start(List<Thread> others, int otherCount) {
    for (int i = 0; i < otherCount; i++) {
      Thread thread = DaemonThreads.unstarted("arenal-pretouch-" + i, this::touchBound);
      thread.setUncaughtExceptionHandler((_, e) -> fail(e)); // with the whole stack free again
      others.add(thread);
      try {
        thread.start();
      } catch (OutOfMemoryError e) { // no further thread: those that run do the work
        others.removeLast();
        return;
      }
    }
  }

  private void joinAll(List<Thread> others) {
    boolean isInterrupted = false;
    for (int i = 0; i < others.size(); i++) { // no iterator: the Java heap may be full
      Thread thread = others.get(i);
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException | OutOfMemoryError e) { // no Java heap for the former
          isInterrupted = true;
          isCancelled = true;
        }
      }
    }
    if (isInterrupted) {
      caller.interrupt();
    }
  }

  private void touchBound() {
    try {
      BitSet processors = plan.processors();
      if (processors != null) {
        var _ = os.bindThread(processors); // a hint, too
      }
      touchAll();
    } catch (Throwable e) {
      fail(e);
    }
  }

  private void touchAll() {
    long faultsBefore = -1;
    try {
      faultsBefore = os.threadFaults();
      TouchPart part = claimAtLast();
      while (part != null) {
        settle(part, touch(part));
        lookAround(); // with nothing in hand: callbacks may do anything
        part = claimAtLast();
      }
      noteFaults(faultsBefore, os.threadFaults());
    } catch (Throwable e) { // whatever a source or a listener throws
      fail(e);
    }
  }

  private void noteFaults(long before, long after) {
    lock.lock();
    try {
      faultCount = before < 0 || after < 0 || faultCount < 0 ? -1 : faultCount + after - before;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Claims once more where others have made room. Several threads may be refused at the same time,
   * of which one makes the room, so that each waits for all; without a lock.
   *
   * <p>Only where the source refuses: with a full Java heap a part may be lost on the way, which
   * another claim would not touch.
   */
  private @Nullable TouchPart claimAtLast() {
    OutOfNativeMemoryError refusal;
    long before = askedCount.get();
    try {
      return claim();
    } catch (OutOfNativeMemoryError e) {
      refusal = e;
    }
    boolean helps = makeRoom();
    for (int i = 0; i < MOST_CLAIMS && (helps || awaitAsked(before)) && failure == null; i++) {
      helps = false;
      before = askedCount.get();
      try {
        return claim();
      } catch (OutOfNativeMemoryError e) {
        refusal = e;
      }
    }
    throw refusal;
  }

  private boolean makeRoom() {
    askingCount.incrementAndGet();
    try {
      boolean helps = source.makeRoom();
      askedCount.addAndGet(helps ? 1 : 0);
      return helps;
    } finally {
      askingCount.decrementAndGet();
    }
  }

  /** Waits until no thread makes room, not for ever; returns whether one has since. */
  private boolean awaitAsked(long before) {
    long startNanos = System.nanoTime();
    boolean isInterrupted = false;
    try {
      while (askingCount.get() > 0
          && failure == null
          && System.nanoTime() - startNanos < MOST_ASKING_NANOS) {
        if (Thread.interrupted()) { // else it would not park
          isInterrupted = true;
          if (Thread.currentThread().equals(caller)) {
            isCancelled = true;
          }
        }
        LockSupport.parkNanos(ASKING_NANOS);
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return askedCount.get() != before;
  }

  private @Nullable TouchPart claim() {
    lock.lock();
    try {
      TouchPart part = failure == null ? source.next(partBytes()) : null;
      if (part == null) {
        return null;
      }
      boolean isDone = false;
      try {
        adviseHuge(part);
        isDone = true;
      } finally {
        if (!isDone) { // the Java heap is full
          part.settle();
        }
      }
      return part;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Advises as large a range as possible, since the call and all threads that touch wait for each
   * other.
   */
  private void adviseHuge(TouchPart part) {
    if (settings.hugePages() && !advised.contains(part)) {
      advised = part.hugeRange();
      noteHuge(advised.address(), advised.end());
      HugePages.adviseWithin(os, advised.address(), advised.sizeBytes(), true);
    }
  }

  /** Joined with those that it touches. */
  private void noteHuge(long address, long end) {
    Map.Entry<Long, Long> before = hugeRanges.floorEntry(address);
    Map.Entry<Long, Long> last = hugeRanges.floorEntry(end);
    long from = before == null || before.getValue() < address ? address : before.getKey();
    long to = last == null ? end : Math.max(end, last.getValue());
    hugeRanges.put(from, to); // first: where the Java heap is full, nothing is lost
    hugeRanges.subMap(from, false, to, true).clear();
  }

  /** Returns the error, or null. */
  private @Nullable Throwable touch(TouchPart part) {
    try {
      int error = part.touch(this::touch);
      return error == 0 ? null : refusals.failed(touchedBytes.get(), error);
    } catch (Throwable e) {
      return e;
    }
  }

  /** Runs no callbacks. */
  private int touch(long address, long sizeBytes) {
    int error = 0;
    begunBytes.addAndGet(sizeBytes);
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

  /** All threads together touch at most as much as may be touched between two checks. */
  private long partBytes() {
    long bytes = refusals.bytesUntilLook() / plan.threadCount();
    long mostBytes = settings.hugePages() ? HUGE_PART_BYTES : PART_BYTES;
    return Math.clamp(bytes & -LEAST_PART_BYTES, LEAST_PART_BYTES, mostBytes);
  }

  /**
   * Settles with the owner first, so that its memory is returned even if recording the failure
   * fails.
   */
  private void settle(TouchPart part, @Nullable Throwable trouble) {
    part.settle(); // without the crew's lock: threads may wait for the part
    lock.lock();
    try {
      if (trouble == null) {
        doneBytes += part.sizeBytes();
      } else {
        fail(trouble);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Reports the progress, and checks whether to go on; from time to time, by any thread. */
  private void lookAround() {
    if (touchedBytes.get() >= nextLookBytes) {
      looking.lock(); // the limit between two checks is reached: all threads wait
    } else if (!looking.tryLock()) {
      return;
    }
    try {
      long touched = touchedBytes.get();
      if (failure == null
          && (isCancelled || caller.isInterrupted() || settings.cancelled().getAsBoolean())) {
        fail(refusals.cancelled(touched));
      }
      long nanos = System.nanoTime();
      if (failure == null && (touched >= nextLookBytes || nanos - nextLookNanos >= 0)) {
        look(touched);
        nextLookNanos = nanos + LOOK_NANOS;
      }
      if (failure == null && nanos - nextTellNanos >= 0) {
        long wantedBytes = plan.wantedBytes();
        settings.progress().touched(Math.min(touched, wantedBytes), wantedBytes);
        nextTellNanos = System.nanoTime() + TELL_NANOS;
      }
    } catch (Throwable e) { // of a callback
      fail(e);
    } finally {
      looking.unlock();
    }
  }

  private void look(long touched) {
    OutOfMemoryError shortage = refusals.shortage(touched, begunBytes);
    if (shortage != null) {
      fail(shortage);
    }
    nextLookBytes = Math.min(Long.MAX_VALUE - touched, refusals.bytesUntilLook()) + touched;
  }

  private void fail(Throwable trouble) {
    lock.lock();
    try {
      Throwable first = failure;
      if (first == null) {
        failure = trouble;
      } else if (!first.equals(trouble) && !(trouble instanceof VirtualMachineError)) {
        first.addSuppressed(trouble);
      }
    } finally {
      lock.unlock();
    }
  }

  // ---- after the work ----

  /** The number of threads that have touched. */
  int threadCount() {
    return threadCount;
  }

  /** The part handed over. */
  long doneBytes() {
    return doneBytes;
  }

  /** Page faults of all threads; -1 if that is not known. */
  long faultCount() {
    return faultCount;
  }

  /** All that huge pages were asked for, in the order of addresses. */
  List<TouchRange> hugeRanges() {
    List<TouchRange> ranges = new ArrayList<>();
    for (Map.Entry<Long, Long> range : hugeRanges.entrySet()) {
      ranges.add(new TouchRange(range.getKey(), range.getValue() - range.getKey()));
    }
    return ranges;
  }
}
