package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The replay of one trace as charts, which show the same moment: all allocators in one, and each by
 * itself.
 *
 * @param group names the charts in the page
 */
record ReplayCharts(TraceReplay replay, String group) {
  private static final String OPERATIONS = "operations";

  /**
   * Committed over live bytes in the valley of each allocator; second forms of one are left out.
   */
  LineChart together(String title, Function<AllocatorKind, String> nameOf) {
    List<AllocatorReplay> shown =
        replay.results().stream().filter(result -> !result.kind().isVariant()).toList();
    if (shown.isEmpty()) {
      shown = replay.results();
    }
    LineChart.Builder chart =
        builder(title).subtitle("resident; for hotspot committed, as nothing ran");
    List<Sample> samples = shown.getFirst().timeline();
    series(chart, "live", SeriesStyle.USED_AREA, samples, Sample::usedBytes);
    for (AllocatorReplay result : shown) {
      List<Sample> timeline = result.timeline();
      String name = nameOf.apply(result.kind());
      series(chart, name, AllocatorStyle.of(result.kind()), timeline, kept(timeline));
    }
    addMarkers(chart, shown.getFirst());
    return chart.chart();
  }

  /** One allocator: what is used, committed and resident. */
  LineChart alone(AllocatorReplay result) {
    List<Sample> timeline = result.timeline();
    SeriesStyle style = AllocatorStyle.of(result.kind()).solid();
    LineChart.Builder chart =
        builder(result.kind().label()).subtitle(result.kind().title()).small();
    series(chart, "live", SeriesStyle.USED_AREA, timeline, Sample::usedBytes);
    // Where both are the same the thin line lies on the wide one, and both are seen.
    if (hasAll(timeline, Sample::committedBytes)) {
      series(chart, "committed", style.wide(), timeline, Sample::committedBytes);
    }
    if (hasAll(timeline, Sample::residentBytes)) {
      series(chart, "resident", style, timeline, Sample::residentBytes);
    }
    addMarkers(chart, result);
    return chart.chart();
  }

  private LineChart.Builder builder(String title) {
    return LineChart.of(title)
        .xAxis(OPERATIONS)
        .xUpTo((double) replay.operationCount())
        .scaleUpToBytes(maxBytes())
        .group(group);
  }

  private static void addMarkers(LineChart.Builder chart, AllocatorReplay result) {
    for (Moment moment : Moment.values()) {
      Sample sample = moment.of(result);
      if (sample != null) {
        chart.marker((double) sample.operation(), moment.shortLabel());
      }
    }
  }

  /** Resident is what matters; where nothing ran there is only committed. */
  private static Function<Sample, @Nullable Long> kept(List<Sample> timeline) {
    return hasAll(timeline, Sample::residentBytes) ? Sample::residentBytes : Sample::committedBytes;
  }

  private static boolean hasAll(List<Sample> timeline, Function<Sample, @Nullable Long> figure) {
    return timeline.stream().map(figure).allMatch(Objects::nonNull);
  }

  private static void series(
      LineChart.Builder chart,
      String name,
      SeriesStyle style,
      List<Sample> timeline,
      Function<Sample, @Nullable Long> figure) {
    chart.series(
        name, style, timeline, Sample::operation, sample -> Figures.orGap(figure.apply(sample)));
  }

  /**
   * The largest figure that is kept by any, or used: what is compared shares one scale. Committed
   * memory of which little is resident, such as a segment of an allocator, would make it flat.
   */
  private long maxBytes() {
    List<Long> figures = new ArrayList<>();
    for (AllocatorReplay result : replay.results()) {
      Function<Sample, @Nullable Long> kept = kept(result.timeline());
      result.timeline().stream()
          .flatMap(sample -> Stream.of(sample.usedBytes(), kept.apply(sample)))
          .filter(Objects::nonNull)
          .forEach(figures::add);
    }
    return figures.stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
