package dev.arenal.lab.buffers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a load, which go through its steps together with the one that measures. The first
 * error of any of them ends them all, and is thrown by {@link #await}.
 */
final class Crew implements AutoCloseable {
  private final CyclicBarrier barrier;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /**
   * Makes threads of the kind that the allocator serves best.
   *
   * @param work of each thread, by its number: goes through all steps, with {@link #await} between
   *     them
   */
  Crew(BufferPeer peer, int threadCount, ObjIntConsumer<Crew> work) {
    this.barrier = new CyclicBarrier(threadCount + 1);
    for (int i = 0; i < threadCount; i++) {
      int number = i;
      Thread thread = peer.thread(() -> run(number, work), "buffers-" + number);
      thread.setDaemon(true);
      threads.add(thread);
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  private void run(int number, ObjIntConsumer<Crew> work) {
    try {
      work.accept(this, number);
    } catch (Throwable e) {
      boolean _ = failure.compareAndSet(null, e);
      breakBarrier();
      threads.forEach(Thread::interrupt);
    }
  }

  /**
   * For good, by a thread that comes to it interrupted: one that has just looked for a failure and
   * is about to wait learns of it too. A barrier that is reset would let it wait for ever.
   */
  private void breakBarrier() {
    Thread.currentThread().interrupt();
    try {
      int _ = barrier.await();
    } catch (BrokenBarrierException | InterruptedException e) {
      // As is meant: it is broken now, if it was not before.
    }
  }

  /** Ends one step and waits for all others; both kinds of threads call it. */
  void await() {
    try {
      check();
      int _ = barrier.await();
    } catch (BrokenBarrierException | InterruptedException e) {
      check();
      throw new IllegalStateException("a thread was interrupted", e);
    }
  }

  /** Throws what a thread has thrown, if one has. */
  void check() {
    Throwable thrown = failure.get();
    if (thrown instanceof IllegalStateException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    if (thrown != null) {
      throw new IllegalStateException("a thread failed: " + thrown, thrown);
    }
  }

  /** Waits for the end of all threads. */
  @Override
  public void close() {
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
