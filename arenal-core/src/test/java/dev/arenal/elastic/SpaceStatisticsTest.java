package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.events.Recordings;
import dev.arenal.memory.Budget;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.stats.Await;
import dev.arenal.stats.StatisticsRow;
import dev.arenal.stats.StatisticsTable;
import dev.arenal.stats.recorder.StatisticsRecorder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Logger;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rows of a space, and that they cost nothing until they are asked for. */
@Timeout(60)
final class SpaceStatisticsTest {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();

  @AfterEach
  void verify() {
    os.assertNothingMapped();
  }

  @Test
  void rows_countWhatTheSpaceDid() {
    ElasticSpace space =
        ElasticSpace.builder("rows")
            .operatingSystem(os)
            .budget(Budget.limitedTo("rows", 8 << 20))
            .reserveBytes(0)
            .build();
    space.openConfined().close(); // not asked for yet
    assertThat(space.statistics().rows())
        .allMatch(row -> row.sumEver() == 0)
        .extracting(row -> row.group() + ": " + row.row() + " " + row.unit())
        .containsExactly(
            "Arenas: Closed OPERATIONS_PER_SECOND",
            "Arenas: Opened OPERATIONS_PER_SECOND",
            "Memory: Commit BYTES_PER_SECOND",
            "Memory: Out Of Memory OPERATIONS_PER_SECOND",
            "Memory: Uncommit BYTES_PER_SECOND",
            "Memory: Uncommit Failed OPERATIONS_PER_SECOND");
    try (ElasticArena arena = space.openConfined()) {
      var _ = arena.allocate(1 << 20);
      assertThatThrownBy(() -> arena.allocate(9 << 20)).isInstanceOf(OutOfMemoryError.class);
      assertThat(ever(space, "Commit")).isEqualTo(space.committedBytes());
    }
    space.verify();
    assertThat(ever(space, "Commit") - ever(space, "Uncommit")).isEqualTo(space.committedBytes());
    assertThat(ever(space, "Uncommit")).isGreaterThanOrEqualTo(1 << 20);
    assertThat(ever(space, "Out Of Memory")).isEqualTo(1);
    assertThat(ever(space, "Uncommit Failed")).isZero();
    space.close();
    StatisticsTable last = space.statistics();
    assertThat(sumEver(last, "Memory", "Uncommit")).isEqualTo(sumEver(last, "Memory", "Commit"));
    assertThat(sumEver(last, "Arenas", "Opened")).isEqualTo(1);
    assertThat(sumEver(last, "Arenas", "Closed")).isEqualTo(1);
    assertThat(last.toString()).startsWith("=== Memory Statistics: ElasticSpace rows ====");
  }

  @Test
  void bean_livesFromTheFirstQuestionToTheClose() throws JMException {
    ObjectName bean = new ObjectName("dev.arenal:type=ElasticSpace,name=\"bean\"");
    ElasticSpace space = ElasticSpace.builder("bean").operatingSystem(os).build();
    assertThat(names()).doesNotContain("bean");
    var _ = space.statistics();
    assertThat(names()).contains("bean");
    Await.until(() -> SERVER.isRegistered(bean));
    ElasticArena arena = space.openShared();
    assertThatThrownBy(space::close).isInstanceOf(IllegalStateException.class);
    assertThat(SERVER.isRegistered(bean)).isTrue();
    arena.close();
    space.close();
    assertThat(SERVER.isRegistered(bean)).isFalse();
    assertThat(names()).doesNotContain("bean");
  }

  @Test
  void closedSpace_thatWasNeverAsked_hasNone() {
    ElasticSpace space = ElasticSpace.builder("late").operatingSystem(os).build();
    space.close();
    assertThatThrownBy(space::statistics)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("space is closed: space=late (expected an open space)");
  }

  /** The warning about it needs it to become unreachable. */
  @Test
  void forgottenSpace_isNotKeptAlive() throws JMException {
    ObjectName bean = new ObjectName("dev.arenal:type=ElasticSpace,name=\"forgotten\"");
    AtomicBoolean warned = new AtomicBoolean();
    Logger logger = Logger.getLogger("dev.arenal");
    logger.setFilter(record -> {
      boolean ours = record.getMessage().contains("space=forgotten,");
      warned.compareAndSet(false, ours);
      return !ours;
    });
    try {
      WeakReference<ElasticSpace> forgotten = forget();
      Await.until(() -> {
        System.gc();
        return forgotten.refersTo(null)
            && !names().contains("forgotten")
            && !SERVER.isRegistered(bean)
            && warned.get();
      });
    } finally {
      logger.setFilter(null);
    }
  }

  private WeakReference<ElasticSpace> forget() {
    ElasticSpace space = ElasticSpace.builder("forgotten").operatingSystem(os).build();
    var _ = space.statistics();
    return new WeakReference<>(space);
  }

  @Test
  void property_recordsFromTheBuildOn() {
    System.setProperty("arenal.statistics", "true");
    try (ElasticSpace space = ElasticSpace.builder("early").operatingSystem(os).build()) {
      assertThat(names()).contains("early");
      space.openConfined().close();
      assertThat(sumEver(space.statistics(), "Arenas", "Opened")).isEqualTo(1);
    } finally {
      System.clearProperty("arenal.statistics");
    }
  }

  /** Also for a space whose table has not been asked for. */
  @Test
  void flightRecorder_seesUncommitAndRefusal(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("space.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("dev.arenal.Uncommit");
      recording.enable("dev.arenal.OutOfMemory");
      Recordings.start(recording);
      try (ElasticSpace space =
          ElasticSpace.builder("recorded")
              .operatingSystem(os)
              .budget(Budget.limitedTo("recorded", 4 << 20))
              .reserveBytes(0)
              .build()) {
        try (ElasticArena arena = space.openConfined()) {
          var _ = arena.allocate(1 << 20);
          assertThatThrownBy(() -> arena.allocate(5 << 20)).isInstanceOf(OutOfMemoryError.class);
        }
      }
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.hasField("kind"))
            .filter(event -> event.getString("name").equals("recorded"))
            .toList();
    assertThat(events)
        .extracting(event -> event.getEventType().getName() + " " + event.getString("kind"))
        .contains("dev.arenal.OutOfMemory ElasticSpace", "dev.arenal.Uncommit ElasticSpace");
    for (RecordedEvent event : events) {
      if (event.hasField("uncommittedBytes")) {
        assertThat(event.getLong("uncommittedBytes")).isEqualTo(event.getLong("requestedBytes"));
      } else {
        assertThat(event.getLong("requestedBytes")).isGreaterThanOrEqualTo(5 << 20);
        assertThat(event.getLong("limitBytes")).isEqualTo(4 << 20);
      }
    }
  }

  private static long ever(ElasticSpace space, String row) {
    return sumEver(space.statistics(), "Memory", row);
  }

  private static long sumEver(StatisticsTable table, String group, String row) {
    return table.row(group, row).map(StatisticsRow::sumEver).orElseThrow();
  }

  private static List<String> names() {
    return StatisticsRecorder.tables().stream().map(StatisticsTable::name).toList();
  }
}
