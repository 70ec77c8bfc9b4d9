package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.lab.figure.Html;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.Pretouches;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pretouches as they are shown, from made-up figures. */
final class PretouchSectionTest {
  @Test
  void section_hasTheAgreedJson() {
    Section section = PretouchSection.of(Pretouches.asClaimed());
    JsonNode results = section.json().path("results");

    assertThat(results).hasSize(9);
    assertThat(results.path(2))
        .hasToString(
            "{\"subject\":\"jvm\",\"jvm\":\"JDK 25\",\"collector\":\"G1\",\"pretouch\":true,"
                + "\"hugePages\":false,\"method\":\"AlwaysPreTouch\",\"threads\":null,"
                + "\"sizeBytes\":4294967296,\"runs\":1,\"wallSeconds\":2.06,"
                + "\"leastWallSeconds\":2.06,\"mostWallSeconds\":2.06,\"userSeconds\":0.206,"
                + "\"systemSeconds\":1.03,\"residentBytes\":4294967296,\"hugeBytes\":0,"
                + "\"firstUseSeconds\":null,\"touchSeconds\":2.0,\"wallErrorSeconds\":null,"
                + "\"touchErrorSeconds\":null,\"freeBytes\":21474836480,"
                + "\"heapBytes\":4294967296,\"totalSeconds\":2.56}");
    assertThat(results.path(6))
        .hasToString(
            "{\"subject\":\"arenal\",\"jvm\":null,\"collector\":null,\"pretouch\":true,"
                + "\"hugePages\":true,\"method\":\"populate\",\"threads\":2,"
                + "\"sizeBytes\":4294967296,\"runs\":1,\"wallSeconds\":0.25,"
                + "\"leastWallSeconds\":0.25,\"mostWallSeconds\":0.25,\"userSeconds\":0.025,"
                + "\"systemSeconds\":0.125,\"residentBytes\":4294967296,"
                + "\"hugeBytes\":4294967296,\"firstUseSeconds\":0.08,\"touchSeconds\":0.25,"
                + "\"wallErrorSeconds\":null,\"touchErrorSeconds\":null,"
                + "\"freeBytes\":null,\"heapBytes\":null,\"totalSeconds\":null}");
    assertThat(section.json().path("refusal"))
        .hasToString(
            "{\"askedBytes\":42949672960,\"millis\":12.25,\"firstUseMillis\":80.0,"
                + "\"message\":\"pretouch"
                + " refused: availableBytes=21474836480\",\"residentBytes\":1048576,\"killed\":0}");
    assertThat(section.failures()).containsExactly("JVM did not start: jvm=x");
  }

  @Test
  void section_saysInWordsWhatWasSeen() {
    Section section = PretouchSection.of(Pretouches.asClaimed());

    assertThat(section.headline())
        .isEqualTo(
            "AlwaysPreTouch lets G1 start 2.00 s later with 4 GiB; Arenal has as much memory"
                + " resident in 1.00 s, with huge pages in 0.25 s; a loop in C that does nothing"
                + " else takes 0.90 s.");
    assertThat(section.findings())
        .containsExactly(
            section.headline(),
            "64 GiB would take 32.0 s (G1), 16.0 s (Arenal) and 4.00 s (Arenal, huge pages).",
            "Asked for 40.0 GiB, twice what is available, Arenal refuses after 12.3 ms; to"
                + " reserve the addresses, its first use there, had taken 80 ms.",
            "Pretouch: 4 of 4 claims reached.");
    assertThat(Html.of(section.parts()))
        .contains(
            "1 GiB and 4 GiB, all threads are 2; medians of 3 runs, with huge pages 9, of"
                + " subjects without a claim 1",
            "64 GiB is left out",
            "Seconds per GiB",
            "<h3>1 GiB. JVMs: from their start until main() runs</h3>",
            "<h3>4 GiB. Without a JVM's start: until the last page was touched</h3>",
            "pretouch refused: availableBytes=21474836480");
  }

  @Test
  void tables_lineUp() {
    List<String> lines = PretouchSection.of(Pretouches.asClaimed()).lines();
    assertThat(lines)
        .startsWith(
            "pretouch: 1 GiB and 4 GiB, all threads are 2; medians of 3 runs, with huge pages 9,"
                + " of subjects without a claim 1")
        .contains(
            "4 GiB. JVMs: from their start until main() runs:",
            "JDK 25 G1                -           -           20,480  4,096   0.06    33 %  0.01"
                + "    0.03      -        0.56        40              0",
            "JDK 25 G1              yes           -           20,480  4,096   2.06       -  0.21"
                + "    1.03   2.00        2.56     4,096              0",
            "Arenal        populate         yes        2  0.25       -  0.03    0.13       0.08"
                + "  16.00     4,096          4,096",
            "How long touching takes at other sizes, in proportion to that of 4 GiB here, in"
                + " seconds:",
            "program                                  per GiB  8 GiB  64 GiB  256 GiB",
            "JDK 25 G1, AlwaysPreTouch                   0.50   4.00    32.0      128",
            "Arenal, populate, huge pages, 2 threads     0.06   0.50    4.00     16.0");
  }

  @Test
  void nothing_isSaid() {
    PretouchMeasurement nothing =
        new PretouchMeasurement(
            Pretouches.plan(), List.of(), null, List.of("4 GiB is left out"), List.of());
    Section section = PretouchSection.of(nothing);
    assertThat(section.headline()).isEmpty();
    assertThat(section.findings())
        .containsExactly("Pretouch was not measured: no size fits into the memory there is.");
    assertThat(Html.of(section.parts())).contains("4 GiB is left out").doesNotContain("<table");
    assertThat(section.json().path("results")).isEmpty();
    assertThat(section.lines()).isEmpty();
  }
}
