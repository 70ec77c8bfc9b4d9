package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a line of a cache takes between two processors, and that it is known beside a churn. */
final class LineTransferTest {
  @Test
  @Timeout(60)
  void roundTrip_takesNanosecondsAndEnds() throws InterruptedException {
    Double nanos = LineTransfer.roundTripNanos();
    if (Runtime.getRuntime().availableProcessors() < 2) {
      assertThat(nanos).isNull();
    } else if (nanos != null) { // else another program had a processor all the time
      assertThat(nanos).isBetween(1.0, (double) TimeUnit.MILLISECONDS.toNanos(1));
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
