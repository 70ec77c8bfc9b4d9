package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a line of a cache takes between two processors, and that it is known beside a churn. */
final class LineTransferTest {
  private static final int BUSY_THREAD_COUNT = 6;

  /** Also where other threads want the processors, and time is over in the middle of a batch. */
  @Test
  @Timeout(60)
  void roundTrip_takesNanosecondsAndEnds() throws InterruptedException {
    Thread[] busy = new Thread[BUSY_THREAD_COUNT];
    for (int i = 0; i < busy.length; i++) {
      busy[i] = Thread.ofPlatform().daemon().start(LineTransferTest::spin);
    }
    for (int i = 0; i < 20; i++) {
      Double nanos = LineTransfer.roundTripNanos();
      if (Runtime.getRuntime().availableProcessors() < 2) {
        assertThat(nanos).isNull();
      } else if (nanos != null) { // else another thread had a processor all the time
        assertThat(nanos).isBetween(1.0, 5_000.0);
      }
    }
    for (Thread thread : busy) {
      thread.interrupt();
      thread.join();
    }
  }

  private static void spin() {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void churn_hasTheMeanOfBeforeAndAfter() {
    ChurnResult result = Loads.churn(PeerKind.ARENAL, 2, 200, 1, 1.1);
    assertThat(result.between(80.0, 400.0).roundTripNanos()).isEqualTo(240);
    assertThat(result.between(null, 400.0).roundTripNanos()).isNull();
    assertThat(result.between(80.0, null).roundTripNanos()).isNull();
    assertThat(result.between(80.0, 400.0).points()).isEqualTo(result.points());
  }
}
