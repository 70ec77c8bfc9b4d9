package dev.arenal.elastic;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that work until the time is up; the first failure of any stops all and is rethrown. */
final class Crew {
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();
  private final String test;
  private final long deadlineNanos;

  /** One turn of a thread. */
  @FunctionalInterface
  interface Turn {
    void take(SplittableRandom random) throws Exception;
  }

  Crew(String test, int forMillis) {
    this.test = test;
    this.deadlineNanos = System.nanoTime() + forMillis * 1_000_000L;
  }

  boolean hasTime() {
    return failure.get() == null && System.nanoTime() < deadlineNanos;
  }

  /** A thread that takes turns. */
  void add(Turn turn) {
    SplittableRandom random = new SplittableRandom(Seeds.derive(test, threads.size()));
    threads.add(
        Thread.ofPlatform()
            .name(test + "-" + threads.size())
            .start(() -> {
              try {
                while (hasTime()) {
                  turn.take(random);
                }
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              }
            }));
  }

  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable first = failure.get();
    if (first != null) {
      throw new AssertionError(Seeds.hint() + ": " + first, first);
    }
  }
}
