package dev.arenal.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RoundTripTest {
  private static final TraceOutcome OUTCOME = new TraceOutcome(137, 3, 65536);

  @TempDir Path temp;

  @Test
  void randomEvents_comeBackAsTheyWere() throws IOException {
    long seed = RandomTrace.seed();
    Path file = temp.resolve("random.trace");
    EventText expected = new EventText();
    RandomTrace.generate(seed, 20_000, expected);
    TraceInfo written = write(seed, 20_000, file);

    EventText seen = new EventText();
    TraceInfo info = Traces.read(file, seen);

    assertThat(seen.lines()).as("test.seed=%d", seed).isEqualTo(expected.lines());
    assertThat(info.name()).isEqualTo("random");
    assertThat(info.jvmVersion()).isEqualTo("25.0.3+9-LTS");
    assertThat(info.programExit()).isEqualTo(137);
    assertThat(info.anomalyCount()).isEqualTo(3);
    assertThat(info.commitGranuleBytes()).isEqualTo(65536);
    assertThat(info.eventCount()).isEqualTo(expected.lines().size());
    assertThat(info).usingRecursiveComparison().ignoringFields("name").isEqualTo(written);
    assertThat(Traces.info(file.toString())).isEqualTo(info);
  }

  @Test
  void manyBlocks_comeBackAsTheyWere() throws IOException {
    Path file = temp.resolve("large.trace");
    TraceInfo written = write(42, 2_000_000, file);
    Path copy = temp.resolve("copy.trace");
    try (TraceWriter writer = new TraceWriter(Files.newOutputStream(copy), written.jvmVersion())) {
      Traces.read(file, writer);
      writer.finish(OUTCOME);
    }
    assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
    assertThat(Files.size(file)).isGreaterThan(TraceLayout.MAX_RAW_BYTES);
  }

  @Test
  void emptyTrace_isATrace() throws IOException {
    Path file = temp.resolve("empty");
    TraceInfo info = write(1, 0, file);
    assertThat(info.eventCount()).isZero();
    assertThat(Traces.read(file, new EventText()).name()).isEqualTo("empty");
  }

  /** A label is any text; the version, which a terminal shows, has no control characters. */
  @Test
  void texts_areAsTheFormatSays() throws IOException {
    Path file = temp.resolve("texts.trace");
    try (TraceWriter writer = new TraceWriter(Files.newOutputStream(file), "25")) {
      writer.mark("a phase\n\tof two lines");
      writer.finish(OUTCOME);
    }
    EventText seen = new EventText();
    Traces.read(file, seen);
    assertThat(seen.lines()).containsExactly("mark a phase\n\tof two lines");

    try (TraceWriter writer = new TraceWriter(Files.newOutputStream(file), "25\u001b[2J")) {
      writer.finish(OUTCOME);
    }
    assertThatThrownBy(() -> Traces.read(file, new EventText()))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith("text has a control character: name=jvmVersion, trace=texts");
  }

  @Test
  void repeatedWork_costsHardlyAnything() throws IOException {
    Path file = temp.resolve("repeated.trace");
    try (TraceWriter writer = new TraceWriter(Files.newOutputStream(file), "25")) {
      int block = 0;
      for (int loader = 0; loader < 1000; loader++) {
        writer.birth(2 * loader, TraceSpace.NON_CLASS, loader);
        writer.birth(2 * loader + 1, TraceSpace.CLASS, loader);
        for (int i = 0; i < 1000; i++) {
          writer.allocate(2 * loader + (i % 73 == 0 ? 1 : 0), 1 + i * 7919 % 200, block++);
        }
      }
      writer.finish(OUTCOME);
    }
    assertThat(Files.size(file)).isLessThan(20_000);
  }

  private static TraceInfo write(long seed, int eventCount, Path file) throws IOException {
    try (TraceWriter writer = new TraceWriter(Files.newOutputStream(file), "25.0.3+9-LTS")) {
      RandomTrace.generate(seed, eventCount, writer);
      return writer.finish(OUTCOME);
    }
  }
}
