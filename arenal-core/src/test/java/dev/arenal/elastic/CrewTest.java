package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The harness of concurrent tests: a failure ends it at once and is not lost. */
@Timeout(30)
final class CrewTest {
  @Test
  void failingThread_doesNotLeaveTheOthersAtABarrier() {
    CyclicBarrier barrier = new CyclicBarrier(2);
    Crew crew = new Crew("barrier", 100);
    crew.add(random -> {
      throw new IllegalStateException("the one failure");
    });
    crew.add(random -> barrier.await());
    assertThatThrownBy(crew::join)
        .isInstanceOf(AssertionError.class)
        .hasMessageEndingWith("java.lang.IllegalStateException: the one failure");
  }
}
