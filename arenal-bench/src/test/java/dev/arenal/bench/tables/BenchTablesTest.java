package dev.arenal.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command as people run it, on a small repository. */
final class BenchTablesTest {
  private static final String README = "# X\n<!-- results:begin -->\n<!-- results:end -->\nend\n";

  @TempDir private Path root = Path.of("");
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void writeReadme() throws IOException {
    Files.writeString(root.resolve("README.md"), README);
  }

  @Test
  void jmh_takesResultsOverAndWritesTables() throws IOException {
    assertThat(run("jmh", "owner-allocation", resource("jmh.json"), "--commit", "abc1234"))
        .isZero();
    assertThat(out.toString())
        .isEqualTo("written: README.md, docs/benchmarks/owner-allocation/tables.md\n");
    assertThat(text("docs/benchmarks/owner-allocation/tables.md"))
        .startsWith("<!-- Made by docs/benchmarks/update from results.json and env.json: do not")
        .contains(", commit abc1234, OpenJDK 64-Bit Server VM 25.0.3+9-LTS, ")
        .endsWith(
            """
            ## OwnerAllocation

            | contender          | ns/op | ± 99.9 % | × elastic, confined | B/op, Java heap |
            |--------------------|------:|---------:|--------------------:|----------------:|
            | elastic, confined  |  2.50 |     0.10 |                1.00 |            0.23 |
            | malloc + free      |  30.0 |        – |                12.0 |            0.00 |
            | Arena.ofConfined() |  50.0 |     1.00 |                20.0 |            48.0 |

            ## BlockSizes

            ns/op; in brackets against elastic, confined.

            | sizeBytes | elastic, confined | malloc + free | elastic, confined, B/op |
            |-----------|------------------:|--------------:|------------------------:|
            | 8         |              2.00 | 20.0 (× 10.0) |                       – |
            | 8192      |             1,200 |             – |                       – |

            ## SharedAllocation

            ns/op; in brackets against elastic, shared.

            | threads | elastic, shared | elastic, shared, B/op |
            |---------|----------------:|----------------------:|
            | 1       |            10.0 |                     – |
            | 4       |            40.0 |                     – |
            """);
    assertThat(text("README.md"))
        .startsWith("# X\n<!-- results:begin -->\n| ns per block       | allocation alone |    × |")
        .contains("\n| elastic, confined  |             2.50 | 1.00 | 0.23 |                  – |")
        .endsWith("<!-- results:end -->\nend\n");
  }

  @Test
  void jmh_leavesOutWhatNamesTheMachine() throws IOException {
    assertThat(run("jmh", "owner-allocation", resource("jmh.json"))).isZero();
    JsonNode results = Json.read(root.resolve("docs/benchmarks/owner-allocation/results.json"));
    assertThat(results).hasSize(8);
    for (JsonNode result : results) {
      assertThat(result.has("jvm")).isFalse();
      assertThat(result.has("jvmArgs")).isFalse();
    }
    JsonNode environment = Json.read(root.resolve("docs/benchmarks/owner-allocation/env.json"));
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
    Path lab = root.resolve("lab");
    Files.createDirectories(lab);
    Files.copy(Path.of(resource("lab.json")), lab.resolve("results.json"));
    Files.writeString(lab.resolve("env.json"), "{\"date\":\"2026-01-01\",\"cores\":\"2\"}");
    assertThat(run("lab", lab.toString())).isZero();
    assertThat(text("docs/benchmarks/replay/tables.md"))
        .contains(
            "2026-01-01, 2 cores.",
            "1,000 allocations, 10 arenas; sizes in MiB; used at peak 10.0, valley 2.0,"
                + " second peak –, end 0.0.");
    assertThat(text("README.md"))
        .isEqualTo(
            """
            # X
            <!-- results:begin -->
            | trace    |                      figure | HotSpot, as recorded | elastic |
            |----------|----------------------------:|---------------------:|--------:|
            | by-class |    committed / used, valley |                 4.00 |    1.05 |
            |          | resident at the valley, MiB |                    – |     2.1 |
            |          |    resident at the end, MiB |                    – |     0.0 |
            |          |                  replay, ms |                    – |     250 |

            Measured on 2026-01-01, 2 cores.
            <!-- results:end -->
            end
            """);
  }

  @Test
  void update_writesNothingTheSecondTime() {
    assertThat(run()).isZero();
    assertThat(run()).isZero();
    assertThat(out.toString()).isEqualTo("written: README.md\nnothing to do\n");
  }

  @Test
  void stale_seesAFigureThatWasChangedByHand() throws IOException {
    assertThat(run("jmh", "owner-allocation", resource("jmh.json"))).isZero();
    Path readme = root.resolve("README.md");
    Files.writeString(readme, Files.readString(readme).replace("2.50", "1.50"));
    assertThat(new BenchmarkDocs(root).stale()).containsOnlyKeys("README.md");
  }

  @Test
  void jmh_refusesWhatIsNotOfJmh() {
    String file = resource("lab.json");
    assertThat(run("jmh", "owner-allocation", file)).isOne();
    assertThat(err.toString())
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
    assertThat(err.toString()).startsWith("update: markers are wrong: file=README.md (expected");
    assertThat(text("README.md")).isEqualTo("# X\n");
  }

  private int run(String... args) {
    CommandLine commandLine = BenchTables.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    String[] all = new String[args.length + 2];
    all[0] = "--root";
    all[1] = root.toString();
    System.arraycopy(args, 0, all, 2, args.length);
    return commandLine.execute(all);
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
