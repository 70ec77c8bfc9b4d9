package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.buffers.BufferSizes;
import dev.arenal.lab.buffers.BurstPlan;
import dev.arenal.lab.buffers.ChurnPlan;
import dev.arenal.lab.buffers.PeerKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code arenal churn} and {@code arenal burst} as a person types them. */
final class LoadCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void churn_printsATableAndWritesAllFiles() {
    int exitCode =
        run(
            "churn --runs 1 --operations 2000 --live 8m --most 256k --threads 2 --allocators"
                + " malloc --out "
                + folder);

    assertThat(err.toString()).isEmpty();
    assertThat(exitCode).isZero();
    assertThat(out.toString())
        .startsWith(
            "so few operations only try the command out: operations=2000; no JVM has its second"
                + " compiler, do not compare the times (expected 100000 or more)\n")
        .contains("\nchurn: 2,000 random buffers replaced in each row, 8.0 MiB live, sizes 64 B to")
        .containsPattern("\nmalloc +no +- +2 .*\nnone +- +- +2 ")
        .contains("\nreport: " + folder.resolve("report.html"));
    assertThat(folder.resolve("churn.json")).exists();
    assertThat(folder.resolve("env.json")).exists();
  }

  @Test
  void burst_printsJsonAlone() {
    int exitCode =
        run("burst --bytes 8m --most 256k --threads 2 --allocators malloc --idle 0.1 --json -");

    assertThat(exitCode).isZero();
    assertThat(out.toString())
        .startsWith("{\n  \"allocators\" : [ \"malloc\" ],")
        .contains("\n  \"burstBytes\" : 8388608,\n  \"idleSeconds\" : 0.1,");
    assertThat(err.toString())
        .startsWith(
            "so small a burst only tries the command out: burstBytes=8388608; no JVM has its second"
                + " compiler, do not compare the figures (expected 67108864 or more)\n")
        .contains("\nburst: 8 MiB of buffers allocated and freed, then 0.1 s");
  }

  @Test
  void badInput_isRefusedBeforeAnythingIsMeasured() {
    assertThat(run("churn --allocators tcmalloc")).isEqualTo(2);
    assertThat(err.toString()).startsWith("unknown allocator: name=tcmalloc (expected one of ");
    assertThat(run("churn --threads 0")).isEqualTo(2);
    assertThat(err.toString()).contains("number of threads is out of range: threads=0 (");
    assertThat(run("churn --runs 0")).isEqualTo(2);
    assertThat(err.toString()).contains("cannot run that often: runs=0 (expected 1 to 100)");
    assertThat(run("churn --live lots")).isEqualTo(2);
    assertThat(err.toString()).contains("not a size: lots (expected bytes, ");
    assertThat(run("burst --runs 0")).isEqualTo(2);
    assertThat(run("burst --runs 101")).isEqualTo(2);
    assertThat(err.toString()).contains("cannot run that often: runs=101 (expected 1 to 100)");
    assertThat(run("burst --idle -1")).isEqualTo(2);
    assertThat(err.toString()).contains("time is out of range: seconds=-1.0 (expected 0 to 86400)");
    assertThat(run("burst --bytes 1m")).isEqualTo(2);
    assertThat(err.toString()).contains("burst is too small: burstBytes=1048576, threads=1, ");
    assertThat(run("burst --json " + folder)).isEqualTo(1);
    assertThat(err.toString())
        .contains("arenal burst: cannot write: file=" + folder + ", reason=a folder and not a");
    assertThat(run("churn --live 100000g")).isEqualTo(1);
    assertThat(err.toString()).contains("arenal churn: not enough memory to churn: liveBytes=");
    assertThat(out.toString()).isEmpty();
    assertThat(Files.exists(folder.resolve("report.html"))).isFalse();
  }

  /** As they are on a machine without jemalloc and mimalloc. */
  @Test
  void notes_areNotPrintedWhereThereIsNotTheMemory() throws Exception {
    List<String> notes = List.of("jemalloc is left out");
    BufferSizes sizes = new BufferSizes(64, 1 << 20, 4 << 10, 1.8, 1);
    ChurnPlan churn =
        new ChurnPlan(List.of(PeerKind.MALLOC), List.of(1), 1, 1, 1L << 50, sizes, notes);
    BurstPlan burst =
        new BurstPlan(
            List.of(PeerKind.MALLOC),
            List.of(1),
            List.of(true),
            1,
            1L << 50,
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            sizes,
            notes);
    PrintWriter text = new PrintWriter(out, true);
    try (Progress progress = Progress.onStandardError()) {
      assertThatThrownBy(() -> new ChurnCommand().measure(churn, progress, text))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("not enough memory to churn: liveBytes=1125899906842624, ");
      assertThatThrownBy(() -> new BurstCommand().measure(burst, progress, text))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("not enough memory for a burst: burstBytes=1125899906842624, ");
    }
    assertThat(out.toString()).isEmpty();
  }

  /** As long as it was: for each row that is new, one that says little is left out. */
  @Test
  void quick_leavesAllocatorsOutAndSaysSo() throws IOException {
    ChurnPlan churn = ((ChurnCommand) parsed("churn --quick")).plan();
    assertThat(churn.kinds())
        .contains(PeerKind.ARENAL, PeerKind.NETTY_ADAPTIVE)
        .doesNotContain(PeerKind.ARENAL_SHORT, PeerKind.MALLOC, PeerKind.JEMALLOC)
        .hasSizeLessThanOrEqualTo(6);
    assertThat(churn.runCount()).isEqualTo(1);
    assertThat(((ChurnCommand) parsed("churn")).plan().runCount()).isEqualTo(3);
    assertThat(churn.notes().getFirst())
        .isEqualTo("left out with --quick: arenal-short, malloc, jemalloc");
    BurstPlan burst = ((BurstCommand) parsed("burst --quick")).plan();
    assertThat(burst.kinds())
        .contains(PeerKind.ARENAL, PeerKind.ARENAL_SHORT, PeerKind.NETTY_ADAPTIVE)
        .doesNotContain(PeerKind.NETTY_POOLED, PeerKind.MALLOC, PeerKind.JEMALLOC)
        .hasSizeLessThanOrEqualTo(6);
    assertThat(burst.notes().getFirst())
        .isEqualTo("left out with --quick: netty-pooled, malloc, jemalloc");

    // Those that are asked for are measured all the same.
    ChurnPlan named = ((ChurnCommand) parsed("churn --quick --allocators malloc")).plan();
    assertThat(named.kinds()).containsExactly(PeerKind.MALLOC);
    assertThat(((BurstCommand) parsed("burst")).plan().kinds())
        .contains(PeerKind.MALLOC, PeerKind.ARENAL_SHORT);
  }

  private static Object parsed(String line) {
    return Main.commandLine()
        .parseArgs(line.split(" ", -1))
        .subcommand()
        .commandSpec()
        .userObject();
  }

  @Test
  void help_showsExamples() {
    assertThat(run("churn --help")).isZero();
    assertThat(run("burst --help")).isZero();
    assertThat(out.toString())
        .contains(
            "arenal churn --quick",
            "arenal burst --bytes 256m --json -",
            "The sum of all live buffers (256m).",
            "The spread of their logarithm (1.8).");
  }

  private int run(String line) {
    return Commands.run(out, err, List.of(), line.split(" ", -1));
  }
}
