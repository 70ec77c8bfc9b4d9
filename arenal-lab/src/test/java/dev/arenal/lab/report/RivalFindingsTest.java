package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Plain;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.TraceReplay;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Elastic arenas against every other allocator, phase by phase: won, lost and mixed. */
final class RivalFindingsTest {
  @Test
  void everythingWon() {
    TraceReplay one = trace("one", elastic(), malloc(250, 120, 120, 120, 120));
    TraceReplay two = trace("two", elastic(), malloc(200, 150, 100, 150, 110));

    assertThat(new RivalFindings(List.of(one, two)).sentences())
        .containsExactly(
            "At every phase of every trace elastic's resident size is the lowest; the next one is"
                + " at least 20 % larger.",
            "malloc keeps 1.20 to 1.50 times elastic's resident size at the peak, 5.00 to 6.00"
                + " times at the valley, 1.20 to 1.50 times at the second peak, 55 to 60 times at"
                + " the end: elastic keeps less at every phase.",
            "malloc takes 2.00 to 2.50 times as long as elastic: at least twice on every trace.");
  }

  @Test
  void everythingLost() {
    TraceReplay one = trace("one", elastic(), malloc(199, 100, 20, 50, 1));

    assertThat(new RivalFindings(List.of(one)).sentences())
        .containsExactly(
            "Elastic's resident size is the lowest at none of 4 phases; not at the peak of one"
                + " (malloc keeps as much), the valley of one (malloc keeps as much), the second"
                + " peak of one (malloc keeps 50 % less), the end of one (malloc keeps 50 %"
                + " less).",
            "malloc keeps 1.00 times elastic's resident size at the peak, 1.00 times at the valley,"
                + " 0.50 times at the second peak, 0.50 times at the end: elastic keeps less at no"
                + " phase.",
            "malloc takes 1.99 times as long as elastic: less than twice on every trace.");
  }

  /** "2.00 times: less than twice" and "takes 0 % less" would be no answers. */
  @Test
  void figuresThatAreHardlyLost_areShownSo() {
    TraceReplay one =
        trace(
            "one",
            Replays.resident(AllocatorKind.ELASTIC, 1000, 10000, 10000, 10000, 10000),
            malloc(1998, 10010, 10010, 10010, 10010),
            Replays.resident(AllocatorKind.JEMALLOC, 998, 20000, 20000, 20000, 20000));

    assertThat(new RivalFindings(List.of(one)).sentences())
        .contains(
            "Elastic is at least as fast as the fastest of malloc, jemalloc on none of 1 traces;"
                + " not on one (jemalloc takes as long).",
            "malloc keeps 1.001 times elastic's resident size at the peak, 1.001 times at the"
                + " valley, 1.001 times at the second peak, 1.001 times at the end: elastic keeps"
                + " less at every phase.",
            "malloc takes 1.998 times as long as elastic: less than twice on every trace.");
  }

  @Test
  void mixed_namesWhatIsLostAndToWhom() {
    TraceReplay one =
        trace(
            "one",
            elastic(),
            malloc(300, 120, 120, 120, 120),
            Replays.resident(AllocatorKind.JDK_SHARED, 150, 90, 100, 101, 100));
    TraceReplay two = trace("two", elastic(), malloc(150, 120, 120, 120, 120));

    assertThat(new RivalFindings(List.of(one, two)).sentences())
        .containsExactly(
            "Elastic's resident size is the lowest at 7 of 8 phases; not at the peak of one"
                + " (jdk-shared keeps 10 % less).",
            "malloc keeps 1.20 times elastic's resident size at the peak, 6.00 times at the valley,"
                + " 1.20 times at the second peak, 60 times at the end: elastic keeps less at every"
                + " phase.",
            "malloc takes 1.50 to 3.00 times as long as elastic: at least twice on one, but less on"
                + " two.",
            "jdk-shared keeps 0.90 times elastic's resident size at the peak, 5.00 times at the"
                + " valley, 1.01 times at the second peak, 50 times at the end: elastic keeps less"
                + " at all phases but the peak of one.",
            "jdk-shared takes 1.50 times as long as elastic: less than twice on every trace.");
  }

  @Test
  void fastestHeap_isNamedWhereItIsFaster() {
    TraceReplay one = trace("one", elastic(), malloc(150, 120, 120, 120, 120), owners(80));
    TraceReplay two = trace("two", elastic(), malloc(120, 120, 120, 120, 120), owners(300));

    assertThat(new RivalFindings(List.of(one, two)).sentences())
        .contains(
            "Elastic is at least as fast as the fastest of malloc, mimalloc-owner on 1 of 2"
                + " traces; not on one (mimalloc-owner takes 20 % less).",
            "mimalloc-owner takes 0.80 to 3.00 times as long as elastic: at least twice on two, but"
                + " less on one.");
    assertThat(new RivalFindings(List.of(one)).sentences())
        .contains(
            "Elastic is at least as fast as the fastest of malloc, mimalloc-owner on none of 1"
                + " traces; not on one (mimalloc-owner takes 20 % less).");
    assertThat(new RivalFindings(List.of(two)).sentences())
        .contains(
            "Elastic is at least as fast as the fastest of malloc, mimalloc-owner on every"
                + " trace.");
  }

  private static AllocatorReplay owners(long nanos) {
    return Replays.resident(AllocatorKind.MIMALLOC_OWNER, nanos, 360, 200, 400, 250);
  }

  @Test
  void oneSideAlone_saysNothing() {
    assertThat(new RivalFindings(List.of(trace("t", elastic()))).sentences()).isEmpty();
    assertThat(new RivalFindings(List.of(trace("t", malloc(1, 1, 1, 1, 1)))).sentences()).isEmpty();
    assertThat(RivalTable.parts(trace("t", elastic()))).isEmpty();
    assertThat(MallocClaims.parts(List.of(trace("t", elastic())))).isEmpty();
    assertThat(new MallocClaims(List.of(trace("t", elastic()))).sentence()).isEmpty();
  }

  @Test
  void nothingResident_isNotDividedBy() {
    TraceReplay replay =
        trace(
            "t",
            Replays.resident(AllocatorKind.ELASTIC, 100, 100, 20, 100, 0),
            malloc(250, 120, 120, 120, 120));

    assertThat(new RivalFindings(List.of(replay)).sentences().get(1))
        .isEqualTo(
            "malloc keeps 1.20 times elastic's resident size at the peak, 6.00 times at the valley,"
                + " 1.20 times at the second peak: elastic keeps less at every phase.");
    assertThat(String.join("\n", Plain.lines(RivalTable.parts(replay))))
        .doesNotContain("Inf", "NaN");

    TraceReplay nowhere =
        trace(
            "t", Replays.resident(AllocatorKind.ELASTIC, 100, 0, 0, 0, 0), malloc(250, 1, 1, 1, 1));
    assertThat(new RivalFindings(List.of(nowhere)).sentences().getFirst())
        .isEqualTo("At every phase of every trace elastic's resident size is the lowest.");
  }

  @Test
  void table_hasMultiplesOfElastic() {
    TraceReplay replay = trace("t", elastic(), malloc(250, 120, 120, 130, 110));

    assertThat(
            tableOf(RivalTable.parts(replay)).stream()
                .map(line -> line.strip().replaceAll(" +", " ")))
        .containsExactly(
            "----------- time ----------- --------- resident ---------",
            "allocator peak valley 2nd peak end peak valley 2nd peak end header given back",
            "elastic 1.00 1.00 1.00 1.00 1.00 1.00 1.00 1.00 0.0 80 %",
            "malloc 2.48 2.50 2.49 2.50 1.20 6.00 1.30 55 16.0 0 %");
  }

  @Test
  void claims_standBesideFiguresOfHeaps() {
    TraceReplay replay =
        trace(
            "t",
            Replays.replay(AllocatorKind.HOTSPOT, null, null, null),
            elastic(),
            malloc(111, 120, 120, 130, 110),
            Replays.resident(AllocatorKind.MIMALLOC, 90, 116, 58, 116, 1));
    MallocClaims claims = new MallocClaims(List.of(replay));

    assertThat(
            tableOf(MallocClaims.parts(List.of(replay))).stream()
                .map(line -> line.strip().replaceAll(" +", " ")))
        .containsExactly(
            "------- against elastic -------- --- against HotSpot ----",
            "longer more at peak no headers more at peak no headers given back",
            "JEP 387's author 8-12 % 18 % 16 % 18 % 16 % nothing",
            "malloc, t 11 % 20 % 4 % 0 % -13 % 0 %",
            "mimalloc, t -10 % 16 % 0 % -3 % -17 % 50 %");
    assertThat(claims.sentence())
        .hasValue(
            "JEP 387's author found malloc in place of metaspace 8-12 % longer, with 18 % more"
                + " resident at the spike (16 % without headers) and nothing given back. Here,"
                + " against elastic: 11 % longer (no less than claimed), 20 % more resident at the"
                + " peak (no less than claimed), 4 % without headers (less than claimed), nothing"
                + " given back (as claimed).");
  }

  @Test
  void claims_differByTrace() {
    TraceReplay one = trace("one", elastic(), malloc(107, 117, 58, 117, 1));
    TraceReplay two = trace("two", elastic(), malloc(300, 140, 140, 140, 1));

    assertThat(new MallocClaims(List.of(one, two)).sentence().orElseThrow())
        .endsWith(
            "against elastic: 7 % to 200 % longer (less than claimed on 1 of 2 traces), 17 % to"
                + " 40 % more resident at the peak (less than claimed on 1 of 2 traces), 1 % to"
                + " 24 % without headers (less than claimed on 1 of 2 traces), 0 % to 50 % given"
                + " back (claimed: nothing).");
  }

  private static TraceReplay trace(String name, AllocatorReplay... results) {
    return Replays.trace(name, results);
  }

  private static AllocatorReplay elastic() {
    return Replays.resident(AllocatorKind.ELASTIC, 100, 100, 20, 100, 2);
  }

  private static AllocatorReplay malloc(long nanos, long... mebibytes) {
    return Replays.resident(AllocatorKind.MALLOC, nanos, mebibytes);
  }

  private static List<String> tableOf(List<Part> parts) {
    return Plain.lines(parts.stream().filter(Table.class::isInstance).toList());
  }
}
