package dev.arenal.agent.runtime;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs the agent's first use of things in a thread of its own, whose stack is long enough, when it
 * is known that the Java heap has room. A class whose initializer ends by an error can never be
 * used again, be it of the agent, of Netty or of the JDK; and the first use of a program may come
 * at the end of a stack.
 *
 * <p>The caller may hold locks that the thread needs: if it is not done after half a minute, that
 * is a failure, and no deadlock.
 */
public final class SeparateThread {
  private static final long STACK_BYTES = 2 << 20;
  private static final int HEAP_PARTS = 64;
  private static final int HEAP_PART_BYTES = 32 << 10;
  private static final long MOST_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A frame takes 50 bytes or more. */
  private static final int FRAMES = 6000;

  private SeparateThread() {}

  /** Something to run, which may fail in any way. */
  @FunctionalInterface
  public interface Task<T> {
    /** Runs it. */
    T run() throws Throwable;
  }

  /**
   * The result of the task.
   *
   * @throws IllegalStateException if it is not done in time; it goes on
   * @throws OutOfMemoryError if the Java heap has no room; nothing was run
   * @throws StackOverflowError if the caller cannot start a thread, or cannot wait for it
   * @throws Throwable as the task
   */
  public static <T> T call(Task<T> task) throws Throwable {
    Running<T> running = new Running<>(task);
    Thread thread = new Thread(null, running, "arenal-agent-link", STACK_BYTES, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    boolean isStarted = false;
    try {
      thread.start();
      isStarted = true;
    } catch (OutOfMemoryError e) {
      var _ = descend(FRAMES); // no thread more: by the caller, if it has as much stack
    }
    if (!isStarted) {
      running.run();
    } else if (!isEnded(thread)) {
      throw new IllegalStateException("linking takes too long: seconds=30");
    }
    return running.result();
  }

  /** Nothing has happened if the stack ends in it. */
  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }

  private static boolean isEnded(Thread thread) {
    long start = System.nanoTime();
    boolean isInterrupted = false;
    long passed = 0;
    while (thread.isAlive() && passed < MOST_NANOS) {
      try {
        thread.join((MOST_NANOS - passed) / NANOS_PER_MILLI + 1);
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
      passed = System.nanoTime() - start;
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  /** The outcome is read after the thread has ended. */
  private static final class Running<T> implements Runnable {
    private final Task<T> task;
    private @Nullable T result;
    private @Nullable Throwable failure;

    /** A field, so that no compiler finds it unused. */
    @SuppressWarnings("unused")
    private byte @Nullable [] @Nullable [] heap;

    private Running(Task<T> task) {
      this.task = task;
    }

    @Override
    public void run() {
      try {
        ensureHeap();
        result = task.run();
      } catch (Throwable e) { // for the caller
        failure = e;
      }
    }

    /** In parts, since in a small heap there are no large ones. */
    private void ensureHeap() {
      byte[][] parts = new byte[HEAP_PARTS][];
      heap = parts;
      for (int i = 0; i < HEAP_PARTS; i++) {
        parts[i] = new byte[HEAP_PART_BYTES];
      }
      heap = null;
    }

    private T result() throws Throwable {
      heap = null;
      T known = result;
      if (known != null) {
        return known;
      }
      throw failure == null ? new IllegalStateException("no result") : failure;
    }
  }
}
