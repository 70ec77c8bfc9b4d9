package dev.arenal.lab.trace;

import static dev.arenal.lab.trace.TraceLayout.OP_ALLOCATE_ELSEWHERE;
import static dev.arenal.lab.trace.TraceLayout.OP_BIRTH_CLASS;
import static dev.arenal.lab.trace.TraceLayout.OP_BIRTH_NON_CLASS;
import static dev.arenal.lab.trace.TraceLayout.OP_COMMITTED_CLASS;
import static dev.arenal.lab.trace.TraceLayout.OP_DEALLOCATE;
import static dev.arenal.lab.trace.TraceLayout.OP_DEATH;
import static dev.arenal.lab.trace.TraceLayout.OP_MARK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that break the rules, from a writer's user and in a forged file. */
final class RulesTest {
  private static final int BIRTH = OP_BIRTH_NON_CLASS;

  @TempDir Path temp;

  @Test
  void reader_refusesWhatBreaksTheRules() throws IOException {
    assertRefused("allocation in an arena that is not born: arena=0, arenaCount=0", 0, 1, 0x00);
    assertRefused(
        "allocation in an arena that is dead: arena=0, arenaCount=1",
        2,
        3,
        BIRTH,
        0,
        OP_DEATH,
        0,
        0x00);
    assertRefused(
        "death in an arena that is dead: arena=0, arenaCount=1",
        2,
        3,
        BIRTH,
        0,
        OP_DEATH,
        0,
        OP_DEATH,
        0);
    assertRefused(
        "number out of range: arena=-1", "expected 0..2147483647", 1, 2, BIRTH, 0, OP_DEATH, 1);
    assertRefused("loader ids are not dense: loader=-1", "expected 0..0", 0, 1, BIRTH, 1);
    assertRefused(
        "a loader has one arena per space: arena=1, loader=0, space=NON_CLASS",
        1,
        2,
        BIRTH,
        0,
        BIRTH,
        1);
    assertRefused(
        "size out of range: sizeWords=0",
        "expected 1..268435456",
        1,
        2,
        BIRTH,
        0,
        OP_ALLOCATE_ELSEWHERE,
        0,
        0);
    assertRefused(
        "block is deallocated twice: block=0, arena=0",
        3,
        4,
        BIRTH,
        0,
        0x00,
        OP_DEALLOCATE,
        0,
        0,
        OP_DEALLOCATE,
        0,
        0);
    assertRefused(
        "deallocation of a block that was never allocated: block=-1",
        "expected 0..0",
        2,
        3,
        BIRTH,
        0,
        0x00,
        OP_DEALLOCATE,
        0,
        1);
  }

  @Test
  void reader_refusesWhatIsNoEvent() throws IOException {
    assertRefused(
        "committed figure out of range: space=CLASS, kilobytes=-1", 0, 1, OP_COMMITTED_CLASS, 1);
    assertRefused("unknown event: op=255", "expected 0..199", 0, 1, 0xff);
    assertRefused("event or record runs past its block", 0, 1, BIRTH);
    assertRefused(
        "number is longer than 64 bits",
        0,
        1,
        BIRTH,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0xff,
        0x02);
    assertRefused(
        "text runs past its bound: labelBytes=5", "expected at most 1", 0, 1, OP_MARK, 5, 'a');
    assertRefused("text is not UTF-8: name=label", 0, 1, OP_MARK, 1, 0xff);
    assertRefused(
        "block holds another number of events: eventCount=1", "expected 2", 0, 2, BIRTH, 0);
  }

  @Test
  void reader_refusesAForeignBlock() throws IOException {
    ForgedTrace forged = new ForgedTrace();
    forged.events(4, BIRTH, 0, OP_BIRTH_CLASS, 1, 0x00, OP_DEALLOCATE, 2, 0);
    end(forged, 4, 1, 1, 2, 0, 1, 1);
    assertMessage(
        forged,
        "block is deallocated in an arena that does not own it: block=0, arena=1, trace=forged,"
            + " block=1, blockOffsetBytes=32, event=3 (expected arena=0)");
  }

  @Test
  void reader_comparesTheTotals() throws IOException {
    ForgedTrace forged = new ForgedTrace();
    forged.events(1, BIRTH, 0);
    end(forged, 1, 0, 0, 2, 0, 1, 0);
    assertMessage(
        forged,
        "end record does not agree with the events: field=3, value=2, trace=forged, block=2,"
            + " blockOffsetBytes=53, event=1 (expected 1)");
  }

  @Test
  void reader_refusesImpossibleFiguresOfTheEnd() throws IOException {
    ForgedTrace forged = new ForgedTrace();
    forged.events(1, BIRTH, 0);
    int f = 0xff;
    forged.block(TraceLayout.BLOCK_END, 0, 1, 0, 0, 1, 0, 1, 0, 6, f, f, f, f, f, f, f, f, f, 1, 0);
    assertMessage(
        forged,
        "end record is impossible: programExit=3, anomalyCount=-1, trace=forged, block=2,"
            + " blockOffsetBytes=53, event=1 (expected an exit code, and a count of at least 0)");
  }

  @Test
  void reader_wantsHeaderAndEndInTheirPlaces() throws IOException {
    assertMessage(
        new ForgedTrace().block(TraceLayout.BLOCK_HEADER, 0, 0),
        "unexpected block: type=72, eventCount=0, trace=forged, block=1, blockOffsetBytes=32,"
            + " event=0 (expected type=90 or an event block)");
  }

  @Test
  void writer_refusesAndStaysUsable() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TraceWriter writer = new TraceWriter(bytes, "25")) {
      writer.birth(0, TraceSpace.NON_CLASS, 0);
      assertThatThrownBy(() -> writer.birth(2, TraceSpace.CLASS, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("arena ids are not dense: arena=2 (expected 1)");
      assertThatThrownBy(() -> writer.allocate(0, 1, 1))
          .hasMessage("block ids are not dense: block=1 (expected 0)");
      assertThatThrownBy(() -> writer.allocate(1, 1, 0))
          .hasMessage("allocation in an arena that is not born: arena=1, arenaCount=1");
      assertThatThrownBy(() -> writer.deallocate(0, 0))
          .hasMessage("deallocation of a block that was never allocated: block=0 (expected 0..-1)");
      assertThatThrownBy(() -> writer.hotspotCommitted(TraceSpace.CLASS, 1000))
          .hasMessage(
              "committed bytes out of range: space=CLASS, committedBytes=1000 (expected a multiple"
                  + " of 1024, at least 0)");
      assertThatThrownBy(() -> writer.mark("x".repeat(1025)))
          .hasMessage("label is too long: labelBytes=1025 (expected at most 1024)");
      writer.allocate(0, 5, 0);
      writer.finish(new TraceOutcome(0, 0, 0));
    }
    Path file = temp.resolve("kept.trace");
    Files.write(file, bytes.toByteArray());
    EventText seen = new EventText();
    Traces.read(file, seen);
    assertThat(seen.lines()).containsExactly("birth 0 NON_CLASS loader 0", "allocate 0 5 block 0");
  }

  private void assertRefused(String problem, int event, int eventCount, int... content)
      throws IOException {
    assertMessage(new ForgedTrace().events(eventCount, content), place(problem, event));
  }

  private void assertRefused(
      String problem, String expected, int event, int eventCount, int... content)
      throws IOException {
    assertMessage(
        new ForgedTrace().events(eventCount, content),
        place(problem, event) + " (" + expected + ")");
  }

  private static String place(String problem, int event) {
    return problem
        + (problem.contains("=") ? ", " : ": ")
        + "trace=forged, block=1, blockOffsetBytes=32, event="
        + event;
  }

  private void assertMessage(ForgedTrace forged, String message) throws IOException {
    Path file = temp.resolve("forged.trace");
    Files.write(file, forged.toBytes());
    assertThatThrownBy(() -> Traces.read(file, new EventText()))
        .isInstanceOf(TraceFormatException.class)
        .hasMessage(message);
  }

  private static void end(ForgedTrace forged, int... totals) throws IOException {
    int[] fields = Arrays.copyOf(totals, totals.length + 3);
    forged.block(TraceLayout.BLOCK_END, 0, fields);
  }
}
