package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every allocator that this machine has, in processes of their own: a burst of a moment. */
final class BurstPeersTest {
  private static final long MIB = 1 << 20;
  private static final BufferSizes SIZES = new BufferSizes(64, 1 << 20, 4 << 10, 1.8, 1);

  @Test
  void everyAllocator_standsABurst() throws IOException, InterruptedException {
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    List<PeerKind> kinds = Choice.installed(libraries, PeerKind.USUAL, List.of()).kinds();
    BurstPlan plan =
        new BurstPlan(
            kinds,
            List.of(2),
            List.of(true),
            2,
            24 * MIB,
            Duration.ofMillis(100),
            Duration.ofMillis(50),
            SIZES,
            List.of());

    BurstMeasurement measurement = BurstRun.run(plan, libraries, (_, _, _) -> {});

    assertThat(measurement.failures()).isEmpty();
    assertThat(measurement.results()).extracting(BurstResult::kind).isEqualTo(kinds);
    long survivorBytes = measurement.results().getFirst().survivorBytes();
    assertThat(survivorBytes).isBetween(24 * 64L, 10 * MIB);
    assertThat(measurement.results())
        .allSatisfy(result -> {
          assertThat(result.survivorBytes()).isEqualTo(survivorBytes);
          // malloc-trim gives some back while the burst is still going on, and then some of the
          // JVM's own.
          assertThat(result.peakResidentBytes()).isBetween(10 * MIB, 200 * MIB);
          assertThat(result.idleResidentBytes()).isNotNegative();
          assertThat(result.p999AllocationNanos()).isPositive();
          assertThat(result.trimmedBytes() == null)
              .isEqualTo(result.kind() == PeerKind.NETTY_ADAPTIVE);
        });
  }

  /** Nor does a program's. With it, the first gigabyte took Arenal five times as long. */
  @Test
  void burst_doesNotWaitForTheCompilers_churnDoes() throws IOException {
    BurstWork burst = burst(64 * MIB);
    ChurnWork churn = new ChurnWork(PeerKind.ARENAL, 1, 100_000, MIB, SIZES);
    ChurnWork tried = new ChurnWork(PeerKind.ARENAL, 1, 99_999, MIB, SIZES);
    HeapLibraries libraries = HeapLibraries.ofThisMachine();

    List<String> flags = BurstRun.child(burst, libraries).flags();

    assertThat(flags).doesNotContain("-XX:-BackgroundCompilation").isNotEmpty();
    assertThat(ChurnRun.child(churn, 1, libraries).flags())
        .isEqualTo(and(flags, "-XX:-BackgroundCompilation"));
    assertThat(ChurnRun.child(tried, 1, libraries).flags())
        .isEqualTo(and(flags, "-XX:TieredStopAtLevel=1"));
    assertThat(BurstRun.child(burst(64 * MIB - 1), libraries).flags())
        .isEqualTo(and(flags, "-XX:TieredStopAtLevel=1"));
  }

  private static BurstWork burst(long sizeBytes) {
    return new BurstWork(PeerKind.ARENAL, 1, sizeBytes, false, Duration.ZERO, Duration.ZERO, SIZES);
  }

  private static List<String> and(List<String> flags, String last) {
    return Stream.concat(flags.stream(), Stream.of(last)).toList();
  }

  @Test
  void bursts_runSideBySideWhereThereIsMemory() throws IOException {
    BurstPlan plan = BurstPlan.lab(false, new Choice<>(List.of(PeerKind.ARENAL), List.of()));

    assertThat(BurstRun.parallelCount(plan, 100_000 * MIB, 2)).isEqualTo(6);
    assertThat(BurstRun.parallelCount(plan, 6_000 * MIB, 2)).isEqualTo(2);
    assertThat(BurstRun.parallelCount(plan, 1_500 * MIB, 2)).isEqualTo(1);
    assertThatThrownBy(() -> BurstRun.parallelCount(plan, 1_400 * MIB, 2))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "not enough memory for a burst: burstBytes=536870912, neededBytes=1493172224,"
                + " availableBytes=1468006400 (expected twice the burst and a JVM; stop other"
                + " programs or ask for less with --bytes)");
  }
}
