package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How much stack is really left where {@link StackReserve#ensure} returns. */
final class StackReserveTest {
  private static final long SMALL_STACK_BYTES = 1 << 20;
  private static final long LARGE_STACK_BYTES = 4 << 20;

  /** Until then all methods are compiled, also on a machine that does other things. */
  private static final int MOST_ROUNDS = 200;

  private static final double TOLERANCE_BYTES = 512;

  /** Rounds in a row with the same result; frames are of one kind only then. */
  private static final int SETTLED_ROUNDS = 5;

  private long depth;

  @Test
  void recursionThatAsksInEachFrame_ends19KibEarlier() throws Exception {
    assertThat(reservedBytes(this::recurseEnsuring)).isBetween(19.0 * 1024, 128.0 * 1024);
  }

  @Test
  void recursionThatAsksForLess_ends7KibEarlier() throws Exception {
    assertThat(reservedBytes(this::recurseEnsuringShort)).isBetween(7.0 * 1024, 40.0 * 1024);
  }

  private double reservedBytes(Runnable asking) throws InterruptedException {
    return settledFrameBytes(this::recurse) - settledFrameBytes(asking);
  }

  /** Bytes of the small stack that are frames when it is at its end. */
  private double settledFrameBytes(Runnable recursion) throws InterruptedException {
    double last = 0;
    int countSame = 0;
    for (int i = 0; i < MOST_ROUNDS; i++) {
      long small = depth(SMALL_STACK_BYTES, recursion);
      long large = depth(LARGE_STACK_BYTES, recursion);
      double frameBytes =
          (double) (LARGE_STACK_BYTES - SMALL_STACK_BYTES) / (large - small) * small;
      countSame = Math.abs(frameBytes - last) < TOLERANCE_BYTES ? countSame + 1 : 0;
      if (countSame == SETTLED_ROUNDS) {
        return frameBytes;
      }
      last = frameBytes;
    }
    throw new AssertionError("depths do not settle: last=" + last + ", rounds=" + MOST_ROUNDS);
  }

  private long depth(long stackBytes, Runnable recursion) throws InterruptedException {
    Thread thread = new Thread(null, () -> descend(recursion), "deep", stackBytes);
    depth = 0;
    thread.start();
    thread.join();
    return depth;
  }

  @SuppressWarnings("EmptyCatch")
  private static void descend(Runnable recursion) {
    try {
      recursion.run();
    } catch (StackOverflowError expected) {
      // The depth says how far it went.
    }
  }

  // A method for each, so that none is compiled for what another one does.

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private void recurse() {
    depth++;
    recurse();
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private void recurseEnsuring() {
    depth++;
    StackReserve.ensure();
    recurseEnsuring();
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private void recurseEnsuringShort() {
    depth++;
    StackReserve.ensureShort();
    recurseEnsuringShort();
  }
}
