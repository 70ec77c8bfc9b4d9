package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.events.Recordings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Events of an allocator in Java Flight Recorder, read back from a recording. */
@Timeout(60)
final class PageEventsTest {
  @RegisterExtension final Allocators allocators = new Allocators();
  @TempDir Path folder;

  @Test
  void harvestAndUncommit_areEventsWithTheirFigures() throws IOException {
    allocators.name = "events";
    allocators.capacityBytes = 16 * MIB;
    PageAllocator allocator = allocators.open();
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      recording.enable("dev.arenal.PageCacheHarvest").withThreshold(Duration.ZERO);
      recording.enable("dev.arenal.Uncommit").withThreshold(Duration.ZERO);
      Recordings.start(recording);
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        buffers.add(allocator.allocate(2 * MIB, PageAge.LONG_LIVED));
      }
      for (int i = 1; i < 8; i += 2) {
        buffers.get(i).close();
      }
      PageBuffer gathered = allocator.allocate(8 * MIB, PageAge.LONG_LIVED);
      for (int i = 0; i < 8; i += 2) {
        buffers.get(i).close();
      }
      gathered.close();
      assertThat(allocator.trim()).isEqualTo(16 * MIB);
      recording.stop();
      events = read(recording);
    }
    RecordedEvent harvest = only(events, "dev.arenal.PageCacheHarvest");
    assertThat(harvest.getString("kind")).isEqualTo("PageAllocator");
    assertThat(harvest.getLong("requestedBytes")).isEqualTo(8 * MIB);
    // The last one was free at the end: what follows it is put together from the other three.
    assertThat(harvest.getLong("harvestedBytes")).isEqualTo(6 * MIB);
    assertThat(harvest.getLong("committedBytes")).isZero();
    assertThat(harvest.getInt("rangeCount")).isEqualTo(3);
    assertThat(harvest.getBoolean("successful")).isTrue();
    RecordedEvent uncommit = only(events, "dev.arenal.Uncommit");
    assertThat(uncommit.getString("kind")).isEqualTo("PageAllocator");
    assertThat(uncommit.getLong("requestedBytes")).isEqualTo(16 * MIB);
    assertThat(uncommit.getLong("uncommittedBytes")).isEqualTo(16 * MIB);
  }

  private List<RecordedEvent> read(Recording recording) throws IOException {
    Path file = folder.resolve("recording.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file);
  }

  private static RecordedEvent only(List<RecordedEvent> events, String type) {
    List<RecordedEvent> found =
        events.stream()
            .filter(event -> event.getEventType().getName().equals(type))
            .filter(event -> event.getString("name").equals("events"))
            .toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }
}
