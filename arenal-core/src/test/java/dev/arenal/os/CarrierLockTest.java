package dev.arenal.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A virtual thread that waits for a lock and stays on its carrier. */
@Timeout(60)
@SuppressWarnings("LockNotBeforeTry") // given back by other code
final class CarrierLockTest {
  private final CarrierLock lock = new CarrierLock();

  @Test
  void virtualThread_waits_withoutParking() throws Exception {
    lock.lock();
    Thread waiting =
        Thread.ofVirtual()
            .start(() -> {
              lock.lock();
              lock.unlock();
            });

    long startNanos = System.nanoTime();
    boolean parks = false;
    boolean isSoon = true;
    for (int i = 0; i < 100 && isSoon; i++) {
      Thread.sleep(1);
      boolean isParked = waiting.getState() != Thread.State.RUNNABLE;
      isSoon = System.nanoTime() - startNanos < 900_000_000; // it may park after a second
      parks |= isParked && isSoon;
    }
    lock.unlock();

    assertThat(parks).isFalse();
    assertThat(waiting.join(Duration.ofSeconds(20))).isTrue();
  }

  @Test
  void virtualThread_hasALockThatIsFreeAgain_withoutParking() throws Exception {
    AtomicBoolean hasIt = new AtomicBoolean();
    Thread thread =
        Thread.ofVirtual()
            .start(() -> {
              boolean isLocked = lock.lockBeforeParking();
              hasIt.set(isLocked && lock.isHeldByCurrentThread());
            });

    assertThat(thread.join(Duration.ofSeconds(20))).isTrue();
    assertThat(hasIt).isTrue();
  }

  /** The thread that has the lock may want the carrier. */
  @Test
  void virtualThread_parks_afterASecond() throws Exception {
    lock.lock();
    Thread waiting =
        Thread.ofVirtual()
            .start(() -> {
              lock.lock();
              lock.unlock();
            });

    while (waiting.getState() == Thread.State.RUNNABLE) {
      Thread.sleep(10);
    }
    assertThat(lock.hasQueuedThread(waiting)).isTrue();
    lock.unlock();
    assertThat(waiting.join(Duration.ofSeconds(20))).isTrue();
  }

  @Test
  void platformThread_parks() throws Exception {
    lock.lock();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              lock.lock();
              lock.unlock();
            });

    while (!lock.hasQueuedThread(waiting)) {
      Thread.sleep(1);
    }
    lock.unlock();
    assertThat(waiting.join(Duration.ofSeconds(20))).isTrue();
  }
}
