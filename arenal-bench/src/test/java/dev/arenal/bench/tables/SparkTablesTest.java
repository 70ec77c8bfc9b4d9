package dev.arenal.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The results of {@code docs/benchmarks/spark/run}, imported and shown. */
final class SparkTablesTest {
  private static final String RUN =
      """
      {"run": %d, "arm": "%s", "beforeBytes": 104857600, "query1Seconds": 9.5,
       "query1PeakBytes": 2147483648, "query1FreedBytes": 1073741824, "query1Hash": "%s",
       "idleBytes": %d, "query2Seconds": 5.5, "query2PeakBytes": 1048576000,
       "query2FreedBytes": 1073741824, "query2Hash": "8:1", "pythonPeakBytes": 3145728}
      """;

  @TempDir private Path root = Path.of("");
  private final UpdateCommand command = new UpdateCommand();

  @BeforeEach
  void writeEnvironment() throws IOException {
    Files.writeString(root.resolve("env.json"), "{\"date\":\"2026-01-01 00:00 UTC\"}");
  }

  @Test
  void runsOfAnArm_areARowWithTheirMedian() throws IOException {
    write(
        RUN.formatted(1, "arenal", "8:1", 52_428_800),
        RUN.formatted(1, "arrow-netty", "8:1", 2_097_152),
        RUN.formatted(2, "arenal", "8:1", 157_286_400),
        RUN.formatted(2, "arrow-netty", "8:1", 4_194_304),
        RUN.formatted(3, "arrow-netty", "8:1", 10_485_760));
    assertThat(update()).as(command.err.toString()).isZero();
    assertThat(Files.readString(root.resolve("docs/benchmarks/spark/tables.md")))
        .contains("without its heap of 1,024 MiB", "Idle: 60.0 s later.")
        .endsWith(
            """
            | arm         | runs | before |  peak | freed | idle | idle, least to most \
            | second peak | Python, peak |
            |-------------|-----:|-------:|------:|------:|-----:|--------------------:\
            |------------:|-------------:|
            | arenal      |    2 |    100 | 2,048 | 1,024 |  100 |           50 to 150 \
            |       1,000 |            3 |
            | arrow-netty |    3 |    100 | 2,048 | 1,024 |    4 |             2 to 10 \
            |       1,000 |            3 |

            Each query of each run has found the same: rows and hash are 8:1.
            """);
  }

  @Test
  void runsThatFoundDifferentThings_areRefused() throws IOException {
    write(RUN.formatted(1, "arenal", "8:1", 1), RUN.formatted(1, "arrow-netty", "8:2", 1));
    assertThat(update()).isEqualTo(1);
    assertThat(command.err.toString())
        .isEqualTo(
            "update: queries have found different things: folder=%s, hashes=[8:1, 8:2] (expected"
                    .formatted(root)
                + " one hash)\n");
    assertThat(root.resolve("docs")).doesNotExist();
  }

  private void write(String... runs) throws IOException {
    Files.writeString(
        root.resolve("spark.json"),
        "{\"idleSeconds\": 60.0, \"heapBytes\": 1073741824, \"results\": [%s]}"
            .formatted(String.join(",", runs)));
  }

  private int update() {
    return command.run(root, "lab", root.toString());
  }
}
