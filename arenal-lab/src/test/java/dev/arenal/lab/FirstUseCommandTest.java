package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code arenal first-use} as a person types it. */
final class FirstUseCommandTest {
  @TempDir private Path folder = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void command_printsTablesAndWritesAllFiles() throws IOException {
    int exitCode = run("first-use --runs 1 --no-aot-cache --out " + folder);

    assertThat(err.toString()).isEmpty();
    assertThat(exitCode).isZero();
    assertThat(out.toString())
        .startsWith("first-use: 100 bytes in a fresh JVM, one run\n")
        .containsPattern("\nArenal, page allocator and buffer +[0-9.]+ ")
        .contains("\nIn a fresh JVM the first space with an arena takes ")
        .contains("\nreport: " + folder.resolve("report.html"));
    JsonNode results = new ObjectMapper().readTree(folder.resolve("first-use.json").toFile());
    assertThat(results.path("results").findValuesAsText("subject"))
        .containsExactly("jdk-confined", "pooled", "elastic", "page", "netty");
    assertThat(results.path("results").path(2).path("medianMillis").doubleValue()).isPositive();
  }

  @Test
  void badInput_isRefusedBeforeAnythingIsMeasured() {
    assertThat(run("first-use --runs 0")).isEqualTo(2);
    assertThat(err.toString()).contains("cannot run that often: runs=0 (expected 1 to 1000)");
    assertThat(run("first-use --json " + folder)).isEqualTo(1);
    assertThat(err.toString()).contains("arenal first-use: cannot write: file=" + folder);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void help_showsExamples() {
    assertThat(run("first-use --help")).isZero();
    assertThat(out.toString())
        .contains("Examples:", "arenal first-use --runs 21", "Runs of each (7).");
  }

  private int run(String line) {
    return Commands.run(out, err, List.of(), line.split(" ", -1));
  }
}
