package dev.arenal.elastic;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Threads that work until the time is up; the first failure of any stops all and is rethrown. */
final class Crew {
  /** A thread that ends no sooner hangs, however busy the machine is. */
  private static final long GRACE_MILLIS = 60_000;

  private static final long MOST_EXTRA_NANOS = 30_000_000_000L;

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final String test;
  private final long deadlineNanos;
  private volatile BooleanSupplier isEnough = () -> true;

  /** One turn of a thread. */
  @FunctionalInterface
  interface Turn {
    void take(SplittableRandom random) throws Exception;
  }

  Crew(String test, int forMillis) {
    this.test = test;
    this.deadlineNanos = System.nanoTime() + forMillis * 1_000_000L;
  }

  /** Whether a thread waits, for a time or for ever. */
  static boolean isWaiting(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  /**
   * A condition that must hold at the end: on a busy machine the threads go on beyond their time
   * until it does, for half a minute at most.
   */
  void goOnUntil(BooleanSupplier condition) {
    isEnough = condition;
  }

  boolean hasTime() {
    long restNanos = deadlineNanos - System.nanoTime();
    return failure.get() == null
        && (restNanos > 0 || (restNanos > -MOST_EXTRA_NANOS && !isEnough.getAsBoolean()));
  }

  /** A thread that takes turns. */
  void add(Turn turn) {
    SplittableRandom random = new SplittableRandom(Seeds.derive(test, threads.size()));
    Thread thread =
        Thread.ofPlatform()
            .name(test + "-" + threads.size())
            .unstarted(() -> {
              try {
                boolean hasTurn = failure.get() == null; // others may wait for the first one
                while (hasTurn) {
                  turn.take(random);
                  hasTurn = hasTime();
                }
              } catch (Throwable e) {
                fail(e);
              }
            });
    threads.add(thread); // first: a thread that fails interrupts those that are there
    thread.start();
    if (failure.get() != null) {
      thread.interrupt();
    }
  }

  /** Notes the first failure, and stops all: also those that wait for the one that has failed. */
  private void fail(Throwable e) {
    if (failure.compareAndSet(null, e)) {
      for (Thread thread : threads) {
        thread.interrupt();
      }
    }
  }

  /**
   * Waits for all to end.
   *
   * @throws AssertionError if one has failed, or does not end
   */
  void join() throws InterruptedException {
    for (Thread thread : threads) {
      long restMillis = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000 + GRACE_MILLIS);
      thread.join(restMillis);
      if (thread.isAlive()) {
        AssertionError hanging = new AssertionError("a thread hangs: " + thread.getName());
        hanging.setStackTrace(thread.getStackTrace());
        fail(hanging);
      }
    }
    Throwable first = failure.get();
    if (first != null) {
      throw new AssertionError(Seeds.hint() + ": " + first, first);
    }
  }
}
