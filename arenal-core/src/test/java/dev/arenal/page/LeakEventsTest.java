package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Program;
import dev.arenal.events.Recordings;
import dev.arenal.guard.WatchMode;
import dev.arenal.memory.Budget;
import dev.arenal.stats.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A leak is one thing, whatever was lost: a line in the log and an event, with the place. */
@Timeout(60)
final class LeakEventsTest {
  @RegisterExtension private final Allocators allocators = new Allocators();
  @TempDir private Path folder;

  @RegisterExtension private final Recorder log = new Recorder();

  @Test
  void lostHandles_areEventsWithTheirPlace() throws IOException {
    allocators.name = "lost buffer";
    allocators.watchMode = WatchMode.ALL;
    PageAllocator pages = allocators.open();
    Budget budget = Budget.unlimited("lost");
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      recording.enable("dev.arenal.Leak");
      Recordings.start(recording);
      var _ = Program.lose(pages, 3 << 20);
      Program.loseAllocator("lost allocator");
      Program.loseSpace("lost space");
      MemorySegment reserved = Program.loseReserved("lost memory", budget);
      Await.until(() -> {
        System.gc();
        return log.records.stream().filter(entry -> entry.getMessage().contains("=lost ")).count()
            == 4;
      });
      recording.stop();
      events = read(recording);
      // It stays: the address is held.
      assertThat(reserved.get(ValueLayout.JAVA_BYTE, 4095)).isEqualTo((byte) 7);
      assertThat(budget.committedBytes()).isEqualTo(4096);
    }
    assertThat(events.stream().map(LeakEventsTest::describe))
        .containsExactlyInAnyOrder(
            "PageBuffer lost buffer 3145728 1 lose",
            "PageAllocator lost allocator 0 1 loseAllocator",
            "ElasticSpace lost space 0 1 loseSpace",
            "ReservedMemory lost memory 1048576 1 loseReserved");
    assertThat(log.records.stream().map(entry -> shorten(entry.getMessage())))
        .contains(
            "memory was never closed: memory=lost memory, sizeBytes=1048576, committedBytes=4096,"
                + " place=loseReserved (it stays, since its address may be held, and so does its"
                + " share of the budget; close it)",
            "space was never closed: space=lost space, openArenas=0, place=loseSpace (close it)",
            "allocator was never closed: allocator=lost allocator, usedBytes=0,"
                + " place=loseAllocator (its memory has been given back; close it)");
    assertThat(log.records)
        .allSatisfy(entry -> assertThat(entry.getThrown().getStackTrace()).isNotEmpty());
    allocators.abandon(); // it can never be closed
  }

  private List<RecordedEvent> read(Recording recording) throws IOException {
    Path file = folder.resolve("recording.jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals("dev.arenal.Leak"))
        .filter(event -> event.getString("name").startsWith("lost "))
        .toList();
  }

  private static String describe(RecordedEvent event) {
    return event.getString("kind")
        + " "
        + event.getString("name")
        + " "
        + event.getLong("sizeBytes")
        + " "
        + event.getLong("count")
        + " "
        + shorten(event.getString("place"));
  }

  /** Of a frame of the program, the method: lines may move. */
  private static String shorten(String text) {
    return text.replaceAll("com\\.example\\.Program\\.(\\w+)\\(Program\\.java:\\d+\\)", "$1");
  }
}
