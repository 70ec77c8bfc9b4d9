package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.arenal.lab.figure.Html;
import dev.arenal.lab.medium.MediumMeasurement;
import dev.arenal.lab.medium.MediumResult;
import dev.arenal.lab.medium.MediumResult.Moment;
import dev.arenal.lab.medium.Results;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The report of medium pages: JSON, tables, sentences and curves of figures made up here. */
final class MediumSectionTest {
  @Test
  void json_hasThePromisedShape() {
    MediumMeasurement measurement = Results.of(Results.asClaimed().results().getFirst());
    assertThat(MediumSection.of(measurement).json().toString())
        .startsWith(
            "{\"runs\":[{\"synchronized\":false,\"threads\":2,\"seconds\":1,"
                + "\"capacityBytes\":268435456,\"elapsedSeconds\":2.0,\"allocations\":4000,"
                + "\"bytesPerSecond\":{\"avg\":1.048576E9,\"max\":1153433600,"
                + "\"total\":2097152000},"
                + "\"pageBytesPerSecond\":{\"avg\":1.3631488E9,\"max\":1614807040,"
                + "\"total\":2726297600},"
                + "\"undoPageAllocations\":{\"avg\":2.5,\"max\":3,\"total\":5},"
                + "\"pageCacheFlushBytes\":{\"avg\":1572864.0,\"max\":3145728,\"total\":3145728},"
                + "\"defragments\":{\"avg\":0.5,\"max\":1,\"total\":1},"
                + "\"latencyNanos\":{\"p50\":1003,\"p99\":1003,\"p999\":9043967,\"max\":9043967,"
                + "\"histogram\":\"")
        .endsWith(
            "\"},\"timeline\":[[0.0,0],[0.1,94371840],[0.5,524288000],[2.0,2097152000]],"
                + "\"statistics\":\"=== Memory Statistics ===\\n  Memory: Allocation Rate"
                + " <false>\"}]}");
  }

  @Test
  void lines_showStatisticsFiguresAndClaims() {
    assertThat(MediumSection.of(Results.asClaimed()).lines())
        .containsExactly(
            "medium: 2 threads, capacity 256.0 MiB, medium pages of 8.0 MiB, 1 s each run",
            "",
            "run 1, unsynchronized refill:",
            "=== Memory Statistics ===",
            "  Memory: Allocation Rate <false>",
            "",
            "run 2, synchronized refill:",
            "=== Memory Statistics ===",
            "  Memory: Allocation Rate <true>",
            "",
            "run 3, synchronized refill:",
            "=== Memory Statistics ===",
            "  Memory: Allocation Rate <true>",
            "",
            "run 4, unsynchronized refill:",
            "=== Memory Statistics ===",
            "  Memory: Allocation Rate <false>",
            "",
            "Means and highest values of the runs of each variant:",
            "figure                            unsynchronized  synchronized  ratio",
            "buffers a second                           2,000         2,000  1.00x",
            "allocation rate, MB/s, avg                 1,000         1,010  1.01x",
            "allocation rate, MB/s, max                 1,100         1,090  0.99x",
            "page allocation rate, MB/s, avg            1,300         1,050  0.81x",
            "page allocation rate, MB/s, max            1,540         1,100  0.71x",
            "undo page allocation, ops/s, avg            2.50             0  0.00x",
            "undo page allocation, ops/s, max               5             0  0.00x",
            "page cache flush, MB/s, avg                 1.50             0  0.00x",
            "page cache flush, MB/s, max                    3             0  0.00x",
            "defragment, ops/s, avg                      0.50             0  0.00x",
            "defragment, ops/s, max                         1             0  0.00x",
            "medium buffer, us, p50                      1.00          1.00  1.00x",
            "medium buffer, us, p99                      1.00          1.00  1.00x",
            "medium buffer, us, p99.9                   9,044         3,015  0.33x",
            "medium buffer, us, max                     9,044         3,015  0.33x",
            "",
            "Against what was reported for ZGC (JDK-8339387), without -> with:",
            "claim                                    original      wanted                    here "
                + " verdict",
            "undo page allocation, ops/s max           71 -> 8    > 0 -> 0                  5 -> 0 "
                + " reached",
            "page cache flush, MB/s max               380 -> 0           0                  3 -> 0 "
                + " reached",
            "defragment, ops/s max                    190 -> 0           0                  1 -> 0 "
                + " reached",
            "pages taken over buffers, MB/s max   2846 -> 1086  not higher          1.40x -> 1.01x "
                + " reached",
            "allocation rate, MB/s average                   -   not lower  1,000 -> 1,010 (1.01x) "
                + " reached",
            "99.9 % of medium buffers within, us             -       lower  9,044 -> 3,015 (0.33x) "
                + " reached",
            "");
  }

  @Test
  void oneVariantAlone_isComparedWithNothing() {
    MediumMeasurement measurement = Results.of(Results.asClaimed().results().getFirst());
    assertThat(MediumSection.of(measurement).lines())
        .containsExactly(
            "medium: 2 threads, capacity 256.0 MiB, medium pages of 8.0 MiB, 1 s each run",
            "",
            "run 1, unsynchronized refill:",
            "=== Memory Statistics ===",
            "  Memory: Allocation Rate <false>",
            "");
    Section section = MediumSection.of(measurement);
    assertThat(section.headline()).isEmpty();
    assertThat(section.findings()).isEmpty();
    assertThat(Html.of(section.parts())).contains("<svg").doesNotContain("Claims");
  }

  @Test
  void nothing_isSaid() {
    Section section = MediumSection.without(Results.plan(), "this machine is too small");
    assertThat(section.findings())
        .containsExactly("Medium pages were not measured: this machine is too small");
    assertThat(section.json()).hasToString("{\"runs\":[]}");
    assertThat(section.failures()).isEmpty();
    MediumMeasurement failed =
        new MediumMeasurement(Results.plan(), List.of(), List.of("run 1 of 4 died"));
    assertThat(MediumSection.of(failed).failures()).containsExactly("run 1 of 4 died");
    assertThat(MediumSection.of(failed).lines()).isEmpty();
    assertThat(Html.of(MediumSection.of(failed).parts())).doesNotContain("<svg");
  }

  /** A run failed: its variant has one less. */
  @Test
  void variants_haveRunsOfTheirOwn() {
    List<MediumResult> three = Results.asClaimed().results().subList(0, 3);
    MediumMeasurement measurement =
        new MediumMeasurement(Results.plan(), three, List.of("run 4 of 4 died"));
    assertThat(MediumSection.of(measurement).headline())
        .startsWith(
            "With a refill by every thread 5 pages are undone in 1 run, with a refill by one"
                + " thread 0 in 2 runs; ");
  }

  @Test
  void section_saysWhatWasSeen() {
    Section section = MediumSection.of(Results.asClaimed());
    assertThat(section.headline())
        .isEqualTo(
            "With a refill by every thread 10 pages are undone in 2 runs, with a refill by one"
                + " thread 0 in 2 runs; 99.9 % of the medium buffers take at most 9,044 µs and"
                + " 3,015 µs.");
    assertThat(section.findings())
        .containsExactly(section.headline(), "Medium pages: 6 of 6 claims reached.");
    assertThat(Html.of(section.parts()))
        .contains("Allocated in a second", "Until a medium buffer is there", "JDK-8339387")
        .contains("Memory: Allocation Rate &lt;true&gt;");
  }

  @Test
  void rates_areOfStretchesThatAreLongEnough() {
    List<double[]> points =
        MediumCharts.rates(
            List.of(
                new Moment(0, 0),
                new Moment(0.1, 10),
                new Moment(0.2, 40),
                new Moment(0.3, 50),
                new Moment(0.5, 100)));
    assertThat(points).hasSize(2);
    assertThat(points.get(0)[0]).isEqualTo(0.2);
    assertThat(points.get(0)[1]).isCloseTo(200, within(1e-6));
    assertThat(points.get(1)[0]).isEqualTo(0.5);
    assertThat(points.get(1)[1]).isCloseTo(200, within(1e-6));
  }
}
