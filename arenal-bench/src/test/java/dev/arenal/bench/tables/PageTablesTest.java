package dev.arenal.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Loads of buffers on their way from the lab into the documents; figures are made up. */
final class PageTablesTest {
  private static final String PAGE =
      """
      <!-- results:pages:begin -->
      <!-- results:pages:end -->
      """;

  private static final String CHURN =
      """
      {"allocators":["arenal","malloc"],"threads":[1],"operations":1000,
       "liveBytes":104857600,
       "sizes":{"leastBytes":64,"medianBytes":4096,"mostBytes":4194304,"sigma":1.8,"seed":1},
       "results":[
        {"allocator":"arenal","library":"arenal","threads":1,"nanosPerOperation":250.0,
         "medianNanosPerOperation":240.0,"liveBytes":104857600,"residentBytes":115343360,
         "mostResidentPerLive":1.12,"keptBytes":104857600,"trimmedBytes":1048576,
         "freedByOthers":0.0,
         "timeline":[[0,104857600,117440512],[1000,104857600,115343360]]},
        {"allocator":"malloc","library":"glibc 2.36","threads":1,"nanosPerOperation":300.0,
         "medianNanosPerOperation":290.0,"liveBytes":104857600,"residentBytes":143654912,
         "mostResidentPerLive":1.37,"keptBytes":104857600,"trimmedBytes":null,
         "freedByOthers":0.333,
         "timeline":[[0,104857600,143654912],[1000,104857600,143654912]]}],
       "controls":[{"allocator":"none","threads":1,
        "nanosPerOperation":100.0,"medianNanosPerOperation":99.0}]}
      """;

  private static final String BURST =
      """
      {"allocators":["arenal"],"threads":[2],"survivors":[false,true],
       "burstBytes":1073741824,"idleSeconds":15.0,"uncommitDelaySeconds":1.0,
       "sizes":{"leastBytes":64,"medianBytes":4096,"mostBytes":4194304,"sigma":1.8,"seed":1},
       "results":[
        {"allocator":"arenal","library":"arenal","threads":2,"survivors":false,
         "peakResidentBytes":1084227584,"survivorBytes":0,"freedSeconds":1.0,
         "timeline":[[0,1084227584],[1,1084227584],[16,10737418]]},
        {"allocator":"arenal","library":"arenal","threads":2,"survivors":true,
         "peakResidentBytes":1084227584,"survivorBytes":20971520,"freedSeconds":1.0,
         "timeline":[[0,1084227584],[1,1084227584],[16,128345702]]}]}
      """;

  /** The times of some runs of malloc lie among ours, all of jemalloc's below. */
  private static final String RUNS =
      """
      {"allocators":["arenal","malloc","jemalloc"],"threads":[2],"operations":1000,
       "liveBytes":104857600,
       "sizes":{"leastBytes":64,"medianBytes":4096,"mostBytes":4194304,"sigma":1.8,"seed":1},
       "results":[%s,%s,%s],"controls":[]}
      """
          .formatted(
              runs("arenal", 230, 250, 270),
              runs("malloc", 269, 300, 330),
              runs("jemalloc", 200, 210, 229));

  private static String runs(String allocator, int least, int middle, int most) {
    String run = "{\"nanosPerOperation\":%d.0,\"mostResidentPerLive\":1.1}";
    return """
    {"allocator":"%s","library":"x","threads":2,"nanosPerOperation":%d.0,
     "medianNanosPerOperation":240.0,"liveBytes":104857600,"residentBytes":115343360,
     "mostResidentPerLive":1.12,"keptBytes":104857600,"trimmedBytes":1048576,
     "freedByOthers":0.0,
     "timeline":[[0,104857600,117440512],[1000,104857600,115343360]],
     "runs":[%s,%s,%s]}\
    """
        .formatted(
            allocator, middle, run.formatted(most), run.formatted(least), run.formatted(middle));
  }

  @TempDir private Path root = Path.of("");

  @BeforeEach
  void writePage() throws IOException {
    Files.createDirectories(root.resolve("docs/benchmarks"));
    Files.writeString(root.resolve("docs/benchmarks/results.md"), PAGE);
  }

  @Test
  void timesThatOverlapWithOurs_areMarked() throws IOException {
    take("churn", RUNS);

    assertThat(text("docs/benchmarks/results.md"))
        .contains(
            """
            | figure                          | threads | Arenal | malloc | jemalloc |
            |---------------------------------|--------:|-------:|-------:|---------:|
            | churn: resident / live, highest |       2 |   1.10 |   1.10 |     1.10 |
            | churn: ns/operation             |       2 |    250 |  300 ≈ |      210 |
            """);
  }

  @Test
  void churnAndBurst_areShownTogether() throws IOException {
    take("churn", CHURN);
    take("burst", BURST);

    assertThat(text("docs/benchmarks/results.md"))
        .contains(
            """
            <!-- results:pages:begin -->
            | figure                                    | threads \
            | Arenal | Arenal, short delay | malloc |
            |-------------------------------------------|--------:\
            |-------:|--------------------:|-------:|
            | churn: resident / live, highest           |       1 \
            |   1.12 |                   – |   1.37 |
            | churn: ns/operation                       |       1 \
            |    250 |                   – |    300 |
            | idle after a burst, of the burst          |       2 \
            |      – |               1.0 % |      – |
            | the same beside a live buffer in each MiB |       2 \
            |      – |              10.0 % |      – |
            """)
        .contains(
            "`churn` was measured on 2026-01-01, commit abc1234, 2 cores. All figures:"
                + " [churn](churn/tables.md).",
            "`burst` was measured on 2026-01-01, commit abc1234, 2 cores.");
    assertThat(text("docs/benchmarks/churn/tables.md"))
        .contains(
            "1,000 random buffers replaced in each row, 100.0 MiB live, sizes 64 B to 4 MiB around"
                + " 4 KiB.")
        .containsPattern(
            "arenal +\\| +no \\| +– \\| +1 \\| +250 \\| +240 \\| +– \\| +4.00"
                + " \\| +100 \\| +110 \\| +1.12 \\| +1.10 \\| .* \\| +91 % \\| +1 % \\| +– \\|")
        .containsPattern("malloc .* +73 % \\| +– \\| +– \\|");
    assertThat(text("docs/benchmarks/burst/tables.md"))
        .contains(
            "1024 MiB of buffers allocated and freed, then 15 s idle; the short delay is 1 s.")
        .containsPattern(
            "arenal-short +\\| +no \\| +1 s \\| +2 \\| +20 \\| +1,034 \\| +1,034 \\| +122"
                + " \\| +– \\| +10.0");
  }

  /** In the row of README is what was measured, not what is usual. */
  @Test
  void timesOfABurst_areThoseOfItsPlan() throws IOException {
    Files.writeString(root.resolve("README.md"), "<!-- results:begin -->\n<!-- results:end -->\n");
    take(
        "burst",
        BURST
            .replace("\"idleSeconds\":15.0", "\"idleSeconds\":5.0")
            .replace("\"uncommitDelaySeconds\":1.0", "\"uncommitDelaySeconds\":0.5"));

    assertThat(text("README.md"))
        .contains("| a burst: the same, told to give back after 0.5 s |  1.0 % |");
  }

  @Test
  void singleBuffers_haveATableForEachNumberOfThreads() throws IOException {
    take(
        "buffers",
        """
        {"results":[
         {"allocator":"arenal","sizeBytes":256,"threads":2,"handedOver":true,
          "nanosPerOperation":48.1,"errorNanos":2.4,"bytesPerOperation":96.0},
         {"allocator":"jdk-shared","sizeBytes":256,"threads":2,"handedOver":true,
          "nanosPerOperation":12345.6,"errorNanos":null,"bytesPerOperation":null}]}
        """);

    assertThat(text("docs/benchmarks/buffers/tables.md"))
        .contains(
            """
            ## 2 threads, freed by another thread

            | allocator  | zeroed | ns per buffer: 256 B | at most: ± | at most: B/op |
            |------------|--------|---------------------:|-----------:|--------------:|
            | arenal     | no     |                48.10 |        5 % |            96 |
            | jdk-shared | yes    |               12,346 |          – |             – |
            """);
  }

  @Test
  void oneOfThem_standsAlone() throws IOException {
    take("burst", BURST);

    assertThat(text("docs/benchmarks/results.md"))
        .contains("| idle after a burst, of the burst")
        .doesNotContain("churn");
  }

  @Test
  void nothingMeasured_isSaid() throws IOException {
    assertThat(run()).isZero();
    assertThat(text("docs/benchmarks/results.md"))
        .contains("<!-- results:pages:begin -->\nNothing has been measured yet;");
  }

  @Test
  void emptyRun_isRefused() throws IOException {
    Path lab = Files.createDirectories(root.resolve("lab"));
    Files.writeString(lab.resolve("churn.json"), "{\"results\":[]}");
    Files.writeString(lab.resolve("env.json"), "{}");

    assertThat(run("lab", lab.toString())).isEqualTo(1);
    assertThat(root.resolve("docs/benchmarks/churn")).doesNotExist();
  }

  private void take(String topic, String results) throws IOException {
    Path lab = Files.createDirectories(root.resolve("lab-" + topic));
    Files.writeString(lab.resolve(topic + ".json"), results);
    Files.writeString(lab.resolve("env.json"), "{\"date\":\"2026-01-01\",\"cores\":\"2\"}");
    assertThat(run("lab", lab.toString(), "--commit", "abc1234")).isZero();
  }

  private int run(String... words) {
    return new UpdateCommand().run(root, words);
  }

  private String text(String file) throws IOException {
    return Files.readString(root.resolve(file));
  }
}
