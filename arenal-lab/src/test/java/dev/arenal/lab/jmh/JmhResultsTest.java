package dev.arenal.lab.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import dev.arenal.lab.roundtrip.BufferAllocator;
import dev.arenal.lab.roundtrip.BufferCell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output of JMH, in its shape and with figures made up. */
final class JmhResultsTest {
  private static final ConfinedCell JDK = new ConfinedCell(Shape.ONE, 20, false, Factory.JDK);
  private static final ConfinedCell VIRTUAL = new ConfinedCell(Shape.ONE, 20, true, Factory.JDK);
  private static final ConfinedCell NONE = new ConfinedCell(Shape.NONE, 0, false, Factory.JDK);
  private static final ConfinedCell CROWD = new ConfinedCell(Shape.CROWD, 20, true, Factory.JDK);
  private static final ConfinedCell LWJGL = new ConfinedCell(Shape.ONE, 20, false, Factory.LWJGL);

  @TempDir Path folder;

  @Test
  void figures_areMediansOfAllForksAndTheirErrors() throws IOException {
    String raw = "[[50, 48, 51], [47, 900, 49], [46, 52]]";
    assertThat(read(entry("ArenaAllocation.one", "jdk", "20", "", raw, "1.5"), JDK))
        .containsExactly(new JmhResult<>(JDK, 49.5, 427.0, 0.25));
    // Of twelve, the first and the last do not count.
    String more = "[[50, 48, 51, 47], [900, 49, 46, 52], [49, 50, 50, 49]]";
    assertThat(read(entry("ArenaAllocation.one", "jdk", "20", "", more, "1.5"), JDK))
        .containsExactly(new JmhResult<>(JDK, 49.5, 2.5, 0.25));
  }

  @Test
  void errorOfTooFewIterations_isNull() throws IOException {
    assertThat(
            read(entry("ArenaAllocation.one", "jdk", "20", "", "[[1,2,3,4],[5,6,7]]", "1.5"), JDK)
                .getFirst()
                .errorNanos())
        .isNull();
  }

  @Test
  void heapBytesThatWereNotMeasured_areNull() throws IOException {
    String text =
        entry("ArenaAllocation.one", "jdk", "20", "", "[[50]]", "1")
            .replace("gc.alloc.rate.norm", "other");
    assertThat(read(text, JDK).getFirst().bytesPerOperation()).isNull();
  }

  @Test
  void threads_areToldByTheFlag() throws IOException {
    String virtual =
        entry("ArenaAllocation.one", "jdk", "20", "\"-Djmh.executor=VIRTUAL\"", "[[70]]", "1");
    assertThat(read(virtual, JDK)).isEmpty();
    assertThat(read(virtual, VIRTUAL)).hasSize(1);
    // Starts its own threads; JMH's is a usual one.
    assertThat(read(entry("ArenaCrowd.crowd", "jdk", "20", "", "[[70]]", "1"), CROWD)).hasSize(1);
  }

  @Test
  void sizeOfAShapeWithoutOne_isNotAsked() throws IOException {
    assertThat(read(entry("ArenaOpening.none", "jdk", "", "", "[[0.3]]", "1"), NONE)).hasSize(1);
    assertThat(read(entry("ArenaAllocation.one", "jdk", "5", "", "[[1]]", "1"), JDK)).isEmpty();
  }

  @Test
  void factories_areToldApart() throws IOException {
    String lwjgl = entry("MemoryStackAllocation.one", "lwjgl", "20", "", "[[9]]", "1");
    assertThat(read(lwjgl, LWJGL)).hasSize(1);
    assertThat(read(lwjgl, JDK)).isEmpty();
    assertThat(read(entry("ArenaAllocation.one", "pooled", "20", "", "[[9]]", "1"), JDK)).isEmpty();
  }

  @Test
  void cellThatIsMeasuredTwice_isThereOnce() throws IOException {
    assertThat(read(entry("ArenaAllocation.one", "jdk", "20", "", "[[50]]", "1"), JDK, JDK))
        .hasSize(1);
  }

  @Test
  void otherUnits_areRefused() {
    String text =
        entry("ArenaAllocation.one", "jdk", "20", "", "[[50]]", "1").replace("ns/op", "ops/s");
    assertThatThrownBy(() -> read(text, JDK))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "result of JMH has no time: shape=one, sizeBytes=20, threads=platform, factory=jdk,"
                + " unit=ops/s (expected iterations in ns/op or ops/ns)");
  }

  /** JMH's throughput is that of all threads together. */
  @Test
  void throughput_becomesTheTimeOfAThread() throws IOException {
    String text =
        entry("", "", "64", "", "[[0.5, 0.25, 0.25, 0.25], [0.125, 0.25, 0.25, 0.25]]", "1")
            .replace("confined.", "buffers.Buffers.arenal")
            .replace("ns/op", "ops/ns")
            .replace("\"threads\": 1", "\"threads\": 4");
    BufferCell cell = new BufferCell(BufferAllocator.ARENAL, 64, 4, false);
    assertThat(JmhResults.read(write(text), List.of(cell)))
        .singleElement()
        .satisfies(result -> {
          assertThat(result.nanosPerOperation()).isEqualTo(16);
          assertThat(result.errorNanos()).isEqualTo(12);
        });
  }

  @Test
  void whatIsNotJson_isRefused() {
    assertThatThrownBy(() -> read("[{", JDK))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("results of JMH are not JSON: reason=")
        .hasMessageEndingWith(" (expected what -rf json writes)");
  }

  private List<JmhResult<ConfinedCell>> read(String text, ConfinedCell... cells)
      throws IOException {
    return JmhResults.read(write(text), List.of(cells));
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("jmh.json"), text);
  }

  private static String entry(
      String benchmark, String factory, String size, String flag, String raw, String error) {
    String sizeParam = size.isEmpty() ? "" : ", \"sizeBytes\": \"%s\"".formatted(size);
    return """
    [{"jmhVersion": "1.37", "benchmark": "dev.arenal.bench.confined.%s",
      "mode": "avgt", "threads": 1, "jvmArgs": [%s], "params": {"factory": "%s"%s},
      "primaryMetric": {"score": 1.0, "scoreError": %s, "scoreUnit": "ns/op", "rawData": %s},
      "secondaryMetrics": {"gc.alloc.rate.norm": {"score": 7, "rawData": [[0.25, 0.25, 99]]}}}]
    """
        .formatted(benchmark, flag, factory, sizeParam, error, raw);
  }
}
