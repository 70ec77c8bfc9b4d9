package dev.arenal.guard;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lock that threads ask for while their stacks end. */
@Timeout(60)
@SuppressWarnings("LockNotBeforeTry") // some are given back by other code, or not at all
final class StackSafeLockTest {
  private static final long STACK_BYTES = 192 * 1024;

  /** So many frames before the end of the stack are tried. */
  private static final int FRAMES = 400;

  private final StackSafeLock lock = new StackSafeLock();
  private int framesLeft;
  private int endCount;

  @Test
  void endOfTheStack_whileWaiting_keepsNoThreadAway() throws Exception {
    for (int round = 0; round < 3; round++) {
      for (int frames = 0; frames < FRAMES; frames++) {
        askNearTheEnd(frames);
      }
    }

    assertThat(endCount).isPositive();
    Thread last =
        Thread.ofPlatform()
            .start(() -> {
              lock.lock();
              lock.unlock();
            });
    assertThat(last.join(Duration.ofSeconds(20))).as("the lock can be had: " + lock).isTrue();
  }

  /** A thread has the lock, one waits for it where its stack ends, and one behind that. */
  private void askNearTheEnd(int frames) throws InterruptedException {
    CountDownLatch held = new CountDownLatch(1);
    framesLeft = frames;
    Thread deep = new Thread(null, this::dive, "deep", STACK_BYTES);
    Thread holder =
        Thread.ofPlatform()
            .start(() -> {
              lock.lock();
              held.countDown();
              deep.start();
              while (deep.isAlive() && !lock.hasQueuedThread(deep)) {
                Thread.onSpinWait();
              }
              lock.unlock();
            });
    assertThat(held.await(20, SECONDS)).isTrue();
    Thread behind =
        Thread.ofPlatform()
            .start(() -> {
              lock.lock();
              lock.unlock();
            });
    for (Thread thread : new Thread[] {holder, deep, behind}) {
      assertThat(thread.join(Duration.ofSeconds(20))).as(thread + " comes back").isTrue();
    }
    assertThat(lock.isLocked()).isFalse();
  }

  private void dive() {
    var _ = descend();
    while (lock.isHeldByCurrentThread()) { // here, where there is stack enough for it
      lock.unlock();
    }
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private int descend() {
    int below;
    try {
      below = descend();
    } catch (StackOverflowError e) {
      below = 0;
    }
    if (below == framesLeft) {
      try {
        lock.lock();
      } catch (StackOverflowError e) {
        endCount++;
      }
    }
    return below + 1;
  }
}
