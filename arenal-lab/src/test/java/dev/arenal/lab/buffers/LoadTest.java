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
import java.util.concurrent.TimeUnit;
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
  void churn_keepsTheSumOfLiveBytesAndFreesAllInTheEnd(int countThreads) throws IOException {
    FakePeer peer = new FakePeer(false);
    ChurnOutcome outcome = churn(peer, countThreads, 20_000);

    assertThat(outcome.points()).hasSizeGreaterThan(1);
    assertThat(outcome.points().getFirst().operation()).isZero();
    assertThat(outcome.points().getLast().operation()).isEqualTo(20_000);
    // Points between are sums over counters of threads that go on, read one after the other.
    List<ChurnPoint> exact =
        countThreads == 1
            ? outcome.points()
            : List.of(outcome.points().getFirst(), outcome.points().getLast());
    assertThat(exact)
        .allSatisfy(point ->
            assertThat((double) point.liveBytes()).isBetween(0.85 * LIVE_BYTES, 1.15 * LIVE_BYTES));
    assertThat((double) peer.mostLiveBytes()).isLessThan(1.15 * LIVE_BYTES);
    assertThat(outcome.countFreed()).isBetween(19_000L, 21_000L);
    assertThat(peer.countLive()).isZero();
    assertThat(outcome.trimmedBytes()).isNull();
    if (countThreads == 1) {
      assertThat(outcome.countFreedForOthers()).isZero();
    } else {
      assertThat(outcome.countFreedForOthers()).isBetween(200L, 7_300L);
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
  void burst_leavesOneBufferInEachMegabyte(int countThreads) throws IOException {
    FakePeer peer = new FakePeer(false);
    BurstOutcome outcome = burst(peer, countThreads, true);

    // Six megabytes by each count of threads, so six buffers of the usual sizes.
    assertThat(outcome.survivorBytes()).isBetween(6L * 64, 6L * 20_000);
    assertThat(peer.countLive()).isZero();
    assertThat(outcome.freedSeconds()).isPositive();
    assertThat(outcome.points().getLast().seconds())
        .isGreaterThanOrEqualTo(outcome.freedSeconds() + 0.02 - 1e-6);
    assertThat(burst(new FakePeer(false), countThreads, false).survivorBytes()).isZero();
  }

  @Test
  void outcomes_areReadAsWritten() throws IOException {
    Path file = folder.resolve("result");
    ChurnOutcome churn =
        new ChurnOutcome("glibc 2.36", List.of(new ChurnPoint(1, 2, 3, 4)), 5, null, 7, 8);
    Json.write(file, churn);
    assertThat(Json.resultOf(ChurnOutcome.class).read(file)).isEqualTo(churn);
    assertThatThrownBy(() -> Json.resultOf(BurstOutcome.class).read(file))
        .isInstanceOf(IOException.class)
        .hasMessage("not the result of a run: file=" + file + ", type=BurstOutcome");

    BurstOutcome burst =
        new BurstOutcome("netty 4.2", List.of(new BurstPoint(1, 2), new BurstPoint(3, 4)), 5, 6);
    Json.write(file, burst);
    assertThat(Json.resultOf(BurstOutcome.class).read(file)).isEqualTo(burst);
    assertThatThrownBy(() -> Json.resultOf(ChurnOutcome.class).read(file))
        .hasMessage("not the result of a run: file=" + file + ", type=ChurnOutcome");
    Files.delete(file);
  }

  private static ChurnOutcome churn(BufferPeer peer, int countThreads, long countOperations)
      throws IOException {
    ChurnSpec spec =
        new ChurnSpec(PeerKind.ARENAL, countThreads, countOperations, LIVE_BYTES, SMALL);
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      return new ChurnLoad(spec, SMALL.draw(5_000), peer, resident, 0).run();
    }
  }

  private static BurstOutcome burst(BufferPeer peer, int countThreads, boolean hasSurvivors)
      throws IOException {
    BurstSpec spec =
        new BurstSpec(
            PeerKind.ARENAL,
            countThreads,
            6 << 20,
            hasSurvivors,
            Duration.ofMillis(20),
            Duration.ofSeconds(1),
            SMALL);
    try (ResidentMemory resident = ResidentMemory.ofThisProcess()) {
      return new BurstLoad(spec, SMALL.draw(5_000), peer, resident, 0).run();
    }
  }
}
