package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How much stack is really left where {@link StackReserve#ensure} returns. */
final class StackReserveTest {
  private static final int WARM_UP_ROUNDS = 40;
  private static final long SMALL_STACK_BYTES = 1 << 20;
  private static final long LARGE_STACK_BYTES = 4 << 20;

  private long depth;

  @Test
  void recursionThatAsksInEachFrame_ends24KibEarlier() throws Exception {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      var _ = depth(SMALL_STACK_BYTES, i % 2 == 0);
    }
    double frameBytes =
        (double) (LARGE_STACK_BYTES - SMALL_STACK_BYTES)
            / (depth(LARGE_STACK_BYTES, false) - depth(SMALL_STACK_BYTES, false));

    double reservedBytes =
        frameBytes * (depth(SMALL_STACK_BYTES, false) - depth(SMALL_STACK_BYTES, true));

    assertThat(reservedBytes).isGreaterThan(24 * 1024).isLessThan(128 * 1024);
  }

  /** Frames that fit on a stack; the largest of some attempts, since code is compiled meanwhile. */
  private long depth(long stackBytes, boolean asks) throws InterruptedException {
    long most = 0;
    for (int i = 0; i < 5; i++) {
      Thread thread = new Thread(null, () -> descend(asks), "deep", stackBytes);
      depth = 0;
      thread.start();
      thread.join();
      most = Math.max(most, depth);
    }
    return most;
  }

  @SuppressWarnings("EmptyCatch")
  private void descend(boolean asks) {
    try {
      recurse(asks);
    } catch (StackOverflowError expected) {
      // The depth says how far it went.
    }
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private void recurse(boolean asks) {
    depth++;
    if (asks) {
      StackReserve.ensure();
    }
    recurse(asks);
  }
}
