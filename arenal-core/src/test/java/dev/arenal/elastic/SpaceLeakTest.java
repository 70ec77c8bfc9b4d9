package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.os.SimulatedOperatingSystem;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Spaces that were never closed. */
@Timeout(60)
final class SpaceLeakTest {
  private static final Logger LOGGER = Logger.getLogger("dev.arenal");

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler = new Recorder(records);

  @BeforeEach
  void listen() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
    os.assertNothingMapped();
  }

  @Test
  void lostSpace_isReportedOnceAndUnmapped() {
    lose("lost-1");
    await(() -> !records.isEmpty() && os.mappedBytes() == 0);
    assertThat(messages())
        .containsExactly(
            "space was never closed: space=lost-1, openArenas=0" + ", place=PLACE (close it)");
    assertThat(records.getFirst().getThrown()).hasMessage("space was opened here");
  }

  @Test
  void lostSpace_withTracking_saysWhereItWasOpened() {
    lose("lost-2");
    await(() -> !records.isEmpty() && os.mappedBytes() == 0);
    assertThat(messages())
        .containsExactly(
            "space was never closed: space=lost-2, openArenas=0" + ", place=PLACE (close it)");
    Throwable opened = records.getFirst().getThrown();
    assertThat(opened).hasMessage("space was opened here");
    assertThat(opened.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("lose"), "is this test");
  }

  @Test
  void lostSpace_withOpenArena_livesUntilThatIsClosed() {
    ElasticArena arena = loseWithArena();
    MemorySegment block = arena.allocate(1000);
    await(() -> !records.isEmpty());
    assertThat(messages())
        .containsExactly(
            "space was never closed: space=lost-3, openArenas=1" + ", place=PLACE (close it)");
    var _ = block.fill((byte) 1);
    var _ = arena.allocate(1 << 20).fill((byte) 2);
    assertThat(block.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 999)).isEqualTo((byte) 1);
    arena.close();
    assertThat(os.mappedBytes()).isZero();
  }

  @Test
  void lostSpace_withArenaOfAThreadThatHasEnded_isUnmapped() throws InterruptedException {
    ElasticArena held = loseWithTwoArenas();
    await(() -> !records.isEmpty());
    assertThat(messages())
        .containsExactly(
            "space was never closed: space=lost-5, openArenas=1" + ", place=PLACE (close it)");
    assertThat(os.mappedBytes()).isPositive();
    held.close();
    assertThat(os.mappedBytes()).isZero();
  }

  @Test
  void closedSpace_isNotReported() {
    for (int i = 0; i < 5; i++) {
      closeAndLose("lost-but-closed");
    }
    lose("lost-4"); // when this one is told, the others could have been
    await(() -> !records.isEmpty());
    await(() -> os.mappedBytes() == 0);
    assertThat(messages())
        .containsExactly(
            "space was never closed: space=lost-4, openArenas=0" + ", place=PLACE (close it)");
  }

  private void closeAndLose(String name) {
    ElasticSpace.builder(name).operatingSystem(os).build().close();
  }

  private void lose(String name) {
    ElasticSpace space = ElasticSpace.builder(name).operatingSystem(os).build();
    ElasticArena arena = space.openConfined();
    var _ = arena.allocate(100_000);
    arena.close();
  }

  private ElasticArena loseWithArena() {
    return ElasticSpace.builder("lost-3").operatingSystem(os).build().openConfined();
  }

  private ElasticArena loseWithTwoArenas() throws InterruptedException {
    ElasticSpace space = ElasticSpace.builder("lost-5").operatingSystem(os).build();
    // An ended thread keeps its task, and its arena keeps the thread: so the task takes the space.
    Queue<ElasticSpace> handle = new ConcurrentLinkedQueue<>(List.of(space));
    Thread.ofPlatform().start(() -> handle.remove().openConfined().allocate(100_000)).join();
    return space.openConfined();
  }

  private List<String> messages() {
    return records.stream()
        .map(entry -> entry.getMessage().replaceAll("place=\\S+", "place=PLACE")) // the runner's
        .toList();
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("nothing happened in 30 s");
      }
      System.gc();
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static final class Recorder extends Handler {
    private final List<LogRecord> records;

    Recorder(List<LogRecord> records) {
      this.records = records;
    }

    @Override
    public void publish(LogRecord record) {
      if (record.getMessage().contains("=lost-")) {
        records.add(record);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
