package dev.arenal.page;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A thread is about to wait for memory while another one frees some, or raises the limit of the
 * budget. Hazard: the one sees no memory, and the other one no waiting thread.
 *
 * <p>This drives a {@link StallQueue}; the result is whether the attempt has seen what was freed,
 * and whether the thread that freed it has seen the one that waits.
 *
 * <p>Run: {@code "-Dstress.args=-t StallSignal -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class StallSignal {
  private StallSignal() {}

  /** A queue, and what is waited for. */
  abstract static class Queue {
    private final StallQueue queue = new StallQueue(StallQueue.LONGEST_PARK_NANOS);
    private volatile int free;
    private volatile boolean isOver;

    final int waitShipped() {
      int[] seen = new int[1];
      var _ =
          queue.await(
              () -> {
                seen[0] = free;
                return untilOver();
              },
              0);
      return seen[0];
    }

    /** As above, but the attempt is made before the queue is entered. */
    final int waitAfterTheAttempt() {
      int seen = free;
      var _ = queue.await(this::untilOver, 0);
      return seen;
    }

    /** It does not leave the queue before the other one has looked. */
    private @Nullable String untilOver() {
      while (!isOver) {
        Thread.onSpinWait();
      }
      return "taken";
    }

    final int freeAndLook() {
      free = 1;
      int seen = queue.isWaiting() ? 1 : 0;
      isOver = true;
      return seen;
    }
  }

  /** As it is: it enters the queue, and then tries. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "One of them sees the other.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "It sleeps beside memory that is free.")
  @State
  public static class Shipped extends Queue {
    @Actor
    public void await(II_Result result) {
      result.r1 = waitShipped();
    }

    @Actor
    public void free(II_Result result) {
      result.r2 = freeAndLook();
    }
  }

  /** The broken variant: it tries, and then enters the queue. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "Went well.")
  @Outcome(
      id = "0, 0",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: it sleeps beside memory that is free.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class TriesFirst extends Queue {
    @Actor
    public void await(II_Result result) {
      result.r1 = waitAfterTheAttempt();
    }

    @Actor
    public void free(II_Result result) {
      result.r2 = freeAndLook();
    }
  }
}
