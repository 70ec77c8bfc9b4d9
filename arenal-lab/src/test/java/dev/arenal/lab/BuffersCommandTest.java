package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.jmh.JmhPlan;
import dev.arenal.lab.jmh.JmhRun;
import dev.arenal.lab.report.Section;
import dev.arenal.lab.roundtrip.BufferAllocator;
import dev.arenal.lab.roundtrip.BufferCell;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command as a person types it; what it measures takes too long here, a moment of it does not.
 */
final class BuffersCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void experiment_printsItsTablesAndWhatIsLeftOut() throws Exception {
    List<BufferCell> cells =
        List.of(
            new BufferCell(BufferAllocator.ARENAL, 256, 1, false),
            new BufferCell(BufferAllocator.NETTY_ADAPTIVE, 256, 2, true),
            new BufferCell(BufferAllocator.MALLOC, 256, 2, true));
    JmhPlan<BufferCell> plan =
        new JmhPlan<>(1, 0, 1, 20, 3, 10, cells, List.of("jemalloc is left out: none"));
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      section =
          new BuffersCommand()
              .measure(plan, JmhRun.program(Map.of()), progress, new PrintWriter(out, true));
    }
    assertThat(section.failures()).isEmpty();
    assertThat(section.name()).isEqualTo("buffers");
    assertThat(section.json().path("results")).hasSize(3);
    assertThat(out.toString())
        .startsWith("jemalloc is left out: none\nbuffers: one buffer from allocation to free, ")
        .containsPattern("\narenal +no +[0-9,.]+ ")
        .containsPattern("\nmalloc +no +[0-9,.]+ ");
  }

  @Test
  void libraryWithoutAName_failsItsForksAndNoOthers() throws Exception {
    List<BufferCell> cells =
        List.of(
            new BufferCell(BufferAllocator.MIMALLOC, 64, 1, false),
            new BufferCell(BufferAllocator.CONTROL, 64, 1, false));
    // The user's own are not to be seen either: the file is none.
    ProcessBuilder program = JmhRun.program(Map.of("ARENAL_MIMALLOC", ""));
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      section =
          new BuffersCommand()
              .measure(
                  new JmhPlan<>(1, 0, 1, 10, 1, 10, cells, List.of()),
                  program,
                  progress,
                  new PrintWriter(out, true));
    }
    assertThat(section.failures()).hasSize(1);
    assertThat(section.failures().getFirst())
        .startsWith(
            "fork failed: allocator=mimalloc, sizeBytes=64, threadCount=1, isHandedOver=false,"
                + " reason=")
        .contains("library is not named: variable=ARENAL_MIMALLOC");
    assertThat(section.json().path("results")).hasSize(1);
  }

  @Test
  void badInput_isRefusedBeforeAnythingIsMeasured() {
    assertThat(run("--quick", "--json", folder.toString())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("arenal buffers: cannot write: file=" + folder + ", reason=");
    assertThat(run("--quickly")).isEqualTo(2);
    assertThat(err.toString()).contains("Unknown option: '--quickly'\n");
    assertThat(run("--json")).isEqualTo(2);
    assertThat(err.toString()).contains("Missing required parameter for option '--json' (FILE)\n");
    assertThat(run("256")).isEqualTo(2);
    assertThat(err.toString()).contains("unexpected argument: '256'\n");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void partThatCannotBeMeasured_isRefused() {
    for (String count : List.of("0", "1,-2", "65")) {
      assertRefusal(
          "not a number of threads: threadCount=%s (expected 1 to 64)"
              .formatted(count.substring(count.indexOf(',') + 1)),
          "--threads",
          count);
    }
    assertRefusal(
        "not the size of a buffer: sizeBytes=7 (expected 8 to 4194304)", "--sizes", "64,7");
    assertRefusal(
        "not the size of a buffer: sizeBytes=8589934592 (expected 8 to 4194304)", "--sizes", "8g");
    assertRefusal(
        "unknown allocator: name=arena (expected one of arenal, arenal-zeroed, netty-adaptive,"
            + " netty-pooled, malloc, jemalloc, mimalloc, jdk-shared, control)",
        "--allocators",
        "arenal,arena");
    assertRefusal("nothing is measured: --rounds=0 (expected at least 1)", "--rounds", "0");
    assertThat(run("--sizes", "4x")).isEqualTo(2);
    assertThat(err.toString())
        .contains("not a size: 4x (expected bytes, or a number with k, m or g such as 512m)");
    assertThat(out.toString()).isEmpty();
  }

  private void assertRefusal(String message, String... words) {
    err.getBuffer().setLength(0);
    assertThat(run(words)).isEqualTo(2);
    assertThat(err.toString()).isEqualTo(message + "\nTry: arenal buffers --help\n");
  }

  @Test
  void help_showsExamplesAndTimes() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .contains(
            "Examples:",
            "arenal buffers --quick --json -",
            "one and two threads, 2 minutes",
            "--threads 1,8 --sizes 256,64k --allocators arenal,malloc",
            "99 %");
  }

  private int run(String... words) {
    return Commands.run(out, err, List.of("buffers"), words);
  }
}
