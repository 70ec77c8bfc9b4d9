package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.events.Recordings;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.pretouch.Pretouch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A pretouch as Java Flight Recorder sees it, granted and refused. */
@Timeout(60)
final class PretouchEventTest {
  private static final long SIZE = 16 << 20;

  @TempDir private Path folder;

  @Test
  void granted_hasItsFigures() throws IOException {
    Path file = folder.resolve("recording.jfr");
    try (Recording recording = new Recording();
        ReservedMemory memory = ReservedMemory.reserve("seen", SIZE, Budget.unlimited("u"));
        ReservedMemory huge = ReservedMemory.reserve("seen-2", 1L << 42, Budget.unlimited("u"))) {
      recording.enable("dev.arenal.Pretouch").withThreshold(Duration.ZERO);
      Recordings.start(recording);
      var _ = memory.pretouch(Pretouch.all().threads(2));
      assertThatThrownBy(() -> huge.pretouch(Pretouch.all())).isInstanceOf(OutOfMemoryError.class);
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    RecordedEvent granted = only(events, "memory=seen");
    assertThat(granted.getBoolean("successful")).isTrue();
    assertThat(granted.getLong("requestedBytes")).isEqualTo(SIZE);
    assertThat(granted.getLong("touchedBytes")).isEqualTo(SIZE);
    assertThat(granted.getInt("threadCount")).isEqualTo(2);
    assertThat(granted.getString("method")).isEqualTo("POPULATE");
    assertThat(granted.getLong("faultCount")).isPositive();
    assertThat(granted.getLong("hugeBytes")).isEqualTo(-1);
    RecordedEvent refused = only(events, "memory=seen-2");
    assertThat(refused.getBoolean("successful")).isFalse();
    assertThat(refused.getLong("requestedBytes")).isEqualTo(1L << 42);
    assertThat(refused.getLong("touchedBytes")).isZero();
  }

  /** As it refuses pages that the program has locked. */
  @Test
  void failed_isSeenAlsoWhereTheKernelTakesNothingBack() throws IOException {
    Path file = folder.resolve("recording.jfr");
    SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    try (Recording recording = new Recording();
        ReservedMemory memory = ReservedMemory.reserve(os, "kept", SIZE, Budget.unlimited("u"))) {
      recording.enable("dev.arenal.Pretouch").withThreshold(Duration.ZERO);
      Recordings.start(recording);
      os.failAlways(SimulatedOperatingSystem.Call.DISCARD, Errno.EINVAL);
      assertThatThrownBy(() -> memory.pretouch(Pretouch.all().cancelWhen(() -> true)))
          .isInstanceOf(CancellationException.class);
      os.succeed();
      recording.stop();
      recording.dump(file);
    }
    RecordedEvent failed = only(RecordingFile.readAllEvents(file), "memory=kept");
    assertThat(failed.getBoolean("successful")).isFalse();
    assertThat(failed.getLong("touchedBytes")).isPositive();
  }

  private static RecordedEvent only(List<RecordedEvent> events, String target) {
    List<RecordedEvent> found =
        events.stream()
            .filter(event -> event.getEventType().getName().equals("dev.arenal.Pretouch"))
            .filter(event -> event.getString("target").equals(target))
            .toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }
}
