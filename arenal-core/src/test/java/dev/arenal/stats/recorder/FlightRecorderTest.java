package dev.arenal.stats.recorder;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.events.MemoryEvents;
import dev.arenal.events.Recordings;
import dev.arenal.stats.Await;
import dev.arenal.stats.StatisticsUnit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events, read back from a recording. */
@Timeout(60)
final class FlightRecorderTest {
  @TempDir Path folder;

  @Test
  void rows_areEventsWithEveryWindow() throws IOException {
    long start = System.nanoTime();
    try (StatisticsRecorder recorder = StatisticsRecorder.open("Test", "rows");
        Recording recording = new Recording()) {
      recorder.counter("Memory", "Commit", StatisticsUnit.BYTES_PER_SECOND).add(4711);
      Sampler wait = recorder.sampler("Critical", "Wait", StatisticsUnit.NANOSECONDS);
      wait.sample(10);
      wait.sample(21);
      long dueNanos = recorder.dueNanos();
      Await.until(() -> recorder.dueNanos() > dueNanos);
      double seconds = (System.nanoTime() - start) / 1e9;
      // At the beginning and the end of each file: nothing to wait for.
      recording.enable("dev.arenal.MemoryStatistics").with("period", "everyChunk");
      Recordings.start(recording);
      Await.until(() -> knows("dev.arenal.MemoryStatistics"));
      recording.stop();
      List<RecordedEvent> events =
          read(recording).stream().filter(event -> event.getString("name").equals("rows")).toList();
      RecordedEvent commit = only(events, "Commit");
      assertThat(commit.getString("kind")).isEqualTo("Test");
      assertThat(commit.getString("group")).isEqualTo("Memory");
      assertThat(commit.getString("unit")).isEqualTo("BYTES_PER_SECOND");
      // A late sample spreads them evenly over the time that they may have come in.
      assertThat(commit.getLong("max10s")).isBetween((long) (4711 / seconds) - 1, 4711L);
      assertThat(commit.getLong("maxTotal")).isEqualTo(commit.getLong("max10s"));
      assertThat(commit.getLong("sumEver")).isEqualTo(4711);
      RecordedEvent critical = only(events, "Wait");
      assertThat(critical.getLong("average10s")).isEqualTo(15);
      assertThat(critical.getLong("max10m")).isEqualTo(21);
      assertThat(critical.getLong("average10h")).isEqualTo(15);
    }
  }

  @Test
  void typedEvents_haveTheirFigures() throws IOException {
    try (Recording recording = new Recording()) {
      for (String name : List.of("PageAllocatorStall", "PageCacheHarvest", "Uncommit")) {
        recording.enable("dev.arenal." + name).withThreshold(Duration.ZERO);
      }
      recording.enable("dev.arenal.OutOfMemory");
      Recordings.start(recording);
      requireNonNull(MemoryEvents.beginStall()).end("Kind", "stalled", 100, true);
      requireNonNull(MemoryEvents.beginHarvest()).end("Kind", "harvested", 64, 60, 4, 30, false);
      requireNonNull(MemoryEvents.beginUncommit()).end("Kind", "uncommitted", 10, 9);
      MemoryEvents.outOfMemory("Kind", "refused", 1, 2, Long.MAX_VALUE);
      recording.stop();
      List<RecordedEvent> events = read(recording);
      RecordedEvent stall = named(events, "dev.arenal.PageAllocatorStall", "stalled");
      assertThat(stall.getLong("requestedBytes")).isEqualTo(100);
      assertThat(stall.getBoolean("granted")).isTrue();
      assertThat(stall.getStackTrace()).isNotNull();
      RecordedEvent harvest = named(events, "dev.arenal.PageCacheHarvest", "harvested");
      assertThat(harvest.getLong("requestedBytes")).isEqualTo(64);
      assertThat(harvest.getLong("harvestedBytes")).isEqualTo(60);
      assertThat(harvest.getLong("committedBytes")).isEqualTo(4);
      assertThat(harvest.getInt("rangeCount")).isEqualTo(30);
      assertThat(harvest.getBoolean("successful")).isFalse();
      RecordedEvent uncommit = named(events, "dev.arenal.Uncommit", "uncommitted");
      assertThat(uncommit.getLong("requestedBytes")).isEqualTo(10);
      assertThat(uncommit.getLong("uncommittedBytes")).isEqualTo(9);
      RecordedEvent refused = named(events, "dev.arenal.OutOfMemory", "refused");
      assertThat(refused.getString("kind")).isEqualTo("Kind");
      assertThat(refused.getLong("requestedBytes")).isEqualTo(1);
      assertThat(refused.getLong("committedBytes")).isEqualTo(2);
      assertThat(refused.getLong("limitBytes")).isEqualTo(Long.MAX_VALUE);
    }
  }

  @Test
  void recordingThatDoesNotAsk_getsNothing() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("dev.arenal.OutOfMemory");
      recording.disable("dev.arenal.PageAllocatorStall");
      Recordings.start(recording);
      assertThat(MemoryEvents.beginStall()).isNull();
      MemoryEvents.outOfMemory("Kind", "wanted", 1, 2, 3);
      recording.stop();
      assertThat(read(recording)).extracting(event -> event.getString("name")).contains("wanted");
    }
  }

  private List<RecordedEvent> read(Recording recording) throws IOException {
    Path file = folder.resolve("test.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith("dev.arenal."))
        .toList();
  }

  private static boolean knows(String type) {
    return FlightRecorder.getFlightRecorder().getEventTypes().stream()
        .anyMatch(known -> known.getName().equals(type));
  }

  private static RecordedEvent only(List<RecordedEvent> events, String row) {
    return events.stream()
        .filter(event -> event.getString("row").equals(row))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  private static RecordedEvent named(List<RecordedEvent> events, String type, String name) {
    List<RecordedEvent> matching =
        events.stream()
            .filter(event -> event.getEventType().getName().equals(type))
            .filter(event -> event.getString("name").equals(name))
            .toList();
    assertThat(matching).hasSize(1);
    return matching.getFirst();
  }
}
