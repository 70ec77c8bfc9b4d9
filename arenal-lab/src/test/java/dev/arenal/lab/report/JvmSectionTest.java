package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.arenal.lab.figure.Html;
import dev.arenal.lab.jvm.JvmMeasurement;
import dev.arenal.lab.jvm.JvmPhase;
import dev.arenal.lab.jvm.JvmPoint;
import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.jvm.Valley;
import dev.arenal.lab.jvm.WorkloadShape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The report of real JVMs: JSON, tables, sentences and charts, of figures made up here. */
final class JvmSectionTest {
  private static final long MIB = 1024 * 1024;
  private static final WorkloadShape SHAPE = new WorkloadShape(5, 10, 4, 10, "class", 1, 0);

  @Test
  void json_hasExactlyThePromisedShape() {
    JvmMeasurement dead =
        new JvmMeasurement(
            spec("JDK 17", 17),
            "-Xmx1m -Xint",
            MIB,
            1.23456,
            List.of(new JvmPhase("start", 0.0625, 10, 20, null)),
            List.of(new JvmPoint(0.1, null, null, 5L), new JvmPoint(0.2, 11L, 22L, null)),
            null,
            "",
            List.of("a warning"),
            "JVM died");
    assertThat(JvmSection.of(SHAPE, List.of(dead)).json().toPrettyString())
        .isEqualTo(
            """
            {
              "jvms" : [ {
                "label" : "JDK 17",
                "path" : "jdk/bin/java",
                "version" : "17.0.1",
                "isStock" : false,
                "flags" : "-Xmx1m -Xint",
                "heapBytes" : 1048576,
                "seconds" : 1.235,
                "phases" : [ {
                  "label" : "start",
                  "seconds" : 0.0625,
                  "usedBytes" : 10,
                  "committedBytes" : 20,
                  "residentBytes" : null
                } ],
                "timeline" : [ [ 0.1, null, null, 5 ], [ 0.2, 11, 22, null ] ],
                "valley" : null,
                "report" : "",
                "notes" : [ "a warning" ],
                "failure" : "JVM died"
              } ],
              "workload" : {
                "generations" : 5,
                "loaders" : 10,
                "classes" : 4,
                "size" : 10,
                "interleave" : "class",
                "cycles" : 1,
                "pauseMillis" : 0
              }
            }\
            """);
  }

  @Test
  void tables_lineUpAndSayWhatWasCorrected() {
    List<JvmMeasurement> measurements =
        List.of(
            measurement("JDK 11 (stock)", 11, 100, 100, 200),
            measurement("JDK 17 MetaspaceReclaimPolicy=aggressive", 17, 100, 25, 90));
    assertThat(JvmSection.of(SHAPE, measurements).lines())
        .containsExactly(
            "jvm: 5 generations of 10 loaders with 4 classes of size 10 each, one class per turn;"
                + " loaded once; metaspace used, committed and resident size in MiB",
            "                              - JDK 11 (stock) --  JDK 17 Metas...y=aggressive",
            "phase                          used  comm.   res.           used  comm.   res.",
            "start                           1.0    2.0      -            1.0    2.0      -",
            "cycle 1: loaded               100.0  100.0  300.0          100.0  100.0  300.0",
            "cycle 1: generations left: 1   20.0  100.0  200.0           20.0   25.0   90.0",
            "seconds                                       3.0                          3.0",
            "",
            "Where the memory is at the valley, when 4 of 5 generations are gone, in MiB:",
            " ".repeat(73) + "------------ committed and not used ------------",
            "JVM                                         used  committed  times used  free chunks"
                + "  free in chunks in use  waste  other",
            "JDK 11 (stock)                              20.0      100.0        5.00         70.0"
                + "                    4.0    2.0    4.0",
            "JDK 17 MetaspaceReclaimPolicy=aggressive *  20.0       25.0        1.25         70.0"
                + "                    4.0    2.0    0.0",
            "* jcmd VM.metaspace of this JVM counts the free chunks of the non-class space twice;"
                + " here they count once.",
            "");
  }

  @Test
  void sentences_praiseWhatTheFiguresPraise() {
    Section section =
        JvmSection.of(
            SHAPE,
            List.of(
                measurement("JDK 11 (stock)", 11, 100, 100, 200),
                measurement("JDK 17", 17, 100, 24, 120),
                measurement("JDK 25", 25, 100, 60, 160)));
    assertThat(section.headline())
        .isEqualTo(
            "When 4 of 5 generations are gone, JDK 11 (stock) keeps 5.00 times what is still in"
                + " use, JDK 17 1.20 times and JDK 25 3.00 times.");
    assertThat(section.findings())
        .containsExactly(
            section.headline(),
            "Of what the released classes had used, this went back to the system: JDK 11 (stock)"
                + " 0 %, JDK 17 95 % and JDK 25 50 %.",
            "There JDK 11 (stock) has 100.0 MiB committed; JDK 17 24.0 MiB, 76 % less; JDK 25 60.0"
                + " MiB, 40 % less.",
            "There JDK 11 (stock) has 200.0 MiB resident; JDK 17 120.0 MiB, 40 % less; JDK 25 160.0"
                + " MiB, 20 % less.",
            "With loading interleaved like this, JDK 17 gives nearly all of it back; JDK 25 holds"
                + " on to unused memory.");
  }

  @Test
  void sentences_sayWhereElasticIsNotBetter() {
    assertThat(
            JvmSection.of(
                    SHAPE,
                    List.of(
                        measurement("JDK 11 (stock)", 11, 100, 100, 200),
                        measurement("JDK 17", 17, 100, 101, 250)))
                .findings())
        .contains(
            "There JDK 11 (stock) has 100.0 MiB committed; JDK 17 101.0 MiB, about as much.",
            "There JDK 11 (stock) has 200.0 MiB resident; JDK 17 250.0 MiB, 25 % more.");
  }

  @Test
  void jvmThatHadNextToNothingToGiveBack_isNotPraisedForIt() {
    assertThat(JvmSection.of(SHAPE, List.of(measurement("JDK 25", 25, 24, 24, 120))).findings())
        .containsExactly(
            "When 4 of 5 generations are gone, JDK 25 keeps 1.20 times what is still in use.",
            "Of what the released classes had used, this went back to the system: JDK 25 0 %.");
  }

  @Test
  void withoutAValley_nothingIsClaimed() {
    JvmMeasurement dead =
        new JvmMeasurement(
            spec("JDK 17", 17), "", MIB, 0, List.of(), List.of(), null, "", List.of(), "it");
    Section section = JvmSection.of(SHAPE, List.of(dead));
    assertThat(section.headline()).isEmpty();
    assertThat(section.findings()).isEmpty();
    assertThat(section.failures()).containsExactly("it");
    assertThat(Html.of(section.parts())).doesNotContain("<table", "NaN");
    assertThat(section.lines()).hasSize(2);
    assertThat(JvmSection.remarks(dead)).containsExactly("it");
  }

  @Test
  void html_hasTheChartsAndTheReportsAsTheyWere() {
    Section section =
        JvmSection.of(
            SHAPE,
            List.of(
                measurement("JDK 11 (stock)", 11, 100, 100, 200),
                measurement("JDK 17", 17, 100, 24, 120)));
    assertThat(Html.of(section.parts()))
        .contains(
            "Committed metaspace",
            "Resident size of the process, heap included",
            "<details class=\"reports\">",
            "waste &lt;of&gt; JDK 17",
            "JDK 17: a &lt;warning&gt;")
        .doesNotContain("NaN", "Infinity", "<of>");
  }

  @Test
  void phases_shareTheirPlaceWhateverTheirTime() {
    JvmMeasurement measurement = measurement("JDK 17", 17, 100, 24, 120);
    assertThat(JvmCharts.phaseAt(measurement, 0)).isZero();
    assertThat(JvmCharts.phaseAt(measurement, 0.5)).isEqualTo(0);
    assertThat(JvmCharts.phaseAt(measurement, 1.5)).isCloseTo(0.75, within(1e-9));
    assertThat(JvmCharts.phaseAt(measurement, 2.0)).isCloseTo(1 + 1 / 6.0, within(1e-9));
    assertThat(JvmCharts.phaseAt(measurement, 3.0)).isEqualTo(2);
    assertThat(JvmCharts.phaseAt(measurement, 9)).isEqualTo(2);
  }

  private static JvmSpec spec(String label, int feature) {
    return new JvmSpec(label, Path.of("jdk/bin/java"), feature + ".0.1", feature, List.of());
  }

  private static JvmMeasurement measurement(
      String label, int feature, long peakMib, long valleyMib, long residentMib) {
    boolean isElastic = feature >= 16;
    return new JvmMeasurement(
        spec(label, feature),
        "-Xmx1m",
        MIB,
        3,
        List.of(
            new JvmPhase("start", 0.6, MIB, 2 * MIB, null),
            new JvmPhase("cycle 1: loaded", 1.8, peakMib * MIB, peakMib * MIB, 300 * MIB),
            new JvmPhase(
                "cycle 1: generations left: 1", 3, 20 * MIB, valleyMib * MIB, residentMib * MIB)),
        List.of(new JvmPoint(0, null, null, 5L), new JvmPoint(1, MIB, 2 * MIB, 5L)),
        new Valley(
            20 * MIB, 100 * MIB - (isElastic ? 4 * MIB : 0), 70 * MIB, 4 * MIB, 2 * MIB, isElastic),
        "waste <of> " + label,
        isElastic ? List.of("a <warning>") : List.of(),
        null);
  }
}
