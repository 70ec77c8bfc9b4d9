package dev.arenal.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as people run it, on a small repository. */
final class BenchTablesTest {
  private static final String README = "# X\n<!-- results:begin -->\n<!-- results:end -->\nend\n";

  private static final String PAGE =
      """
      # R
      <!-- results:replay:begin -->
      <!-- results:replay:end -->
      <!-- results:jvm:begin -->
      <!-- results:jvm:end -->
      <!-- results:owner-allocation:begin -->
      <!-- results:owner-allocation:end -->
      <!-- results:confined:begin -->
      <!-- results:confined:end -->
      end
      """;
  private static final String PAGE_FILE = "docs/benchmarks/results.md";

  @TempDir private Path root = Path.of("");
  private final UpdateCommand command = new UpdateCommand();

  @BeforeEach
  void writeReadme() throws IOException {
    Files.writeString(root.resolve("README.md"), README);
  }

  /** The page with one table of each topic. */
  private void writePage() throws IOException {
    Files.createDirectories(root.resolve("docs/benchmarks"));
    Files.writeString(root.resolve(PAGE_FILE), PAGE);
  }

  @Test
  void jmh_takesResultsOverAndWritesTables() throws IOException {
    writePage();
    assertThat(run("jmh", "owner-allocation", resource("jmh.json"), "--commit", "abc1234"))
        .isZero();
    assertThat(command.out.toString())
        .isEqualTo(
            "written: README.md, docs/benchmarks/owner-allocation/tables.md,"
                + " docs/benchmarks/results.md\n");
    assertThat(text("docs/benchmarks/owner-allocation/tables.md"))
        .startsWith("<!-- Made by docs/benchmarks/update from results.json and env.json: do not")
        .contains(", commit abc1234, OpenJDK 64-Bit Server VM 25.0.3+9-LTS, ")
        .endsWith(
            """
            ## OwnerAllocation

            | contender          | ns/op | ± 99.9 % | × elastic, confined | B/op, Java heap |
            |--------------------|------:|---------:|--------------------:|----------------:|
            | elastic, confined  |  2.50 |     0.10 |                1.00 |            0.23 |
            | malloc + free      |  30.0 |        – |              12.0 ? |            0.00 |
            | Arena.ofConfined() |  50.0 |     1.00 |                20.0 |            48.0 |

            ## BlockSizes

            ns/op; in brackets against elastic, confined, ≈ 1 where the difference lies within the \
            error.

            | sizeBytes | elastic, confined | malloc + free | elastic, confined, B/op |
            |-----------|------------------:|--------------:|------------------------:|
            | 8         |              2.00 | 20.0 (× 10.0) |                       – |
            | 8192      |             1,200 |             – |                       – |

            ## SharedAllocation

            ns/op; in brackets against elastic, shared, ≈ 1 where the difference lies within the \
            error.

            | threads | elastic, shared | elastic, shared, B/op |
            |---------|----------------:|----------------------:|
            | 1       |            10.0 |                     – |
            | 4       |            40.0 |                     – |
            """);
    assertThat(text(PAGE_FILE))
        .contains(
            "begin -->\n| ns per block       | allocation alone |      × |",
            "\n| elastic, confined  |             2.50 |   1.00 | 0.23 |                  – |",
            "All figures: [owner-allocation](owner-allocation/tables.md).\n")
        .endsWith("<!-- results:confined:end -->\nend\n");
    assertThat(text("README.md"))
        .isEqualTo(
            README.replace(
                "begin -->\n",
                "begin -->\nNothing has been measured yet; `docs/benchmarks/measure` does.\n"));
  }

  @Test
  void jmh_takesSeveralRunsOverAsOne() throws IOException {
    assertThat(run("jmh", "owner-allocation", resource("jmh.json"), resource("jmh.json"))).isZero();
    assertThat(
            Json.read(
                root.resolve("docs/benchmarks/owner-allocation/results.json"), JsonNode.class))
        .hasSize(16);
  }

  @Test
  void medium_hasATableOfItsRuns() throws IOException {
    Path folder = Files.createDirectories(root.resolve("lab"));
    String run =
        """
        {"synchronized":%s,"threads":2,"seconds":1,"capacityBytes":268435456,"allocations":4000,
         "bytesPerSecond":{"avg":1048576.0,"max":2097152},
         "undoPageAllocations":{"avg":0.25,"max":3,"total":5},
         "latencyNanos":{"p50":1003,"p99":1003,"p999":9043967,"max":9043967}}
        """;
    Files.writeString(folder.resolve("env.json"), "{\"date\":\"2026-01-01 00:00 UTC\"}");
    Files.writeString(
        folder.resolve("medium.json"),
        "{\"runs\":[" + run.formatted("false") + "," + run.formatted("true") + "]}");
    assertThat(run("lab", folder.toString())).isZero();
    assertThat(text("docs/benchmarks/medium/tables.md"))
        .endsWith(
            """

            Runs in their order, 2 threads, 1 s each, capacity 256 MiB.

            | figure                           | run 1, unsynchronized | run 2, synchronized |
            |----------------------------------|----------------------:|--------------------:|
            | buffers                          |                 4,000 |               4,000 |
            | allocation rate, MB/s, avg       |                  1.00 |                1.00 |
            | allocation rate, MB/s, max       |                  2.00 |                2.00 |
            | page allocation rate, MB/s, avg  |                     – |                   – |
            | page allocation rate, MB/s, max  |                     – |                   – |
            | undo page allocation, ops/s, avg |                  0.25 |                0.25 |
            | undo page allocation, ops/s, max |                  3.00 |                3.00 |
            | undo page allocation, total      |                  5.00 |                5.00 |
            | page cache flush, MB/s, avg      |                     – |                   – |
            | page cache flush, MB/s, max      |                     – |                   – |
            | defragment, ops/s, avg           |                     – |                   – |
            | defragment, ops/s, max           |                     – |                   – |
            | medium buffer, µs, p50           |                  1.00 |                1.00 |
            | medium buffer, µs, p99           |                  1.00 |                1.00 |
            | medium buffer, µs, p99.9         |                 9,044 |               9,044 |
            | medium buffer, µs, max           |                 9,044 |               9,044 |
            """);

    Files.writeString(folder.resolve("medium.json"), "{\"runs\":[" + run.formatted("false") + "]}");
    assertThat(run("lab", folder.toString())).isEqualTo(1);
    assertThat(command.err.toString())
        .isEqualTo(
            "update: a run failed: folder=%s, runCount=1, synchronizedCount=0 (expected half of"
                    .formatted(folder)
                + " them)\n");
  }

  @Test
  void jmh_leavesOutWhatNamesTheMachine() throws IOException {
    assertThat(run("jmh", "owner-allocation", resource("jmh.json"))).isZero();
    JsonNode results =
        Json.read(root.resolve("docs/benchmarks/owner-allocation/results.json"), JsonNode.class);
    assertThat(results).hasSize(8);
    for (JsonNode result : results) {
      assertThat(result.has("jvm")).isFalse();
      assertThat(result.has("jvmArgs")).isFalse();
    }
    JsonNode environment =
        Json.read(root.resolve("docs/benchmarks/owner-allocation/env.json"), JsonNode.class);
    assertThat(environment.path("jmh").asText())
        .isEqualTo("3 forks, 5 warm-up and 5 measured iterations of 1 s");
    assertThat(environment.fieldNames())
        .toIterable()
        .containsExactly(
            "date",
            "commit",
            "jvm",
            "kernel",
            "architecture",
            "processor",
            "cores",
            "memory",
            "huge pages",
            "overcommit",
            "load",
            "jmh");
  }

  @Test
  void lab_takesReplaysOverAndWritesTables() throws IOException {
    writePage();
    Path lab = root.resolve("lab");
    Files.createDirectories(lab);
    // A recorded program, as README counts them.
    String results = Files.readString(Path.of(resource("lab.json"))).replace("by-class", "groovy");
    Files.writeString(lab.resolve("results.json"), results);
    Files.writeString(lab.resolve("env.json"), "{\"date\":\"2026-01-01\",\"cores\":\"2\"}");
    assertThat(run("lab", lab.toString(), "--commit", "abc1234")).isZero();
    assertThat(text("docs/benchmarks/replay/tables.md"))
        .contains(
            "2026-01-01, commit abc1234, 2 cores.",
            "1,000 allocations, 10 arenas of 5 loaders, recorded on 25; committed and resident in"
                + " MiB.",
            "here after operation 1,500 of 2,000");
    assertThat(text(PAGE_FILE))
        .contains(
            """
            <!-- results:replay:begin -->
            | trace  |                   figure | HotSpot, as recorded | Arenal |
            |--------|-------------------------:|---------------------:|-------:|
            | groovy |   committed / used, peak |                 1.20 |   1.05 |
            |        | committed / used, valley |                 4.00 |   1.05 |
            |        |               replay, ms |                    – |    250 |

            Measured on 2026-01-01, commit abc1234, 2 cores. All figures: \
            [replay](replay/tables.md).
            <!-- results:replay:end -->
            """);
    assertThat(text("README.md"))
        .containsPattern(
            "\\| owners: committed / used then, beside HotSpot's own metaspace +\\| +1.05"
                + " \\| +4.00 \\|")
        .containsPattern(
            "\\| owners: all allocations and frees of these programs, ms +\\| +250 \\| +– \\|");
  }

  /** A run with other settings has a folder of its own, and no page quotes it. */
  @Test
  void lab_takesVariantOverBesideTheTopic() throws IOException {
    writePage();
    Path lab = Files.createDirectories(root.resolve("lab"));
    Files.copy(Path.of(resource("lab.json")), lab.resolve("results.json"));
    Files.writeString(lab.resolve("env.json"), "{\"date\":\"2026-01-01\",\"cores\":\"2\"}");
    assertThat(run("lab", lab.toString(), "--variant", "other-heaps")).isZero();
    assertThat(command.out.toString())
        .isEqualTo(
            "written: README.md, docs/benchmarks/replay-other-heaps/tables.md,"
                + " docs/benchmarks/results.md\n");
    assertThat(text("docs/benchmarks/replay-other-heaps/tables.md"))
        .contains("\n# replay-other-heaps\n", "1,000 allocations, 10 arenas of 5 loaders");
    assertThat(root.resolve("docs/benchmarks/replay")).doesNotExist();
    assertThat(text(PAGE_FILE)).doesNotContain("2026-01-01");
  }

  @Test
  void lab_refusesVariantOfTopicThatHasNone() throws IOException {
    Path lab = jvmFolder("null");
    assertThat(run("lab", lab.toString(), "--variant", "other")).isEqualTo(1);
    assertThat(command.err.toString())
        .isEqualTo(
            "update: topic has no variants: topic=jvm, variant=other (expected one of replay)"
                + "\n");
    assertThat(root.resolve("docs/benchmarks/jvm-other")).doesNotExist();
  }

  @Test
  void lab_takesRealJvmsOverWithoutWhatBelongsToTheMachine() throws IOException {
    writePage();
    Path lab = jvmFolder("null");
    assertThat(run("lab", lab.toString())).isZero();
    assertThat(command.out.toString())
        .isEqualTo(
            "written: README.md, docs/benchmarks/jvm/tables.md, docs/benchmarks/results.md,"
                + " docs/images/jvm.svg\n");
    assertThat(text("docs/benchmarks/jvm/results.json"))
        .doesNotContain("/opt", "/srv", "somewhere", "the whole report")
        .contains("\"flags\" : \"-Xmx64m -Xlog:gc:file=(path)\"", "\"wasteBytes\" : 7");
    assertThat(text("docs/benchmarks/jvm/tables.md").replaceAll(" +", " ").replaceAll("-+", "-"))
        .contains(
            "# jvm\n\n2026-01-01, 2 cores.\n",
            """
            | phase | JDK 11 (stock): used | JDK 11 (stock): comm. | JDK 11 (stock): res. |
            |-|-:|-:|-:|
            | start | 1.0 | 2.0 | – |
            | cycle 1: loaded | 60.0 | 66.0 | 400.0 |
            | cycle 1: generations left: 1 | 12.0 | 66.0 | 400.0 |
            | end | 1.0 | 9.0 | 350.0 |
            | seconds | | | 6.4 |
            """,
            "JDK 11 (stock): 11.0.13+8, -Xmx64m -Xlog:gc:file=(path)\n");
    assertThat(text(PAGE_FILE))
        .contains(
            "![Metaspace committed by real JVMs, over what they use](../images/jvm.svg)",
            "| JDK 11 (stock)               | 11.0.13+8 |        60.0 |      66.0 |         12.0 |"
                + "      66.0 |             5.50 |            9.0 |\n",
            "Measured on 2026-01-01, 2 cores.");
    assertThat(text("docs/images/jvm.svg"))
        .contains("used, JDK 11 (stock)</text>", "<path fill=\"#d3d9e0\"");
  }

  @Test
  void lab_refusesARunInWhichAJvmFailed() throws IOException {
    Path lab = jvmFolder("\"it died\"");
    assertThat(run("lab", lab.toString())).isOne();
    assertThat(command.err.toString())
        .isEqualTo(
            "update: a JVM of this run failed: folder=%s, jvm=JDK 11 (stock), failure=it died"
                    .formatted(lab)
                + " (expected one that is whole)\n");
    assertThat(root.resolve("docs")).doesNotExist();
  }

  @Test
  void lab_takesConfinedArenasOver() throws IOException {
    writePage();
    assertThat(run()).isZero();
    assertThat(text(PAGE_FILE))
        .contains(
            """
            <!-- results:confined:begin -->
            Nothing has been measured yet; `docs/benchmarks/measure` does.
            <!-- results:confined:end -->
            """);
    Path lab = confinedFolder();
    Files.createDirectories(root.resolve("docs/benchmarks/confined"));
    Files.writeString(root.resolve("docs/benchmarks/confined/findings.md"), "x");
    command.out.getBuffer().setLength(0);
    assertThat(run("lab", lab.toString(), "--commit", "abc1234"))
        .as(command.err.toString())
        .isZero();
    assertThat(command.out.toString())
        .isEqualTo(
            "written: README.md, docs/benchmarks/confined/README.md, docs/benchmarks/results.md,"
                + " docs/images/confined.svg\n");
    assertThat(text("docs/benchmarks/confined/README.md"))
        .isEqualTo(Files.readString(Path.of(resource("confined.md"))));
    assertThat(text("docs/images/confined.svg"))
        .contains(">PooledArena.ofConfined()</text>", ">20 ns</text>", ">bytes</text>");
    assertThat(text(PAGE_FILE)).contains(Files.readString(Path.of(resource("confined-page.md"))));
    assertThat(text("README.md"))
        .containsPattern("\\| a call: an arena with 20 bytes, ns \\| +12.0 \\| +48.0 \\|");
    assertThat(new BenchmarkDocs(root).stale()).isEmpty();
  }

  /** A measurement of the lab beside other experiments is smaller than the documents quote. */
  @Test
  void lab_leavesTheFewConfinedArenasOfAWholeLabAlone() throws IOException {
    Path lab = jvmFolder("null");
    Files.copy(confinedFolder().resolve("confined.json"), lab.resolve("confined.json"));
    assertThat(run("lab", lab.toString())).isZero();
    assertThat(root.resolve("docs/benchmarks/confined")).doesNotExist();
  }

  @Test
  void lab_refusesConfinedArenasWithoutAResult() throws IOException {
    Path lab = confinedFolder();
    Files.writeString(lab.resolve("confined.json"), "{\"results\": []}");
    assertThat(run("lab", lab.toString())).isOne();
    assertThat(command.err.toString())
        .isEqualTo(
            "update: folder has no results of the lab: folder="
                + lab
                + " (expected what ./arenal lab --out writes)\n");
  }

  /** The output folder of {@code ./arenal confined --out}, with a few figures. */
  private Path confinedFolder() throws IOException {
    Path lab = Files.createDirectories(root.resolve("confined-lab"));
    String entry =
        "{\"shape\": \"%s\", \"sizeBytes\": %d, \"threads\": \"%s\", \"factory\": \"%s\","
            + " \"nanosPerOperation\": %s, \"errorNanos\": %s, \"bytesPerOperation\": %s}";
    Files.writeString(
        lab.resolve("confined.json"),
        "{\"results\": [%s]}"
            .formatted(
                String.join(
                    ",",
                    entry.formatted("one", 20, "platform", "jdk", "48", "0.5", "0"),
                    entry.formatted("one", 20, "platform", "pooled", "12", "0.1", "0.1"),
                    entry.formatted("one", 20, "platform", "lwjgl", "6.5", "0.1", "0"),
                    entry.formatted("one", 5, "platform", "jdk", "48", "0.5", "0"),
                    entry.formatted("one", 5, "platform", "pooled", "4", "null", "null"),
                    entry.formatted("none", 0, "virtual", "pooled", "0.4", "0.1", "0"))));
    Files.writeString(lab.resolve("env.json"), "{\"date\":\"2026-01-01\",\"cores\":\"2\"}");
    return lab;
  }

  @Test
  void lab_refusesAFolderWithoutResults() throws IOException {
    Path empty = Files.createDirectories(root.resolve("empty"));
    assertThat(run("lab", empty.toString())).isOne();
    assertThat(command.err.toString())
        .isEqualTo(
            "update: folder has no results of the lab: folder="
                + empty
                + " (expected what ./arenal lab --out writes)\n");
    assertThat(root.resolve("docs")).doesNotExist();
  }

  /** The output folder of {@code ./arenal jvm --out}, of one small run. */
  private Path jvmFolder(String failure) throws IOException {
    Path lab = Files.createDirectories(root.resolve("lab"));
    Files.writeString(
        lab.resolve("jvm.json"),
        """
        {"jvms": [{"path": "/opt/somewhere/bin/java", "version": "11.0.13+8",
          "flags": "-Xmx64m -Xlog:gc:file=/srv/me/gc.log", "seconds": 6.4,
          "phases": [
            {"label": "start", "usedBytes": 1048576, "committedBytes": 2097152},
            {"label": "cycle 1: loaded", "usedBytes": 62914560, "committedBytes": 69206016,
              "residentBytes": 419430400},
            {"label": "cycle 1: generations left: 1", "usedBytes": 12582912,
              "committedBytes": 69206016,
              "residentBytes": 419430400},
            {"label": "end", "usedBytes": 1048576, "committedBytes": 9437184,
              "residentBytes": 367001600}],
          "timeline": [[0, 1048576, 2097152, null], [0.1, 62914560, 69206016, 419430400]],
          "label": "JDK 11 (stock)", "notes": ["of /srv/me"], "failure": %s,
          "valley": {"wasteBytes": 7}, "report": "the whole report"}],
         "workload": {"generations": 2, "loaders": 10, "classes": 4, "size": 10,
          "interleave": "class", "cycles": 1, "pauseMillis": 0}}
        """
            .formatted(failure));
    Files.writeString(lab.resolve("env.json"), "{\"date\":\"2026-01-01\",\"cores\":\"2\"}");
    return lab;
  }

  @Test
  void update_writesNothingTheSecondTime() {
    assertThat(run()).isZero();
    assertThat(run()).isZero();
    assertThat(command.out.toString()).isEqualTo("written: README.md\nnothing to do\n");
  }

  @Test
  void stale_seesAFigureThatWasChangedByHand() throws IOException {
    assertThat(run("jmh", "owner-allocation", resource("jmh.json"))).isZero();
    Path tables = root.resolve("docs/benchmarks/owner-allocation/tables.md");
    Files.writeString(tables, Files.readString(tables).replace("2.50", "1.50"));
    assertThat(new BenchmarkDocs(root).stale())
        .containsOnlyKeys("docs/benchmarks/owner-allocation/tables.md");
  }

  @Test
  void jmh_refusesWhatIsNotOfJmh() {
    String file = resource("lab.json");
    assertThat(run("jmh", "owner-allocation", file)).isOne();
    assertThat(command.err.toString())
        .isEqualTo(
            "update: file has no results of JMH: file="
                + file
                + " (expected what -rf json writes)\n");
    assertThat(root.resolve("docs")).doesNotExist();
  }

  @Test
  void update_refusesReadmeWithoutMarkers() throws IOException {
    Files.writeString(root.resolve("README.md"), "# X\n");
    assertThat(run()).isOne();
    assertThat(command.err.toString())
        .startsWith("update: markers are wrong: file=README.md (expected");
    assertThat(text("README.md")).isEqualTo("# X\n");
  }

  private int run(String... words) {
    return command.run(root, words);
  }

  private String text(String path) throws IOException {
    return Files.readString(root.resolve(path));
  }

  /** A resource as a file, which is what people have. */
  private String resource(String name) {
    Path file = root.resolve(name);
    try (InputStream in = getClass().getResourceAsStream(name)) {
      Files.write(file, Objects.requireNonNull(in, name).readAllBytes());
      return file.toString();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
