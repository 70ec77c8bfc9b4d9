package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The steps of a load, and the error that ends them. */
final class CrewTest {
  private static final int ROUND_COUNT = 5_000;

  /** The one that measures has looked for an error and does not wait yet, now and then. */
  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void errorJustBeforeTheWait_endsTheWait() {
    BufferPeer peer = new FakePeer(false);
    for (int i = 0; i < ROUND_COUNT; i++) {
      try (Crew crew = new Crew(peer, 1, CrewTest::failAfterOneStep)) {
        crew.start();
        crew.await();
        assertThatThrownBy(crew::await)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("no more");
      }
    }
  }

  private static void failAfterOneStep(Crew crew, int number) {
    crew.await();
    throw new IllegalStateException("no more");
  }
}
