package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.arenal.lab.trace.TraceOutcome;
import dev.arenal.lab.trace.TraceSpace;
import dev.arenal.lab.trace.TraceWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a person types it. */
final class ReplayCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void unknownAllocator_isNamedWithThoseThereAre() {
    assertThat(run("replay", "by-class", "--allocators", "elastic,tcmalloc")).isEqualTo(2);
    assertThat(err.toString())
        .startsWith(
            "unknown allocator: name=tcmalloc (expected one of hotspot, clairvoyant, elastic,"
                + " elastic-64k, elastic-16k, elastic-kept, elastic-owner, malloc, jemalloc,"
                + " mimalloc, mimalloc-owner, jdk-confined, jdk-shared)\n");
  }

  @Test
  void noRuns_areRefused() {
    assertThat(run("replay", "by-class", "--runs", "0")).isEqualTo(2);
    assertThat(err.toString()).startsWith("no runs: runs=0 (expected at least 1)\n");
  }

  @Test
  void negativeTime_isRefused() {
    assertThat(run("replay", "by-class", "--seconds-per-trace", "-1")).isEqualTo(2);
    assertThat(err.toString()).startsWith("time is negative: seconds=-1 (expected 0 or more)\n");
  }

  /** Each takes some seconds: there is no second run within one. */
  @Test
  void shortTime_leavesOutFurtherRuns() throws IOException {
    int exitCode =
        run(
            "replay",
            "jsp",
            "--allocators",
            "elastic,malloc",
            "--seconds-per-trace",
            "1",
            "--json",
            "-");

    assertThat(exitCode).isZero();
    JsonNode results = new ObjectMapper().readTree(out.toString()).get(0).get("results");
    assertThat(results).extracting(result -> result.get("runs").asInt()).containsExactly(1, 1);
  }

  @Test
  void missingTrace_isSaidInOneLine() {
    assertThat(run("replay", "no-such.trace")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "arenal replay: no such trace: trace=no-such.trace (expected a file, or one of the"
                + " embedded traces [groovy, clojure, rhino, jsp, calcite, hibernate, tomcat,"
                + " felix, builds, lambdas, by-loader, by-class, one-class])\n");
  }

  @Test
  void fileThatIsNoTrace_isRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("text.trace"), "not a trace at all");

    assertThat(run("replay", file.toString())).isEqualTo(1);
    assertThat(err.toString()).startsWith("arenal replay: ").hasLineCount(1);
  }

  @Test
  void traceWithoutAllocations_isRefused() throws IOException {
    Path file = folder.resolve("empty.trace");
    try (TraceWriter writer = new TraceWriter(Files.newOutputStream(file), "25")) {
      writer.birth(0, TraceSpace.NON_CLASS, 0);
      var _ = writer.finish(new TraceOutcome(0, 0, 0));
    }

    assertThat(run("replay", file.toString(), "--allocators", "clairvoyant")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "arenal replay: nothing to replay: trace=%s, allocations=0 (expected at least 1)\n"
                .formatted(file));
  }

  @Test
  void embeddedTrace_withoutAProcess_givesTableJsonAndReport() throws IOException {
    Path json = folder.resolve("results.json");
    Path report = folder.resolve("report");
    int exitCode =
        run(
            "replay",
            "one-class",
            "--allocators",
            "hotspot",
            "--json",
            json.toString(),
            "--out",
            report.toString());

    assertThat(exitCode).isZero();
    assertThat(out.toString()).startsWith("one-class: ").contains("hotspot", "valley: ");
    JsonNode trace = new ObjectMapper().readTree(json.toFile()).get(0);
    assertThat(trace.get("trace").asText()).isEqualTo("one-class");
    assertThat(trace.get("results").get(0).get("wallNanos").isNull()).isTrue();
    JsonNode valley = trace.get("results").get(0).get("valley");
    assertThat(valley.get("committedBytes").asDouble() / valley.get("usedBytes").asDouble())
        .isBetween(5.0, 8.0);
    assertThat(report).isDirectoryContaining("glob:**/report.html");
    assertThat(Files.readString(report.resolve("results.json"))).isEqualTo(Files.readString(json));
  }

  @Test
  void jsonToStandardOutput_standsAlone() throws IOException {
    assertThat(run("replay", "one-class", "--allocators", "hotspot", "--json", "-")).isZero();
    assertThat(new ObjectMapper().readTree(out.toString())).hasSize(1);
    assertThat(err.toString()).startsWith("one-class: ");
  }

  @Test
  void help_showsExamples() {
    assertThat(run("replay", "--help")).isZero();
    assertThat(out.toString()).contains("Examples:", "arenal replay by-class");
    assertThat(run("lab", "--help")).isZero();
    assertThat(out.toString()).contains("arenal lab --quick");
  }

  private int run(String... arguments) {
    return Commands.run(out, err, List.of(), arguments);
  }
}
