package dev.arenal.page;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A buffer is freed while another thread has the lock of its heap: it is left in a list, which the
 * thread that has the lock empties. Hazard: the lock is released just then, and no thread comes.
 *
 * <p>This drives a {@link SmallHeap}; the result is how many buffers are left lying.
 *
 * <p>Run: {@code "-Dstress.args=-t PendingFrees -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class PendingFrees {
  private PendingFrees() {}

  /** A heap with a buffer in it. */
  abstract static class Heap {
    final SmallHeap heap = StressPages.smallHeap();
    private final PageBuffer old = allocateOne();
    private @Nullable PageBuffer fresh;

    private PageBuffer allocateOne() {
      try {
        return StressPages.allocate(heap);
      } finally {
        heap.drainIfFree();
      }
    }

    final void allocateShipped() {
      fresh = allocateOne();
    }

    /** As above, but the thread that gives the lock back does not look into the list. */
    final void allocateWithoutALook() {
      fresh = StressPages.allocate(heap);
    }

    final void freeOld() {
      old.close();
    }

    final int leftCount() {
      int count = (int) (heap.usedBytesRacy() / StressPages.SIZE_BYTES) - 1;
      requireNonNull(fresh).close();
      heap.giveBackSpares();
      return count;
    }
  }

  /** As it is: a thread that unlocks and one that has left something both look again. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Nothing is left lying.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "No thread came.")
  @State
  public static class Shipped extends Heap {
    @Actor
    public void allocate() {
      allocateShipped();
    }

    @Actor
    public void free() {
      freeOld();
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = leftCount();
    }
  }

  /** The broken variant: a thread that unlocks does not look again. */
  @JCStressTest
  @Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "Went well.")
  @Outcome(
      id = "1",
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: left between the last look and the unlock.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class NoThreadLooks extends Heap {
    @Actor
    public void allocate() {
      allocateWithoutALook();
    }

    @Actor
    public void free() {
      freeOld();
    }

    @Arbiter
    public void check(I_Result result) {
      result.r1 = leftCount();
    }
  }
}
