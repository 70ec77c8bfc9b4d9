package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.events.Recordings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events of a space in Java Flight Recorder, read back from a recording. */
@Timeout(60)
final class SpaceEventsTest {
  private static final long MIB = 1 << 20;

  @TempDir Path folder;

  @Test
  void memoryOfABlockThatIsFreedEarly_isAnEventWithItsFigures() throws IOException {
    List<RecordedEvent> events;
    try (ElasticSpace space =
            ElasticSpace.builder("freed early").reclaimPolicy(ReclaimPolicy.AGGRESSIVE).build();
        Recording recording = new Recording();
        ElasticArena arena = space.openConfined("arena")) {
      recording.enable("dev.arenal.Uncommit").withThreshold(Duration.ZERO);
      Recordings.start(recording);
      MemorySegment block = arena.allocate(4 * MIB);
      MemorySegment behind = arena.allocate(64);
      assertThat(behind.address()).isGreaterThan(block.address());
      arena.deallocate(block);
      recording.stop();
      Path file = folder.resolve("recording.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }
    List<RecordedEvent> uncommits =
        events.stream().filter(event -> event.getString("name").equals("freed early")).toList();
    assertThat(uncommits).hasSize(1);
    RecordedEvent uncommit = uncommits.getFirst();
    assertThat(uncommit.getString("kind")).isEqualTo("ElasticSpace");
    assertThat(uncommit.getLong("requestedBytes")).isBetween(4 * MIB - (8 << 10), 4 * MIB);
    assertThat(uncommit.getLong("uncommittedBytes")).isEqualTo(uncommit.getLong("requestedBytes"));
  }
}
