package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.heap.ResidentMemory;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both loads in this process, with an allocator that knows what is live. */
final class LoadTest {
  private static final BufferSizes SMALL =
      new BufferSizes(64, FakePeer.MOST_BYTES_TWICE, 500, 1.2, 1);
  private static final long LIVE_BYTES = 1 << 20;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void churn_keepsTheSumOfLiveBytesAndFreesAllInTheEnd(int threadCount) throws IOException {
    FakePeer peer = new FakePeer(false);
    ChurnResult outcome = churn(peer, threadCount, 20_000);

    assertThat(outcome.points()).hasSizeGreaterThan(1);
    assertThat(outcome.points().getFirst().operation()).isZero();
    assertThat(outcome.points().getLast().operation()).isEqualTo(20_000);
    // Points between are sums over counters of threads that go on, read one after the other.
    List<ChurnPoint> exact =
        threadCount == 1
            ? outcome.points()
            : List.of(outcome.points().getFirst(), outcome.points().getLast());
    assertThat(exact)
        .allSatisfy(point ->
            assertThat((double) point.liveBytes()).isBetween(0.85 * LIVE_BYTES, 1.15 * LIVE_BYTES));
    assertThat((double) peer.mostLiveBytes()).isLessThan(1.15 * LIVE_BYTES);
    assertThat(peer.liveCount()).isZero();
    assertThat(outcome.trimmedBytes()).isNull();
    assertThat(outcome.p999AllocationNanos()).isPositive();
    assertThat(outcome.compilerMillis()).isNotNull().isNotNegative();
    if (threadCount == 1) {
      assertThat(outcome.freedForOthers()).isZero();
    } else {
      assertThat(outcome.freedForOthers()).isBetween(0.01, 0.365);
    }
  }

  @Test
  @Timeout(value = 60, unit = TimeUnit.SECONDS)
  void allocatorThatGivesMemoryOutTwice_isFoundOut() {
    assertThatThrownBy(() -> churn(new FakePeer(true), 1, 20_000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching(
            "buffer was overwritten: allocator=arenal, address=0x[0-9a-f]+, sizeBytes=[0-9]+,"
                + " begin=0x[0-9a-f]+, end=0x[0-9a-f]+ \\(expected 0x[0-9a-f]+ and 0x[0-9a-f]+,"
                + " as written when it was handed out\\)");
    // Several threads wait for each other: the error of one ends them all.
    assertThatThrownBy(() -> churn(new FakePeer(true), 4, 20_000))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("buffer was overwritten: ");
    assertThatThrownBy(() -> burst(new FakePeer(true), 3, false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("buffer was overwritten: ");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void burst_leavesOneBufferInEachMegabyte(int threadCount) throws IOException {
    FakePeer peer = new FakePeer(false);
    BurstResult outcome = burst(peer, threadCount, true);

    // Six megabytes by each count of threads, so six buffers of the usual sizes.
    assertThat(outcome.survivorBytes()).isBetween(6L * 64, 6L * 20_000);
    assertThat(peer.liveCount()).isZero();
    assertThat(outcome.freedSeconds()).isPositive();
    assertThat(outcome.p999AllocationNanos()).isPositive();
    assertThat(outcome.points().getLast().seconds())
        .isGreaterThanOrEqualTo(outcome.freedSeconds() + 0.02 - 1e-6);
    assertThat(burst(new FakePeer(false), threadCount, false).survivorBytes()).isZero();
  }

  @Test
  void warmUp_endsWhenCompilersWereAtRestInFourRoundsInARow() {
    PrimitiveIterator.OfLong millis = LongStream.of(90, 1, 0, 1, 2, 1, 1, 0, 1, 0).iterator();
    assertThat(ChurnWork.repeatUntilQuiet(millis::nextLong, Long.MAX_VALUE)).isEqualTo(9);
    // An allocator whose code does not come to rest is measured as it is.
    assertThat(ChurnWork.repeatUntilQuiet(() -> 90, 0)).isEqualTo(1);
  }

  @Test
  void outcomes_areReadAsWritten() throws IOException {
    Path file = folder.resolve("result");
    ChurnResult churn = Loads.churn(PeerKind.MALLOC, 2, 1.23456789, 1, 1.5);
    Json.write(file, churn);
    assertThat(Json.readWhole(file, ChurnResult.class)).isEqualTo(churn);
    assertThatThrownBy(() -> Json.readWhole(file, BurstResult.class))
        .isInstanceOf(IOException.class)
        .hasMessage("not the result of a run: file=" + file + ", type=BurstResult");

    BurstResult burst = Loads.burst(PeerKind.NETTY_POOLED, 2, 3, 5, 4);
    Json.write(file, burst);
    assertThat(Json.readWhole(file, BurstResult.class)).isEqualTo(burst);
    assertThatThrownBy(() -> Json.readWhole(file, ChurnResult.class))
        .hasMessage("not the result of a run: file=" + file + ", type=ChurnResult");

    // A plan goes the other way.
    BurstWork work =
        new BurstWork(
            PeerKind.ARENAL_ZEROED, 3, 1 << 20, true, Duration.ofMillis(1), Duration.ZERO, SMALL);
    Json.write(file, work);
    assertThat(Json.readWhole(file, BurstWork.class)).isEqualTo(work);
    Files.delete(file);
  }

  private static ChurnResult churn(BufferPeer peer, int threadCount, long operationCount)
      throws IOException {
    ChurnWork work = new ChurnWork(PeerKind.ARENAL, threadCount, operationCount, LIVE_BYTES, SMALL);
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      return new ChurnLoad(work, SMALL.draw(5_000), peer, resident, 0).run();
    }
  }

  private static BurstResult burst(BufferPeer peer, int threadCount, boolean hasSurvivors)
      throws IOException {
    BurstWork work =
        new BurstWork(
            PeerKind.ARENAL,
            threadCount,
            6 << 20,
            hasSurvivors,
            Duration.ofMillis(20),
            Duration.ofSeconds(1),
            SMALL);
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      return new BurstLoad(work, SMALL.draw(5_000), peer, resident, 0).run();
    }
  }
}
