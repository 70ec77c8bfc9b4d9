package dev.arenal.page;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The first thread in the queue tries once more while another one frees memory. Hazard: the attempt
 * does not see it, and nothing is left that says so: the thread tries no more.
 *
 * <p>This drives a {@link StallQueue}; the result is whether the attempt has seen what was freed,
 * and whether it is noted that something was. With a second thread in the queue it is whether that
 * one will be woken, and the same note.
 *
 * <p>Run: {@code "-Dstress.args=-t StallFreed -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class StallFreed {
  private StallFreed() {}

  /** A queue with a thread in it, and what it waits for. */
  abstract static class Queue {
    private final StallQueue queue = new StallQueue(StallQueue.LONGEST_PARK_NANOS);
    private final StallQueue.Waiter first = new StallQueue.Waiter();
    private volatile int free;

    Queue() {
      queue.enter(first);
    }

    final int tryShipped() {
      int[] seen = new int[1];
      var _ =
          queue.inTurn(
              first,
              () -> {
                seen[0] = free;
                return null;
              });
      return seen[0];
    }

    /** As above, but the note is cleared after the attempt. */
    final int tryBeforeTheNoteIsCleared() {
      int seen = free;
      queue.isFreed.set(false);
      return seen;
    }

    final void freeOne() {
      free = 1;
      queue.signal();
    }

    final int isNoted() {
      return queue.isFreed.get() ? 1 : 0;
    }
  }

  /** As it is: the note is cleared, and then the thread tries. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "It is seen, or noted.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The thread sleeps beside memory that is free.")
  @State
  public static class Shipped extends Queue {
    @Actor
    public void first(II_Result result) {
      result.r1 = tryShipped();
    }

    @Actor
    public void free() {
      freeOne();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r2 = isNoted();
    }
  }

  /** The broken variant: the thread tries, and then the note is cleared. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "Went well.")
  @Outcome(
      id = "0, 0",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: the thread sleeps beside memory that is free.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class ClearedLater extends Queue {
    @Actor
    public void first(II_Result result) {
      result.r1 = tryBeforeTheNoteIsCleared();
    }

    @Actor
    public void free() {
      freeOne();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r2 = isNoted();
    }
  }

  /** With a second thread, which may be served by what is freed. */
  abstract static class QueueOfTwo {
    final StallQueue queue = new StallQueue(StallQueue.LONGEST_PARK_NANOS);
    final StallQueue.Waiter first = new StallQueue.Waiter();
    private final StallQueue.Waiter second = new StallQueue.Waiter();

    QueueOfTwo() {
      queue.enter(first);
      queue.enter(second);
    }

    final int isSecondToWake() {
      return queue.nextToWake == second || second.mustLook ? 1 : 0;
    }

    final int isNoted() {
      return queue.isFreed.get() ? 1 : 0;
    }
  }

  /** As it is: the first one, whose time has come, finds the note when it clears it. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "The second one will be woken, or it is noted.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "The second one sleeps beside memory that is free.")
  @State
  public static class ShippedBehind extends QueueOfTwo {
    @Actor
    public void first() {
      var _ = queue.inTurn(first, () -> null);
    }

    @Actor
    public void free() {
      queue.signal();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r1 = isSecondToWake();
      result.r2 = isNoted();
    }
  }

  /** The broken variant: the first one reads the note, and clears it later. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 0", "1, 1"},
      expect = Expect.ACCEPTABLE,
      desc = "Went well.")
  @Outcome(
      id = "0, 0",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: the second one sleeps beside memory that is free.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class ReadBefore extends QueueOfTwo {
    private int isWoken;

    @Actor
    public void first() {
      boolean wasFreed = queue.isFreed.get();
      queue.isFreed.set(false);
      isWoken = wasFreed ? 1 : 0;
    }

    @Actor
    public void free() {
      queue.signal();
    }

    @Arbiter
    public void end(II_Result result) {
      result.r1 = isWoken;
      result.r2 = isNoted();
    }
  }
}
