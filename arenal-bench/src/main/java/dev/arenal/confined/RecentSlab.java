package dev.arenal.confined;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * Two platform threads whose ids share an entry of the table of recent slabs, which is read and
 * written without order. Hazard: a thread takes the other one's slab.
 *
 * <p>This drives {@link Slab}, whose state tells whose it is. The entry of the table is a plain
 * field here, since {@code ThreadSlabs} looks by the id of the calling thread, and those of the
 * actors of jcstress are as they come. Results: how often the slab of each thread was taken.
 *
 * <p>Run: {@code "-Dstress.args=-t RecentSlab -m quick"}, see {@code dev.arenal.bench.stress}.
 */
public final class RecentSlab {
  private static final long FIRST_ID = 1001;
  private static final long SECOND_ID = FIRST_ID + 1024;

  private RecentSlab() {}

  /** An entry, and the slab of each thread. */
  abstract static class Entry {
    final Slab first = StressSlabs.take(FIRST_ID);
    final Slab second = StressSlabs.take(SECOND_ID);
    @Nullable Slab entry;

    /** Takes a slab, counts that in its memory, and gives it back as it is. */
    static long use(Slab slab, long threadId) {
      slab.acquirePlain(threadId);
      long takenCount = StressSlabs.get(slab) + 1;
      StressSlabs.put(slab, takenCount);
      slab.setRelease(threadId); // release() would zero the count, or notice the hazard
      return takenCount;
    }

    final void finish() {
      StressSlabs.giveBack(first);
      StressSlabs.giveBack(second);
    }
  }

  /** The table as it is: an entry is believed only if the state is the id of the reader. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Each had its own.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A slab was taken by the other thread.")
  @State
  public static class Shipped extends Entry {
    private long take(Slab own, long threadId) {
      Slab slab = entry;
      if (slab == null || !slab.isAvailablePlain(threadId)) {
        slab = own;
        entry = slab;
      }
      return use(slab, threadId);
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = take(first, FIRST_ID);
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = take(second, SECOND_ID);
    }

    @Arbiter
    public void check() {
      finish();
    }
  }

  /** The broken variant: an entry is used if it looks available. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Went well.")
  @Outcome(
      id = {"1, 2", "2, 1", "2, 2"},
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "The hazard: two threads used one slab.")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Cannot be.")
  @State
  public static class BelievedTooEasily extends Entry {
    private long take(Slab own, long threadId) {
      Slab slab = entry;
      if (slab == null || !slab.isAvailable()) {
        slab = own;
        entry = slab;
      }
      return use(slab, threadId);
    }

    @Actor
    public void first(JJ_Result result) {
      result.r1 = take(first, FIRST_ID);
    }

    @Actor
    public void second(JJ_Result result) {
      result.r2 = take(second, SECOND_ID);
    }

    @Arbiter
    public void check() {
      finish();
    }
  }
}
