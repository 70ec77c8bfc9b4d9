package dev.arenal.page;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The threads of all programs, the same ones for all, of which the last one is virtual. */
final class BufferThreads {
  private static final long LONGEST_SECONDS = 60;
  private static final List<ExecutorService> THREADS = threads();
  private static final ExecutorService HELPERS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("helper-", 0).factory());

  private BufferThreads() {}

  private static List<ExecutorService> threads() {
    List<ExecutorService> threads = new ArrayList<>();
    for (int i = 0; i < BufferOp.THREAD_COUNT - 1; i++) {
      threads.add(
          Executors.newSingleThreadExecutor(
              Thread.ofPlatform().daemon().name("program-" + i).factory()));
    }
    threads.add(Executors.newSingleThreadExecutor(Thread.ofVirtual().factory()));
    return threads;
  }

  /** Has one of them do it, and waits for that. */
  static void run(int threadIndex, Runnable step) {
    await(THREADS.get(threadIndex % THREADS.size()).submit(step));
  }

  /** Has each of them do its steps, all at the same time; the first failure is told. */
  static void runAll(List<BufferOp> ops, Consumer<BufferOp> step) {
    CyclicBarrier start = new CyclicBarrier(THREADS.size());
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < THREADS.size(); i++) {
      int threadIndex = i;
      List<BufferOp> own = ops.stream().filter(op -> op.threadIndex() == threadIndex).toList();
      Callable<@Nullable Void> task =
          () -> {
            var _ = start.await();
            own.forEach(step);
            return null;
          };
      futures.add(THREADS.get(i).submit(task));
    }
    AssertionError failure = null;
    for (Future<?> future : futures) {
      try {
        await(future);
      } catch (AssertionError e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Has two others do it at the same time. */
  static void runTwice(Runnable step) {
    CyclicBarrier start = new CyclicBarrier(2);
    Callable<@Nullable Void> task =
        () -> {
          var _ = start.await();
          step.run();
          return null;
        };
    Future<@Nullable Void> first = HELPERS.submit(task);
    Future<@Nullable Void> second = HELPERS.submit(task);
    await(first);
    await(second);
  }

  private static void await(Future<?> future) {
    try {
      var _ = future.get(LONGEST_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      throw cause instanceof AssertionError known ? known : new AssertionError(cause);
    } catch (TimeoutException e) {
      throw new AssertionError("a thread does not come back: seconds=" + LONGEST_SECONDS, e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
