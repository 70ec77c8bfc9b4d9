package dev.arenal.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to a trace on its way, it is refused before a visitor sees any of it. */
final class DamagedTraceTest {
  private static final int HEADER_BLOCK_OFFSET = TraceLayout.PREAMBLE_BYTES;

  @TempDir Path temp;
  private byte[] sound = new byte[0];
  private Path file = Path.of("");

  @BeforeEach
  void writeSoundTrace() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TraceWriter writer = new TraceWriter(bytes, "25")) {
      RandomTrace.generate(7, 300, writer);
      writer.finish(new TraceOutcome(0, 0, 65536));
    }
    sound = bytes.toByteArray();
    file = temp.resolve("small.trace");
  }

  @Test
  void everyFlippedBit_isRefused() throws IOException {
    for (int i = 0; i < sound.length; i++) {
      for (int bit = 0; bit < 8; bit++) {
        byte[] damaged = sound.clone();
        damaged[i] ^= (byte) (1 << bit);
        assertRefused(damaged, "byte " + i + ", bit " + bit);
      }
    }
  }

  @Test
  void everyTruncation_isRefused() throws IOException {
    for (int length = 0; length < sound.length; length++) {
      assertRefused(Arrays.copyOf(sound, length), "length " + length);
    }
  }

  @Test
  void everyAppendedOrRemovedByte_isRefused() throws IOException {
    assertRefused(Arrays.copyOf(sound, sound.length + 1), "a byte more");
    for (int i = 0; i < sound.length; i++) {
      byte[] damaged = new byte[sound.length - 1];
      System.arraycopy(sound, 0, damaged, 0, i);
      System.arraycopy(sound, i + 1, damaged, i, damaged.length - i);
      assertRefused(damaged, "without byte " + i);
    }
  }

  @Test
  void randomBytes_areRefused() throws IOException {
    long seed = RandomTrace.seed();
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      int keep = Math.min(garbage.length, random.nextInt(60));
      System.arraycopy(sound, 0, garbage, 0, keep);
      assertRefused(garbage, "test.seed=" + seed + ", round " + round);
    }
  }

  /** The checksum is right here: only the rules stand between such a trace and a replay. */
  @Test
  void randomEventsUnderARightChecksum_areRefusedOrKeepToTheRules() throws IOException {
    long seed = RandomTrace.seed();
    Random random = new Random(seed);
    for (int round = 0; round < 5_000; round++) {
      ForgedTrace forged = new ForgedTrace();
      forged.events(random.nextInt(20), random.nextInt(40), random);
      byte[] bytes = forged.toBytes();
      try {
        Traces.read("small", () -> new ByteArrayInputStream(bytes), new EventText());
      } catch (TraceFormatException e) {
        assertThat(e).hasMessageContaining("trace=small");
      } catch (IOException | RuntimeException e) {
        fail("test.seed=" + seed + ", round " + round, e);
      }
    }
  }

  @Test
  void otherFile_isNamed() throws IOException {
    Files.writeString(file, "hello, world");
    assertThatThrownBy(() -> Traces.read(file, new EventText()))
        .isInstanceOf(TraceFormatException.class)
        .hasMessage(
            "not a trace: trace=small, block=0, blockOffsetBytes=0, event=0"
                + " (expected the file to begin with ARENALTR)");
  }

  @Test
  void otherVersion_isNamed() throws IOException {
    byte[] newer = sound.clone();
    newer[9] = 2;
    Files.write(file, newer);
    assertThatThrownBy(() -> Traces.read(file, new EventText()))
        .hasMessage(
            "trace of another version: version=2, trace=small, block=0, blockOffsetBytes=0,"
                + " event=0 (expected 1)");
  }

  @Test
  void missingEnd_isNamed() throws IOException {
    int offset = offsetOfBlock(2);
    Files.write(file, Arrays.copyOf(sound, offset));
    assertThatThrownBy(() -> Traces.read(file, new EventText()))
        .hasMessage(
            "trace is truncated: trace=small, block=2, blockOffsetBytes="
                + offset
                + ", event="
                + lastEvent()
                + " (expected another block; the end record is missing)");
  }

  @Test
  void cutBlock_isNamed() throws IOException {
    int offset = offsetOfBlock(1);
    Files.write(file, Arrays.copyOf(sound, offset + 20));
    assertThatThrownBy(() -> Traces.read(file, new EventText()))
        .hasMessage(
            "trace is truncated in a block: length=7, trace=small, block=1, blockOffsetBytes="
                + offset
                + ", event=0 (expected "
                + (offsetOfBlock(2) - offset - TraceLayout.BLOCK_HEAD_BYTES)
                + ")");
  }

  @Test
  void missingFile_isNamed() {
    assertThatThrownBy(() -> Traces.read("no-such-trace", new EventText()))
        .hasMessage(
            "no such trace: trace=no-such-trace (expected a file, or one of the embedded traces"
                + " [groovy, clojure, rhino, jsp, calcite, hibernate, tomcat, felix, builds,"
                + " lambdas, by-loader, by-class, one-class])");
  }

  private static void assertRefused(byte[] bytes, String what) throws IOException {
    EventText seen = new EventText();
    try {
      Traces.read("small", () -> new ByteArrayInputStream(bytes), seen);
      fail("accepted: " + what);
    } catch (TraceFormatException e) {
      assertThat(e).as(what).hasMessageContaining("trace=small, block=");
    }
    assertThat(seen.lines()).as(what).isEmpty();
  }

  private int offsetOfBlock(int index) {
    int offset = HEADER_BLOCK_OFFSET;
    for (int i = 0; i < index; i++) {
      int storedLength = ByteBuffer.wrap(sound).getInt(offset + 9);
      offset += TraceLayout.BLOCK_HEAD_BYTES + storedLength + TraceLayout.BLOCK_CRC_BYTES;
    }
    return offset;
  }

  private long lastEvent() {
    EventText all = new EventText();
    RandomTrace.generate(7, 300, all);
    return all.lines().size() - 1L;
  }
}
