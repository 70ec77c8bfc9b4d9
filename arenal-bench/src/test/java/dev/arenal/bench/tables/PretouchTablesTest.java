package dev.arenal.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pretouches on their way from the lab into the documents; figures are made up. */
final class PretouchTablesTest {
  private static final String RESULTS =
      """
      {"sizesBytes":[4294967296],"threads":2,"runs":5,"otherRuns":5,"results":[
        {"subject":"jvm","sizeBytes":4294967296,"collector":"G1","pretouch":true,
         "hugePages":false,"method":"AlwaysPreTouch","threads":null,"wallSeconds":2.06,
         "userSeconds":0.2,"systemSeconds":2.5,"residentBytes":4294967296,"jvm":"JDK 25","runs":5,
         "leastWallSeconds":1.9,"mostWallSeconds":2.5,"touchSeconds":2.0,"hugeBytes":0,
         "firstUseSeconds":null,"freeBytes":1073741824,"heapBytes":4294967296,"totalSeconds":2.5},
        {"subject":"arenal","sizeBytes":4294967296,"collector":null,"pretouch":true,
         "hugePages":true,"method":"populate","threads":2,"wallSeconds":0.25,
         "userSeconds":0.01,"systemSeconds":0.4,"residentBytes":4294967296,"jvm":null,"runs":5,
         "leastWallSeconds":0.2,"mostWallSeconds":0.3,"touchSeconds":0.25,
         "hugeBytes":4294967296,"firstUseSeconds":0.08,"freeBytes":null,"heapBytes":null,
         "totalSeconds":null}],
       "refusal":{"askedBytes":42949672960,"millis":1.25,"firstUseMillis":80.0,
         "message":"pretouch refused","residentBytes":1048576,"killed":0}}
      """;

  @TempDir private Path root = Path.of("");

  @Test
  void results_areShownBySize() throws IOException {
    Path page = root.resolve("docs/benchmarks/results.md");
    Files.createDirectories(root.resolve("docs/benchmarks"));
    Files.writeString(
        page,
        """
        <!-- results:pretouch:begin -->
        <!-- results:pretouch:end -->
        """);
    Path lab = Files.createDirectories(root.resolve("lab"));
    Files.writeString(lab.resolve("pretouch.json"), RESULTS);
    Files.writeString(lab.resolve("env.json"), "{\"date\":\"2026-01-01\",\"cores\":\"2\"}");

    UpdateCommand command = new UpdateCommand();
    int exitCode = command.run(root, "lab", lab.toString(), "--commit", "abc1234");

    assertThat(command.err.toString()).isEmpty();
    assertThat(exitCode).isZero();
    assertThat(Files.readString(root.resolve("docs/benchmarks/pretouch/tables.md")))
        .contains(
            "# pretouch\n\n2026-01-01, commit abc1234, 2 cores.\n", "\n4 GiB, all threads are 2;")
        .containsPattern(
            "\\| JDK 25 G1 \\| +yes \\| +– \\| +1,024 \\| +4,096 \\| +2.06 \\| +29 % \\| +0.20 \\|"
                + " +2.50 \\| +2.00 \\| +2.50 \\| +4,096 \\| +0 \\|")
        .containsPattern(
            "\\| Arenal +\\| populate \\| +yes \\| +2 \\| +0.25 \\| +40 % \\| +0.01 \\| +0.40 \\|"
                + " +0.08 \\| +16.00 \\| +4,096 \\| +4,096 \\|")
        .contains(
            "- Asked for 40.0 GiB, twice what is available, Arenal refuses after 1.3 ms; to reserve"
                + " the addresses, its first use there, had taken 80 ms.\n");
    assertThat(Files.readString(page))
        .contains(
            """
            | what, with all cores            | pages | s for 4 GiB | s per GiB | GiB/s |
            |---------------------------------|------:|------------:|----------:|------:|
            """)
        .containsPattern(
            "\\| AlwaysPreTouch adds: JDK 25, G1 \\| 4 KiB \\| +2.000 \\| +0.500 \\| +2.0 \\|")
        .containsPattern("\\| \\*\\*Arenal\\*\\* +\\| +huge \\| +0.250 \\| +0.063 \\| +16.0 \\|");
  }

  @Test
  void nothing_isRefused() throws IOException {
    Path lab = Files.createDirectories(root.resolve("lab"));
    Files.writeString(lab.resolve("pretouch.json"), "{\"results\":[]}");
    Files.writeString(lab.resolve("env.json"), "{}");
    UpdateCommand command = new UpdateCommand();
    assertThat(command.run(root, "lab", lab.toString())).isOne();
    assertThat(command.err.toString())
        .isEqualTo(
            "update: folder has no results of the lab: folder=%s (expected what ./arenal lab --out"
                    .formatted(lab)
                + " writes)\n");
  }
}
