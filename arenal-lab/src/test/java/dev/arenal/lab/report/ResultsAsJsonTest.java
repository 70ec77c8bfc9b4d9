package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.buffers.Loads;
import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.firstuse.FirstUseMeasurement;
import dev.arenal.lab.firstuse.FirstUses;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.medium.MediumResult;
import dev.arenal.lab.medium.Results;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.Pretouches;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.result.Json;
import dev.arenal.lab.roundtrip.BufferCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results are the same after a round trip through JSON, except failures and notes. */
final class ResultsAsJsonTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void replays_areReadAsWritten() throws IOException {
    TraceReplay replay =
        Replays.trace(
            "t",
            Replays.resident(AllocatorKind.MALLOC, 1000, 1, 2, 3, 4),
            Replays.replay(AllocatorKind.HOTSPOT, null, 5L, null));
    assertThat(again(replay, TraceReplay.class)).isEqualTo(replay);
  }

  @Test
  void loads_areReadAsWritten() throws IOException {
    ChurnMeasurement churns = Loads.churns();
    ChurnMeasurement churnsAgain = again(churns, ChurnMeasurement.class);
    assertThat(churnsAgain.results()).isEqualTo(churns.results());
    assertThat(churnsAgain.controls()).isEqualTo(churns.controls());
    assertThat(churnsAgain.plan())
        .usingRecursiveComparison()
        .ignoringFields("notes")
        .isEqualTo(churns.plan());
    ChurnMeasurement twice = Loads.churnsOfTwoRuns();
    assertThat(again(twice, ChurnMeasurement.class)).isEqualTo(twice);
    BurstMeasurement bursts = Loads.bursts();
    assertThat(again(bursts, BurstMeasurement.class)).isEqualTo(bursts);
  }

  @Test
  void pretouches_areReadAsWritten() throws IOException {
    PretouchMeasurement measurement = Pretouches.asClaimed();
    PretouchMeasurement again = again(measurement, PretouchMeasurement.class);
    assertThat(again.results())
        .usingRecursiveComparison()
        .withComparatorForType(ResultsAsJsonTest::compare, Double.class)
        .isEqualTo(measurement.results());
    assertThat(again.refusal()).isEqualTo(measurement.refusal());
    assertThat(again.plan().otherRunCount()).isEqualTo(measurement.plan().otherRunCount());
  }

  @Test
  void firstUses_areReadAsWritten() throws IOException {
    FirstUseMeasurement measurement = FirstUses.asClaimed();
    FirstUseMeasurement again = again(measurement, FirstUseMeasurement.class);
    assertThat(again.results()).isEqualTo(measurement.results());
    assertThat(again.plan()).isEqualTo(measurement.plan());
  }

  @Test
  void confinedArenas_areReadAsWritten() throws IOException {
    JmhMeasurement<ConfinedCell> measurement = ConfinedSectionTest.sample();
    assertThat(again(measurement, new TypeReference<JmhMeasurement<ConfinedCell>>() {}).results())
        .usingRecursiveComparison()
        .withComparatorForType(ResultsAsJsonTest::compare, Double.class)
        .isEqualTo(measurement.results());
  }

  @Test
  void singleBuffers_areReadAsWritten() throws IOException {
    JmhMeasurement<BufferCell> measurement = BuffersSectionTest.sample();
    assertThat(again(measurement, new TypeReference<JmhMeasurement<BufferCell>>() {}).results())
        .usingRecursiveComparison()
        .withComparatorForType(ResultsAsJsonTest::compare, Double.class)
        .isEqualTo(measurement.results());
  }

  @Test
  void mediumRun_arrivesAsItWas() throws IOException {
    Path file = folder.resolve("result");
    MediumResult result = Results.asClaimed().results().getFirst();
    Json.write(file, result);
    assertThat(Json.readWhole(file, MediumResult.class)).isEqualTo(result);
  }

  @Test
  void partOfAResult_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("result"), "{\"synchronized\":true}");
    assertThatThrownBy(() -> Json.readWhole(file, MediumResult.class))
        .isInstanceOf(IOException.class)
        .hasMessage("not the result of a run: file=" + file + ", type=MediumResult");
  }

  /** Digits that say nothing are not written. */
  private static int compare(Double one, Double other) {
    return Math.abs(one - other) < 1e-3 ? 0 : Double.compare(one, other);
  }

  private static <T> T again(Object result, TypeReference<T> type) throws IOException {
    return Json.read(Json.tree(result), type);
  }

  private static <T> T again(Object result, Class<T> type) throws IOException {
    return Json.read(Json.tree(result), type);
  }
}
