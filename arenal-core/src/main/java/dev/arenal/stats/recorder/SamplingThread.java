package dev.arenal.stats.recorder;

import dev.arenal.events.MemoryEvents;
import dev.arenal.guard.DaemonThreads;
import dev.arenal.guard.StackReserve;
import dev.arenal.os.CarrierLock;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The one daemon thread that samples all recorders, each a second after the last time.
 *
 * <p>It knows recorders weakly, so one that its owner dropped without a close vanishes with its
 * MXBean; it ends when there is none, and starts again with the next.
 */
final class SamplingThread implements Runnable {
  /**
   * The shortest wait, so that ten thousand recorders, each with a second of its own, do not wake
   * it up more often.
   */
  private static final long LEAST_WAIT_NANOS = StatisticsRecorder.ON_TIME_NANOS / 2;

  private static final long TRY_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** The first statistics of a space are opened with its monitor held. */
  static final CarrierLock LOCK = new CarrierLock();

  private static final Condition CHANGED = LOCK.newCondition();

  /** Guarded by the lock. */
  private static final List<Entry> ENTRIES = new ArrayList<>();

  /** Whether a recorder has come that the thread has not seen. Guarded by the lock. */
  private static boolean hasFresh;

  private static @Nullable Thread thread;

  /** Whether it could not be started the last time; written under the lock. */
  private static volatile boolean isMissing;

  private SamplingThread() {}

  static Entry add(StatisticsRecorder recorder) {
    Entry entry = new Entry(recorder);
    StackReserve.ensure();
    Throwable failure = null;
    LOCK.lock();
    try {
      ENTRIES.add(entry);
      hasFresh = true;
      failure = start();
      CHANGED.signalAll();
    } finally {
      LOCK.unlock();
    }
    if (failure != null) {
      Log.samplingFailed(failure); // the program's code: without the lock
    }
    return entry;
  }

  /** Starts the thread if there was none more when it was wanted; with no lock held. */
  static void startAgain() {
    if (isMissing) {
      LOCK.lock();
      try {
        isMissing &= !ENTRIES.isEmpty() && start() != null;
      } finally {
        LOCK.unlock();
      }
    }
  }

  /** The open recorders, in the order of their opening. */
  static List<StatisticsRecorder> recorders() {
    List<StatisticsRecorder> recorders = new ArrayList<>();
    StackReserve.ensureShort();
    LOCK.lock();
    try {
      for (Entry entry : ENTRIES) {
        StatisticsRecorder recorder = entry.get();
        if (recorder != null) {
          recorders.add(recorder);
        }
      }
    } finally {
      LOCK.unlock();
    }
    return recorders;
  }

  /** The thread while there is one; for tests. */
  static @Nullable Thread thread() {
    LOCK.lock();
    try {
      return thread;
    } finally {
      LOCK.unlock();
    }
  }

  /** Where it does not run; under the lock. Returns the error if there is no thread more. */
  private static @Nullable Throwable start() {
    if (thread != null && thread.isAlive()) {
      return null;
    }
    try {
      Thread started = DaemonThreads.unstarted("arenal-statistics", new SamplingThread());
      started.start();
      thread = started;
      return null;
    } catch (OutOfMemoryError e) {
      isMissing = true; // a snapshot samples by itself, and tries again, as does the next recorder
      return e;
    }
  }

  @Override
  public void run() {
    LockSupport.parkNanos(1); // links the call for the handler below, which may find no heap
    boolean goesOn = true;
    while (goesOn) {
      try {
        if (hasEntries()) {
          sampleAll();
        }
        goesOn = hasEntries() || !end();
      } catch (Throwable e) {
        // The Java heap is full. All recorders need this thread again when it is not.
        LockSupport.parkNanos(TRY_AGAIN_NANOS);
      }
    }
  }

  private static void sampleAll() {
    if (MemoryEvents.isRecorderPresent()) {
      JfrRows.install(); // lets recordings ask for rows from now on
    }
    List<Entry> entries = unseen();
    boolean hasServer = hasServer();
    for (Entry entry : entries) {
      entry.serve(hasServer);
    }
    awaitNext();
  }

  /**
   * Whether this process has a platform MBean server, created by an agent that the JVM was started
   * with, a tool that attaches itself, or the program; one that the program made for itself is
   * none. Making it for the purpose takes 130 classes and the better part of a hundred
   * milliseconds, which most programs would pay for nothing. While there is no server at all, no
   * class of the module {@code java.management} is touched but this one.
   */
  private static boolean hasServer() {
    try {
      for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
        if (StatisticsBean.isOfPlatform(server)) {
          return true;
        }
      }
      return false;
    } catch (LinkageError e) {
      return false; // a run-time image without that module
    }
  }

  private static boolean hasEntries() {
    LOCK.lock();
    try {
      return !ENTRIES.isEmpty();
    } finally {
      LOCK.unlock();
    }
  }

  private static List<Entry> unseen() {
    LOCK.lock();
    try {
      List<Entry> seen = new ArrayList<>(ENTRIES);
      hasFresh = false;
      return seen;
    } finally {
      LOCK.unlock();
    }
  }

  /** Waits until a recorder is due or has come, or there is none. */
  private static void awaitNext() {
    Throwable failure = null;
    LOCK.lock();
    try {
      for (int i = ENTRIES.size() - 1; i >= 0; i--) { // no lambda: a first use would link it
        if (ENTRIES.get(i).isGone) {
          ENTRIES.remove(i);
        }
      }
      long restNanos = Math.max(LEAST_WAIT_NANOS, untilDueNanos());
      while (restNanos > 0 && !ENTRIES.isEmpty() && !hasFresh) {
        restNanos = CHANGED.awaitNanos(restNanos);
      }
    } catch (InterruptedException e) {
      failure = e; // no code has a reason to; the flag is cleared, and sampling goes on
    } finally {
      LOCK.unlock();
    }
    if (failure != null) {
      Log.samplingFailed(failure);
    }
  }

  /**
   * Leaves nothing of this class with the JDK, whose class loader may be one that goes.
   *
   * @return false if a recorder has come meanwhile
   */
  private static boolean end() {
    try {
      // Without the lock: what is sampled for a recording needs it.
      if (MemoryEvents.isRecorderPresent()) {
        JfrRows.uninstall();
      }
    } catch (LinkageError e) {
      // The class loader was closed before the class was needed: nothing is installed.
      Thread.onSpinWait();
    }
    LOCK.lock();
    try {
      if (!ENTRIES.isEmpty()) {
        return false;
      }
      thread = null;
      return true;
    } finally {
      LOCK.unlock();
    }
  }

  private static long untilDueNanos() {
    long nowNanos = System.nanoTime();
    long leastNanos = TimeUnit.SECONDS.toNanos(1);
    for (Entry entry : ENTRIES) {
      leastNanos = Math.min(leastNanos, entry.dueNanos - nowNanos);
    }
    return leastNanos;
  }

  /** The thread's record of a recorder. */
  static final class Entry extends WeakReference<StatisticsRecorder> {
    /** Made where there is a server. Guarded by this. */
    private @Nullable StatisticsBean bean;

    /** No bean is registered any more. Guarded by this. */
    private boolean isOver;

    /** The time at which the thread has to look at it again. */
    private volatile long dueNanos;

    /** Its recorder was dropped and its bean is gone; of the thread. */
    private boolean isGone;

    Entry(StatisticsRecorder recorder) {
      super(recorder);
      this.dueNanos = recorder.dueNanos();
    }

    /** Ends the sampling. */
    void close() {
      StackReserve.ensureShort();
      LOCK.lock();
      try {
        ENTRIES.remove(this);
        CHANGED.signalAll();
      } finally {
        LOCK.unlock();
      }
      unregister();
    }

    /** Samples, if it is due. An error of one recorder does not stop the others. */
    private void serve(boolean hasServer) {
      try {
        StatisticsRecorder recorder = get();
        if (recorder == null) {
          isGone = true;
          unregister();
          return;
        }
        if (hasServer) {
          register(recorder);
        }
        recorder.tick();
        dueNanos = recorder.dueNanos();
      } catch (RuntimeException | Error e) {
        Log.samplingFailed(e);
      }
    }

    private void register(StatisticsRecorder recorder) {
      StatisticsBean known;
      Throwable failure;
      synchronized (this) {
        if (isOver) {
          return;
        }
        known = bean == null ? new StatisticsBean(recorder) : bean;
        bean = known;
        failure = known.register();
      }
      known.tell(failure);
    }

    /** The server tells its listeners, which may wait: a second caller does not wait for it. */
    private void unregister() {
      StatisticsBean known;
      ObjectName name;
      synchronized (this) {
        isOver = true;
        known = bean;
        name = known == null ? null : known.takeName();
      }
      if (known == null || name == null) {
        return;
      }
      Throwable failure;
      boolean isDone = false;
      try {
        failure = StatisticsBean.unregister(name);
        isDone = true;
      } finally {
        if (!isDone) { // the next close tries again
          synchronized (this) {
            known.putBack(name);
          }
        }
      }
      known.tell(failure);
    }
  }
}
