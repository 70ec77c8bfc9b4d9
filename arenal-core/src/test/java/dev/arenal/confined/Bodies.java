package dev.arenal.confined;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs code on threads of its own, so that no test finds the slabs that another one left. */
final class Bodies {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Bodies() {}

  /** The work of a thread; its exception is rethrown in the thread that waits for it. */
  @FunctionalInterface
  interface Body {
    void run() throws Exception;
  }

  /** A thread that has been started, and what it threw. */
  static final class Running {
    private final Thread thread;
    private volatile @Nullable Throwable thrown;

    private Running(Thread.Builder builder, Body body) {
      thread =
          builder.start(() -> {
            try {
              body.run();
            } catch (Throwable e) {
              thrown = e;
            }
          });
    }

    Thread thread() {
      return thread;
    }

    /** Waits for the end of the thread and rethrows what it threw. */
    void join() throws InterruptedException {
      Throwable failure = joinAndCatch();
      if (failure instanceof AssertionError e) {
        throw e; // with its own message
      }
      if (failure != null) {
        throw new AssertionError("a thread failed: " + failure, failure);
      }
    }

    /** Waits for the end of the thread; what it threw, or null. */
    @Nullable Throwable joinAndCatch() throws InterruptedException {
      if (!thread.join(PATIENCE)) {
        throw new AssertionError("a thread has not ended: " + thread);
      }
      return thrown;
    }
  }

  static Running start(Body body) {
    return new Running(Thread.ofPlatform().daemon(), body);
  }

  static Running startVirtual(Body body) {
    return new Running(Thread.ofVirtual(), body);
  }

  /** On a new platform thread, to its end. */
  static void onPlatformThread(Body body) throws InterruptedException {
    start(body).join();
  }

  /** On a new virtual thread, to its end. */
  static void onVirtualThread(Body body) throws InterruptedException {
    startVirtual(body).join();
  }

  /** The exception of the body on another platform thread, or null. */
  static @Nullable Throwable thrownElsewhere(Body body) throws InterruptedException {
    return start(body).joinAndCatch();
  }

  /** Waits until something has happened that needs the garbage collector. */
  static void awaitCollected(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("nothing happened in " + PATIENCE);
      }
      System.gc();
      Thread.sleep(5);
    }
  }
}
