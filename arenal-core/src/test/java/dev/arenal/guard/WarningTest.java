package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A logger may do what it likes: the thread that has something to tell goes on. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WarningTest {
  private static final Logger LOGGER = Logger.getLogger("dev.arenal");
  private static final String MESSAGE = "a warning of WarningTest";

  private final CompletableFuture<Thread> seenBy = new CompletableFuture<>();
  private final CountDownLatch isTold = new CountDownLatch(1);

  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          if (entry.getMessage().equals(MESSAGE)) {
            seenBy.complete(Thread.currentThread());
            try {
              isTold.await(); // for a thread that waits for this one, so to say
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            throw new IllegalStateException("a logger that fails");
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @AfterEach
  void removeHandler() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  @Test
  void loggerThatWaitsAndFails_holdsNobodyUp() throws Exception {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
    assertThat(Warning.tell(MESSAGE)).isTrue();
    Thread thread = seenBy.get(30, TimeUnit.SECONDS);
    assertThat(thread).isNotEqualTo(Thread.currentThread());
    assertThat(thread.getContextClassLoader())
        .isEqualTo(Thread.currentThread().getContextClassLoader());
    isTold.countDown();
    thread.join();
  }
}
