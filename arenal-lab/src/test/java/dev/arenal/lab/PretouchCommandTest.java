package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code arenal pretouch} as a person types it. */
final class PretouchCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void command_printsTablesAndWritesAllFiles() {
    int exitCode =
        run("pretouch --sizes 64m,65536g --runs 1 --claims-only --threads 2 --out " + folder);

    assertThat(err.toString()).isEmpty();
    assertThat(exitCode).isZero();
    assertThat(out.toString())
        .startsWith("65536 GiB is left out: it does not fit: neededBytes=")
        .contains("pretouch: 64 MiB, all threads are 2; one run of each, with huge pages 3\n")
        .containsPattern("\nJDK \\d+ G1 +yes +yes ")
        .doesNotContainPattern("\nJDK \\d+ ZGC ")
        .containsPattern("\nArenal +populate +yes +2 ")
        .contains("\nreport: " + folder.resolve("report.html"));
    assertThat(folder.resolve("pretouch.json")).exists();
    assertThat(folder.resolve("env.json")).exists();
  }

  @Test
  void badInput_isRefusedBeforeAnythingIsMeasured() {
    assertThat(run("pretouch --sizes 1g,lots")).isEqualTo(2);
    assertThat(err.toString()).contains("not a size: lots (expected bytes, ");
    assertThat(run("pretouch --sizes 65m")).isEqualTo(2);
    assertThat(err.toString()).contains("size cannot be measured: sizeBytes=68157440 (expected a");
    assertThat(run("pretouch --threads 0")).isEqualTo(2);
    assertThat(err.toString()).contains("cannot touch with that many threads: threads=0 (expected");
    assertThat(run("pretouch --runs 0")).isEqualTo(2);
    assertThat(err.toString()).contains("cannot run that often: runs=0 (expected 1 to 100)");
    assertThat(run("pretouch --jvm " + folder.resolve("none"))).isEqualTo(1);
    assertThat(err.toString())
        .contains("arenal pretouch: no such JVM: path=" + folder.resolve("none"));
    assertThat(run("pretouch --json " + folder)).isEqualTo(1);
    assertThat(err.toString()).contains("arenal pretouch: cannot write: file=" + folder);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void help_showsExamples() {
    assertThat(run("pretouch --help")).isZero();
    assertThat(out.toString())
        .contains(
            "Examples:",
            "arenal pretouch --quick --sizes 1g",
            "Runs of each subject (5); three times as many");
  }

  private int run(String line) {
    return Commands.run(out, err, List.of(), line.split(" ", -1));
  }
}
