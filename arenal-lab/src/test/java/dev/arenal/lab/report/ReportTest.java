package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.arenal.lab.figure.Html;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of results: JSON, tables, sentences and the page. */
final class ReportTest {
  private static final long MIB = Replays.MIB;
  private static final long MILLI = 1_000_000;

  @TempDir Path folder;

  @Test
  void json_hasExactlyThePromisedShape() throws IOException {
    AllocatorReplay malloc =
        new AllocatorReplay(
            AllocatorKind.MALLOC,
            "glibc 2.36",
            3,
            null,
            5_000L,
            1666.6666,
            3L,
            48L,
            new Sample(1, 24, 100L, 90L, 4_000L),
            null,
            null,
            new Sample(2, 8, null, 90L, 5_000L),
            List.of(new Sample(0, 0, 0L, 0L), new Sample(2, 8, null, 90L)));
    Section section = ReplaySection.of(List.of(Replays.trace("t", malloc)));

    assertThat(ReportFolder.results(List.of(section)))
        .isEqualTo(
            """
            [ {
              "trace" : "t",
              "jvm" : "25.0.3+9-LTS",
              "allocations" : 1000,
              "arenas" : 20,
              "loaders" : 10,
              "operations" : 2000,
              "maxUsedBytes" : 104857600,
              "results" : [ {
                "allocator" : "malloc",
                "library" : "glibc 2.36",
                "runs" : 3,
                "granuleBytes" : null,
                "wallNanos" : 5000,
                "nanosPerAllocation" : 1666.667,
                "compilerMillis" : 3,
                "headerBytes" : 48,
                "peak" : {
                  "operation" : 1,
                  "usedBytes" : 24,
                  "committedBytes" : 100,
                  "residentBytes" : 90,
                  "wallNanos" : 4000
                },
                "valley" : null,
                "secondPeak" : null,
                "end" : {
                  "operation" : 2,
                  "usedBytes" : 8,
                  "committedBytes" : null,
                  "residentBytes" : 90,
                  "wallNanos" : 5000
                },
                "timeline" : [ [ 0, 0, 0, 0, null ], [ 2, 8, null, 90, null ] ]
              } ]
            } ]
            """);
  }

  @Test
  void table_showsAllFiguresAndDashesForThoseThatDoNotExist() {
    TraceReplay replay =
        Replays.trace(
            "by-hand",
            Replays.replay(AllocatorKind.HOTSPOT, null, 90 * MIB, null),
            Replays.replay(AllocatorKind.ELASTIC, 12 * MILLI, 21 * MIB, 1 * MIB));

    // Only words and figures here: the spaces between them are TextTableTest's.
    assertThat(ReplaySection.lines(replay).stream().map(line -> line.strip().replaceAll(" +", " ")))
        .containsExactly(
            "by-hand: 1,000 allocations, 20 arenas of 10 loaders, recorded on 25.0.3+9-LTS;"
                + " committed and resident in MiB",
            "-- peak --- - valley -- 2nd peak --- end --- at valley/used",
            "allocator ms ns/alloc header comm. res. comm. res. comm. res. comm. res. comm. res.",
            "hotspot - - - 120.0 - 90.0 - - - 0.0 - 4.50 -",
            "elastic 12 12000.0 - 120.0 - 21.0 - - - 0.0 1.0 1.05 -",
            "(used) 100.0 20.0 - 0.0",
            "valley: the lowest used after the first peak, before it rises again by more than 10 %"
                + " of that peak; here after operation 1,000 of 2,000");
  }

  @Test
  void smallEarlyPeak_isPointedOut() {
    AllocatorReplay result = Replays.replay(AllocatorKind.ELASTIC, 1L, 21 * MIB, null);
    TraceReplay replay =
        new TraceReplay("t", "25", 1, 1, 1, 2000, 900 * MIB, List.of(result), List.of(), List.of());

    assertThat(ReplaySection.valley(replay))
        .endsWith(
            "; this first peak is a small early one, 100.0 of at most 900.0 MiB: the timeline says"
                + " more");
  }

  @Test
  void findings_praiseWhatTheFiguresPraise() {
    List<TraceReplay> replays = List.of(trace("one", 10, 25, 21, 1), trace("two", 10, 30, 24, 2));

    assertThat(new Findings(replays).sentences())
        .containsExactly(
            "At the valley elastic has committed 1.05 to 1.20 times what is live, HotSpot 4.50"
                + " times: less on every trace.",
            "At every phase of every trace elastic's resident size is the lowest; the next one is"
                + " at least 2400 % larger.",
            "malloc keeps 25 to 50 times elastic's resident size at the end: elastic keeps less at"
                + " every phase.",
            "malloc takes 2.50 to 3.00 times as long as elastic: at least twice on every trace.",
            "JEP 387's author found malloc in place of metaspace 8-12 % longer, with 18 % more"
                + " resident at the spike (16 % without headers) and nothing given back. Here,"
                + " against elastic: 150 % to 200 % longer (no less than claimed).");
  }

  @Test
  void findings_sayWhereElasticLoses() {
    List<TraceReplay> replays = List.of(trace("one", 10, 25, 120, 1), trace("two", 30, 30, 21, 60));

    assertThat(new Findings(replays).sentences())
        .containsExactly(
            "At the valley elastic has committed 1.05 to 6.00 times what is live, HotSpot 4.50"
                + " times: less on two, but equal or more on one.",
            "Elastic's resident size is the lowest at 1 of 2 phases; not at the end of two (malloc"
                + " keeps 17 % less).",
            "malloc keeps 0.83 to 50 times elastic's resident size at the end: elastic keeps less"
                + " at all phases but the end of two.",
            "malloc takes 1.00 to 2.50 times as long as elastic: at least twice on one, but less"
                + " on two.",
            "JEP 387's author found malloc in place of metaspace 8-12 % longer, with 18 % more"
                + " resident at the spike (16 % without headers) and nothing given back. Here,"
                + " against elastic: 0 % to 150 % longer (less than claimed on 1 of 2 traces).");
    assertThat(new Findings(List.of(trace("t", 50, 25, 120, 60))).sentences())
        .containsExactly(
            "At the valley elastic has committed 6.00 times what is live, HotSpot 4.50 times: not"
                + " less on any trace.",
            "Elastic's resident size is the lowest at none of 1 phases; not at the end of t (malloc"
                + " keeps 17 % less).",
            "malloc keeps 0.83 times elastic's resident size at the end: elastic keeps less at no"
                + " phase.",
            "malloc takes 0.50 times as long as elastic: less than twice on every trace.",
            "JEP 387's author found malloc in place of metaspace 8-12 % longer, with 18 % more"
                + " resident at the spike (16 % without headers) and nothing given back. Here,"
                + " against elastic: -50 % longer (less than claimed).");
  }

  /** Of a trace of one block "malloc keeps 100 % less" is a figure of the process alone. */
  @Test
  void smallTrace_isPointedOut() {
    AllocatorReplay result = Replays.replay(AllocatorKind.ELASTIC, 1L, 21 * MIB, null);
    TraceReplay replay =
        new TraceReplay(
            "t", "25", 1, 1, 1, 2000, 4 * MIB - 1, List.of(result), List.of(), List.of());

    assertThat(new Findings(List.of(replay)).sentences())
        .contains(
            "t is a small trace, never more than 4.0 MiB live: half-empty granules and the noise"
                + " of the process's size weigh more here than the allocator.");
    assertThat(new Findings(List.of(trace("one", 10, 25, 21, 1))).sentences())
        .noneMatch(sentence -> sentence.contains("small trace"));
  }

  @Test
  void headline_saysFiguresAndJudgesNothing() {
    List<TraceReplay> replays = List.of(trace("one", 10, 25, 21, 1), trace("two", 30, 15, 24, 2));

    assertThat(new Findings(replays).headline())
        .isEqualTo(
            "After the spike Arenal has committed 1.05 to 1.20 times what is still live, HotSpot"
                + " 4.50 times, malloc 5.50 times; a replay takes 0.5 to 2.5 times as long with"
                + " malloc as with Arenal.");
    assertThat(new Findings(List.of()).headline()).isEmpty();
  }

  @Test
  void findings_ofOneAllocator_areNone() {
    TraceReplay replay = Replays.trace("t", Replays.replay(AllocatorKind.MALLOC, 1L, 1L, 1L));

    assertThat(new Findings(List.of(replay)).sentences()).isEmpty();
  }

  @Test
  void folder_holdsAPageWithoutNetworkAndTheSameData() throws IOException {
    TraceReplay replay = trace("</script><b>", 10, 25, 21, 1);
    Section section = ReplaySection.of(List.of(replay));
    Path out = folder.resolve("new/report");
    ReportFolder.write(out, List.of(section));
    String page = Files.readString(out.resolve("report.html"));

    assertThat(page)
        .startsWith("<!DOCTYPE html>")
        .doesNotContain("{{", "http:", "https:", "src=", "</script><b>")
        .contains("color-scheme: light dark", "<svg viewBox", "&lt;/script&gt;&lt;b&gt;");
    String open = "<script type=\"application/json\" id=\"data\">";
    int start = page.indexOf(open) + open.length();
    JsonNode data =
        new ObjectMapper().readTree(page.substring(start, page.indexOf("</script>", start)));
    JsonNode results = new ObjectMapper().readTree(out.resolve("results.json").toFile());
    assertThat(data.get("replay")).isEqualTo(results);
    assertThat(data.get("environment"))
        .isEqualTo(new ObjectMapper().readTree(out.resolve("env.json").toFile()));
  }

  @Test
  void emptyTrace_hasAPageToo() throws IOException {
    Sample nothing = new Sample(0, 0, 0L, 0L);
    AllocatorReplay result =
        new AllocatorReplay(
            AllocatorKind.ELASTIC,
            null,
            1,
            4096L,
            10L,
            null,
            0L,
            0L,
            nothing,
            null,
            null,
            nothing,
            List.of(nothing));
    TraceReplay replay =
        new TraceReplay(
            "empty", "25", 0, 0, 0, 0, 0, List.of(result), List.of("it failed"), List.of());
    Section section = ReplaySection.of(List.of(replay));

    assertThat(section.failures()).containsExactly("it failed");
    assertThat(Html.of(section.parts())).doesNotContain("NaN", "Infinity");
    assertThat(HtmlReport.page(List.of(section), Environment.here()))
        .contains("empty", "it failed");
  }

  @Test
  void heading_isTheOnlyExperiment_orWhatAllOfThemAreAbout() {
    Section one = Section.without("first-use", "First use", List.of(), "Nothing was measured.");
    Section other = Section.without("burst", "Burst", List.of(), "Nothing was measured.");

    assertThat(HtmlReport.page(List.of(one), Environment.here()))
        .contains("<title>Arenal lab: First use</title>", "<h1>First use</h1>");
    assertThat(HtmlReport.page(List.of(one, other), Environment.here()))
        .contains("<h1>Memory kept when the work is done</h1>");
  }

  private static TraceReplay trace(
      String name, long elasticMillis, long mallocMillis, long valleyMib, long endMib) {
    return Replays.trace(
        name,
        Replays.replay(AllocatorKind.HOTSPOT, null, 90 * MIB, null),
        Replays.replay(AllocatorKind.ELASTIC, elasticMillis * MILLI, valleyMib * MIB, endMib * MIB),
        Replays.replay(AllocatorKind.MALLOC, mallocMillis * MILLI, 110 * MIB, 50 * MIB));
  }
}
