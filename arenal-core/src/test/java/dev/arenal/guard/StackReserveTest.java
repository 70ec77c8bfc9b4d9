package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How much stack is really left where {@link StackReserve#ensure} returns. */
final class StackReserveTest {
  private static final int WARM_UP_ROUNDS = 40;
  private static final long SMALL_STACK_BYTES = 1 << 20;
  private static final long LARGE_STACK_BYTES = 4 << 20;

  private enum Question {
    NONE,
    SHORT,
    WHOLE
  }

  private long depth;

  @Test
  void recursionThatAsksInEachFrame_ends19KibEarlier() throws Exception {
    assertThat(reservedBytes(Question.WHOLE)).isBetween(19.0 * 1024, 128.0 * 1024);
  }

  @Test
  void recursionThatAsksForLess_ends7KibEarlier() throws Exception {
    assertThat(reservedBytes(Question.SHORT)).isBetween(7.0 * 1024, 40.0 * 1024);
  }

  private double reservedBytes(Question question) throws InterruptedException {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      var _ = depth(SMALL_STACK_BYTES, i % 2 == 0 ? question : Question.NONE);
    }
    double frameBytes =
        (double) (LARGE_STACK_BYTES - SMALL_STACK_BYTES)
            / (depth(LARGE_STACK_BYTES, Question.NONE) - depth(SMALL_STACK_BYTES, Question.NONE));
    return frameBytes
        * (depth(SMALL_STACK_BYTES, Question.NONE) - depth(SMALL_STACK_BYTES, question));
  }

  /** Frames that fit on a stack; the largest of some attempts, since code is compiled meanwhile. */
  private long depth(long stackBytes, Question question) throws InterruptedException {
    long most = 0;
    for (int i = 0; i < 5; i++) {
      Thread thread = new Thread(null, () -> descend(question), "deep", stackBytes);
      depth = 0;
      thread.start();
      thread.join();
      most = Math.max(most, depth);
    }
    return most;
  }

  @SuppressWarnings("EmptyCatch")
  private void descend(Question question) {
    try {
      recurse(question);
    } catch (StackOverflowError expected) {
      // The depth says how far it went.
    }
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private void recurse(Question question) {
    depth++;
    if (question == Question.WHOLE) {
      StackReserve.ensure();
    } else if (question == Question.SHORT) {
      StackReserve.ensureShort();
    }
    recurse(question);
  }
}
