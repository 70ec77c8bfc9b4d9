package dev.arenal.lab.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Charts as markup, and what places their texts; how they look is the browser's test. */
final class LineChartTest {
  private static final long MIB = 1 << 20;
  private static final long GAP = -1;

  @Test
  void figure_hasCurvesInTheirStyleAndTheirData() throws Exception {
    String figure =
        html(
            LineChart.of("A <b> title")
                .subtitle("of things")
                .series("live", SeriesStyle.USED_AREA, xs(0, 2), ys(MIB, MIB / 2))
                .series("kept", SeriesStyle.TWO_DASHED, xs(0, 1, 2), ys(MIB, GAP, 0)));

    assertThat(figure)
        .contains(
            "<b>A &lt;b&gt; title</b> <span>of things</span>",
            "aria-label=\"A &lt;b&gt; title: live, kept in MiB over seconds\"",
            "<path class=\"used\" d=\"M0 1000L0 0L1000 500L1000 1000Z\"></path>",
            // Nothing where the figure is missing: a point, and another point.
            "<path class=\"line two dashed\" d=\"M0 0m-3 0h6M1000 1000m-3 0h6\"></path>",
            "<span class=\"end line two dashed\" style=\"top:100.00%\">kept</span>");
    JsonNode data = data(figure);
    assertThat(data.path("xs").toString()).isEqualTo("[[0,2],[0,1,2]]");
    assertThat(data.path("series").toString())
        .isEqualTo(
            "[{\"name\":\"live\",\"axis\":0,\"ys\":[1,0.5]},"
                + "{\"name\":\"kept\",\"axis\":1,\"ys\":[1,null,0]}]");
    assertThat(data.path("unit").asText()).isEqualTo("MiB");
    assertThat(data.path("xMax").asDouble()).isEqualTo(2);
  }

  /** Nanoseconds beside a microsecond are read off, too. */
  @Test
  void valuesBelowOne_haveMoreDigits() throws Exception {
    String figure =
        html(
            LineChart.of("t")
                .nanos()
                .series(
                    "a", SeriesStyle.ONE, xs(0, 1, 2), new double[] {27.314, 999.999, 1234.56}));

    assertThat(data(figure).at("/series/0/ys").toString()).isEqualTo("[0.02731,1,1.23]");
  }

  @Test
  void chartsThatShareAnAxis_holdItOnce() throws Exception {
    String figure =
        html(
            LineChart.of("t")
                .series("a", SeriesStyle.ONE, xs(0, 1), ys(1, 2))
                .series("b", SeriesStyle.TWO, xs(0, 1), ys(3, 4)));

    assertThat(data(figure).path("xs").toString()).isEqualTo("[[0,1]]");
  }

  @Test
  void chartWithoutAnything_isAChart() {
    assertThat(html(LineChart.of("empty"))).contains("empty").doesNotContain("NaN", "Infinity");
    assertThat(html(LineChart.of("t").series("a", SeriesStyle.ONE, xs(0), ys(0)).marker(0, "m")))
        .contains(">m</span>")
        .doesNotContain("NaN", "Infinity");
  }

  @Test
  void scaleIsShared_byNamingTheLargest() {
    assertThat(
            html(
                LineChart.of("t")
                    .series("a", SeriesStyle.ONE, xs(0, 1), ys(MIB, MIB))
                    .scaleUpToBytes(100 * MIB)
                    .xUpTo(10)))
        .contains("M0 990L100 990", ">100 MiB</span>");
  }

  @Test
  void time_hasFractionsGapsAndItsOwnUnits() throws Exception {
    String figure =
        html(
            LineChart.of("t")
                .nanos()
                .xAxis("bytes")
                .series("a", SeriesStyle.ONE, xs(0, 1, 2), new double[] {4.75, Double.NaN, 0.4}));

    assertThat(figure)
        .contains(
            "aria-label=\"t: a in ns over bytes\"",
            ">5 ns</span>",
            "M0 50m-3 0h6M1000 920m-3 0h6\"");
    assertThat(data(figure).at("/series/0/ys").toString()).isEqualTo("[4.75,null,0.4]");
    assertThat(Scale.upTo(Measure.NANOS, 12_345).label(1)).isEqualTo("5 µs");
    assertThat(Scale.upTo(Measure.NANOS, 12_345).top()).isEqualTo(15_000);
    assertThat(Scale.upTo(Measure.NANOS, 1e13).label(1)).isEqualTo("2000 s");
  }

  @Test
  void axesOfDifferentLength_areRefused() {
    assertThatThrownBy(() -> LineChart.of("t").series("a", SeriesStyle.ONE, xs(0, 1), ys(1)))
        .hasMessage(
            "series has more figures on one axis: name=a, countX=2, countY=1 (expected as many)");
  }

  @Test
  void longCurve_isDrawnWithFewPointsAndAllPeaks() {
    double[] xs = IntStream.range(0, 100_000).asDoubleStream().toArray();
    double[] ys =
        IntStream.range(0, 100_000).mapToDouble(i -> i == 54_321 ? 9 : i == 11 ? 0 : 5).toArray();
    Series series = new Series("a", SeriesStyle.ONE, xs, ys);

    List<Integer> indices = CurveThinning.indices(series, 99_999);

    assertThat(indices).hasSizeLessThan(2500).isSorted().doesNotHaveDuplicates();
    assertThat(indices).contains(0, 11, 54_321, 99_999);
    JsonNode data = data(html(LineChart.of("t").series("a", SeriesStyle.ONE, xs, ys)));
    assertThat(data.at("/series/0/ys")).as("the values are all there").hasSize(100_000);
  }

  @ParameterizedTest
  @CsvSource({
    "'10 50 90', '10 50 90'",
    "'10 11 12', '10 16 22'",
    "'99 100', '94 100'",
    "'98 99 100', '88 94 100'",
  })
  void labels_moveApart(String wanted, String places) {
    assertThat(ChartMarkup.apart(numbers(wanted), 6, 100)).containsExactly(numbers(places));
  }

  @ParameterizedTest
  @CsvSource({
    "6250000, 6, 4, 6 M",
    "250000, 6, 6, '250,000'",
    "750000, 6, 4, 0.6 M",
    "45.5, 6, 5, 40",
    "0.4, 6, 5, 0.4",
    "9000, 6, 5, '8,000'",
  })
  void ticks_areRound(double max, int mostSteps, int count, String last) {
    AxisTicks ticks = AxisTicks.upTo(max, mostSteps);

    assertThat(ticks.count()).isEqualTo(count);
    assertThat(ticks.label(0)).isEqualTo("0");
    assertThat(ticks.label(count - 1)).isEqualTo(last);
  }

  @Test
  void markersThatAreClose_shareALabel() {
    List<LineChart.Marker> markers =
        List.of(
            new LineChart.Marker(100, "end"),
            new LineChart.Marker(10, "peak"),
            new LineChart.Marker(99, "2nd peak"),
            new LineChart.Marker(50, "valley"));

    assertThat(MarkerLabels.of(markers, 100, MarkerLabels.ROOMY))
        .extracting(MarkerLabels.Label::text)
        .containsExactly("peak", "valley", "2nd peak, end");
  }

  @Test
  void styles_ofManyThings_differ() {
    assertThat(IntStream.range(0, 24).mapToObj(SeriesStyle::ofIndex))
        .doesNotHaveDuplicates()
        .startsWith(SeriesStyle.ONE, SeriesStyle.TWO)
        .contains(SeriesStyle.SIX_DASHDOT);
    assertThat(SeriesStyle.FOUR_DOTTED.solid().dashed()).isEqualTo(SeriesStyle.FOUR_DASHED);
    assertThat(SeriesStyle.USED_AREA.wide()).isEqualTo(SeriesStyle.USED_AREA);
  }

  @ParameterizedTest
  @CsvSource({
    "0, B, 1, 1",
    "1, B, 1, 1",
    "7, B, 2, 4",
    "1023, B, 500, 3",
    "1024, KiB, 1, 1",
    "470810624, MiB, 100, 5",
    "524288000, MiB, 100, 5",
    "1073741824, GiB, 1, 1",
  })
  void scale_isRoundAndHoldsTheLargest(double maxBytes, String unit, long step, int stepCount) {
    Scale scale = Scale.upTo(Measure.BYTES, maxBytes);

    assertThat(scale.unit()).isEqualTo(unit);
    assertThat(scale.step()).isEqualTo(step);
    assertThat(scale.stepCount()).isEqualTo(stepCount);
    assertThat(scale.top()).isGreaterThanOrEqualTo(maxBytes);
  }

  private static String html(LineChart.Builder chart) {
    return Html.of(List.of(chart.chart()));
  }

  private static JsonNode data(String figure) {
    String open = "data-chart=\"";
    int start = figure.indexOf(open) + open.length();
    String json = figure.substring(start, figure.indexOf('"', start)).replace("&quot;", "\"");
    try {
      return new ObjectMapper().readTree(json);
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new AssertionError(json, e);
    }
  }

  private static double[] numbers(String text) {
    return Stream.of(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  private static double[] xs(double... xs) {
    return xs;
  }

  private static double[] ys(long... ys) {
    return LongStream.of(ys).mapToDouble(y -> y == GAP ? Double.NaN : (double) y).toArray();
  }
}
