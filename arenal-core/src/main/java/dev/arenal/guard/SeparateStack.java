package dev.arenal.guard;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs what must not end in the middle and takes more than any caller may have left: in a thread of
 * its own, whose stack is long enough, when it is known that the Java heap has room.
 *
 * <p>Linking native functions is such work, and so is initializing a class: one whose initializer
 * ends by an error can never be used again. Whether the caller is interrupted does not matter to
 * it. There is no static initializer here that could end that way.
 */
public final class SeparateStack {
  /** About ten times the stack that is needed. */
  private static final long STACK_BYTES = 2 << 20;

  private static final long PARK_NANOS = 50_000;

  private static final int HEAP_PARTS = 64;
  private static final int HEAP_PART_BYTES = 32 << 10;

  /** A frame takes 50 bytes or more, so that this is as much as it takes. */
  private static final int FRAMES = 6000;

  private SeparateStack() {}

  /**
   * Runs it, and returns when it has ended.
   *
   * @throws OutOfMemoryError if the Java heap has no room, or there is neither a thread more nor
   *     enough of this stack; nothing was run
   * @throws StackOverflowError if even that cannot be found out; what runs already goes on
   */
  public static void run(Runnable body) {
    start(body).await();
  }

  /**
   * Has it run beside the caller, which does something else meanwhile and then {@linkplain
   * Running#await() awaits} it; one that never does has changed nothing for itself.
   *
   * @throws OutOfMemoryError if the Java heap has no room; nothing was run
   * @throws StackOverflowError if even that cannot be found out; what runs already goes on
   */
  public static Running start(Runnable body) {
    Running running = new Running(body);
    Thread thread = new Thread(null, running, "arenal-link", STACK_BYTES, false);
    thread.setDaemon(true);
    try {
      thread.start();
      running.thread = thread;
    } catch (OutOfMemoryError e) {
      running.thread = null; // no thread more: by the one that awaits it
    }
    return running;
  }

  /** Nothing has happened if the stack ends in it. */
  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }

  /**
   * Waits without a monitor, which {@link Thread#join} takes: a virtual thread that leaves its
   * carrier might be the next to have it, while others hold all carriers.
   */
  private static void join(Thread thread) {
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      isInterrupted |= Thread.interrupted(); // else it would not park
      try {
        LockSupport.parkNanos(PARK_NANOS);
      } catch (OutOfMemoryError e) { // of a virtual thread: no Java heap for its timer
        Thread.onSpinWait();
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The thread that was started, with its task. */
  public static final class Running implements Runnable {
    private final Runnable body;

    /** Null if there was none. */
    private @Nullable Thread thread;

    /** Read after the thread has ended. */
    private @Nullable Throwable failure;

    /** A field, so that no compiler finds it unused. */
    @SuppressWarnings("unused")
    private byte @Nullable [] @Nullable [] heap;

    private Running(Runnable body) {
      this.body = body;
    }

    /**
     * Returns when it has ended.
     *
     * @throws OutOfMemoryError if the Java heap has no room, or there is neither a thread more nor
     *     enough of this stack; nothing was run
     * @throws StackOverflowError if even that cannot be found out; what runs already goes on
     */
    public void await() {
      Thread started = thread;
      if (started == null) {
        var _ = descend(FRAMES);
        run();
      } else {
        join(started);
      }
      rethrow();
    }

    /** Whether it has a thread, which has not ended yet. */
    public boolean isAlive() {
      Thread started = thread;
      return started != null && started.isAlive();
    }

    /** By the thread that was started, or by the one that awaits it. */
    @Override
    public void run() {
      try {
        ensureHeap();
        body.run();
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

    private void rethrow() {
      heap = null;
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      if (failure instanceof Error error) {
        throw error;
      }
    }
  }
}
