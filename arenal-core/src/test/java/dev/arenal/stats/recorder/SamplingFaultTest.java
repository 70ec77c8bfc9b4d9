package dev.arenal.stats.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.faults.Fault;
import dev.arenal.faults.FaultProgram;
import dev.arenal.faults.FaultSweep;
import dev.arenal.stats.Await;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread that samples survives a full Java heap, wherever it meets it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SamplingFaultTest {
  @Test
  void fullHeap_inTheThread_delaysSamples_andNothingElse() {
    assertThat(FaultSweep.everyPlaceOfOthers(Sampled.class, Fault.HEAP, 7)).isGreaterThan(5);
  }

  @Test
  void fullHeap_asSomethingGrows() {
    assertThat(FaultSweep.everyPlaceOfOthers(Sampled.class, Fault.GROWTH, 1)).isPositive();
  }

  /** A recorder that is to be sampled, and to be seen by JMX. */
  public static final class Sampled implements FaultProgram {
    private @Nullable StatisticsRecorder recorder;

    /** For the sweep. */
    public Sampled() {}

    @Override
    public void prepare() {
      recorder = null;
    }

    @Override
    public void operate() throws InterruptedException {
      recorder = StatisticsRecorder.open("Fault", "sampled");
      for (int i = 0; i < 20 && !isRegistered(); i++) {
        Thread.sleep(5);
      }
    }

    @Override
    public void check(@Nullable Throwable thrown) {
      StatisticsRecorder known = Objects.requireNonNull(recorder);
      long dueNanos = known.dueNanos();
      Await.until(() -> known.dueNanos() > dueNanos && isRegistered());
      known.close();
      assertThat(isRegistered()).isFalse();
    }

    private static boolean isRegistered() {
      try {
        return ManagementFactory.getPlatformMBeanServer()
            .isRegistered(new ObjectName("dev.arenal:type=Fault,name=\"sampled\""));
      } catch (JMException e) {
        throw new AssertionError(e);
      }
    }
  }
}
