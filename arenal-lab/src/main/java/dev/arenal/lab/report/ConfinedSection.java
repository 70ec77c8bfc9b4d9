package dev.arenal.lab.report;

import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.ConfinedClaims;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jmh.JmhResult;
import dev.arenal.lab.result.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Measurements of confined arenas as a section of the report. */
public final class ConfinedSection {
  private static final String NAME = "confined";
  private static final String TITLE = "Confined arenas";
  private static final int USUAL_BYTES = 20;
  private static final int LARGEST_SMALL_BYTES = 64;

  /** Stands for a figure with an error larger than itself. */
  private static final String NOISE = "noise";

  /** A line through one point is none. */
  private static final int FEWEST_POINTS = 2;

  private final JmhMeasurement<ConfinedCell> measurement;
  private final List<JmhResult<ConfinedCell>> results;
  private final List<Factory> factories;

  private ConfinedSection(JmhMeasurement<ConfinedCell> measurement) {
    this.measurement = measurement;
    this.results = measurement.results();
    this.factories =
        List.of(Factory.values()).stream()
            .filter(
                factory -> results.stream().anyMatch(result -> result.cell().factory() == factory))
            .toList();
  }

  /** Everything there is to show about these figures. */
  public static Section of(JmhMeasurement<ConfinedCell> measurement) {
    ConfinedSection section = new ConfinedSection(measurement);
    return new Section(
        NAME,
        TITLE,
        section.headline(),
        Json.tree(measurement),
        section.parts(),
        section.findings(),
        measurement.failures());
  }

  /** A section that says why there is nothing to show; nothing has failed. */
  public static Section without(String reason) {
    return Section.without(
        NAME,
        TITLE,
        new JmhMeasurement<>(List.of(), List.of()),
        "Confined arenas were not measured: " + reason);
  }

  private String headline() {
    return ConfinedClaims.comparison(results, Shape.ONE, USUAL_BYTES, false)
        .map(jdk ->
            jdk.isWithinError()
                ? ("With one allocation of %d bytes Arena.ofConfined() and a pooled arena take the"
                        + " same time, within the error.")
                    .formatted(USUAL_BYTES)
                : ("With one allocation of %d bytes Arena.ofConfined() takes %s times as long as a"
                        + " pooled arena.")
                    .formatted(USUAL_BYTES, jdk.times("%.1f")))
        .orElse("");
  }

  private List<String> findings() {
    List<String> findings = new ArrayList<>();
    if (!headline().isEmpty()) {
      findings.add(headline());
    }
    OptionalDouble jdk = ConfinedClaims.meanNanos(results, Factory.JDK);
    OptionalDouble pooled = ConfinedClaims.meanNanos(results, Factory.POOLED);
    boolean areSeveral = ConfinedClaims.meanSizeCount(results) > 1;
    if (areSeveral && jdk.isPresent() && pooled.isPresent()) {
      findings.add(
          Figures.format(
              "The mean of %d sizes from 0 to 64 bytes is %.1f ns with Arena.ofConfined() and %.1f"
                  + " ns with a pooled arena.",
              ConfinedClaims.meanSizeCount(results), jdk.getAsDouble(), pooled.getAsDouble()));
    }
    findings.addAll(Claims.sentence("Confined arenas", ConfinedClaims.of(results)));
    findings.addAll(JmhFigures.noise(results));
    return findings;
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    if (results.isEmpty()) {
      return parts;
    }
    parts.add(new Part.Facts(NAME, "an arena from open to close, by its use"));
    parts.add(
        new Part.Explanation(
            "An arena is opened, gives out memory that is written and read, and is closed. JMH"
                + " measures in many short forks in which the factories take turns; "
                + JmhFigures.ERROR
                + ". A difference within the error of both is shown as ≈ 1; ? stands where an error"
                + " is not known. A figure with an error larger than itself is shown as noise."));
    LineChart.Builder small = builder("Up to 64 bytes", LARGEST_SMALL_BYTES, Factory::label);
    LineChart.Builder all = builder("All sizes", Integer.MAX_VALUE, Factory::label);
    if (!small.isEmpty()) {
      parts.add(small.chart());
    }
    boolean hasLarge =
        results.stream()
            .anyMatch(result ->
                result.cell().shape() == Shape.ONE
                    && result.cell().sizeBytes() > LARGEST_SMALL_BYTES);
    if (hasLarge && !all.isEmpty()) {
      parts.add(all.chart());
    }
    parts.add(table());
    List<Part> contenders = List.of(contenders(), means());
    parts.add(new Part.Group(Part.Layout.MORE_DETAILS, "", "Contenders", contenders));
    parts.addAll(
        Claims.parts(
            "Against Arena.ofConfined(), as claimed for JDK 25 on Linux x86-64",
            ConfinedClaims.of(results)));
    return parts;
  }

  /** A row for each shape, size and kind of thread, the time of each factory in it. */
  private Table table() {
    // Figures that are the same for all factories, with any one of them.
    List<ConfinedCell> rows =
        results.stream().map(result -> result.cell().with(Factory.JDK)).distinct().toList();
    Table.Of<ConfinedCell> table =
        Table.of(rows)
            .column("shape", row -> row.shape().label())
            .column("bytes", row -> Figures.count(row.sizeBytes()))
            .column("thread", ConfinedCell::threadKind);
    for (Factory factory : factories) {
      table.column(
          "ns per arena",
          factory.label(),
          cell(
              factory,
              result -> result.isNoise() ? NOISE : JmhFigures.nanos(result.nanosPerOperation())));
      if (Factory.PAIR.contains(factory)) {
        table.column(
            "ns per arena", "±", cell(factory, result -> JmhFigures.nanos(result.errorNanos())));
      }
    }
    if (factories.containsAll(Factory.PAIR)) {
      table.column("jdk/pooled", this::ratio);
    }
    for (Factory factory : factories) {
      if (Factory.PAIR.contains(factory)) {
        table.column(
            "B/op", factory.label(), cell(factory, r -> JmhFigures.bytes(r.bytesPerOperation())));
      }
    }
    return table.table();
  }

  private Function<ConfinedCell, String> cell(
      Factory factory, Function<JmhResult<ConfinedCell>, String> figure) {
    return row -> measurement.result(row.with(factory)).map(figure).orElse(Figures.NONE);
  }

  private String ratio(ConfinedCell row) {
    return ConfinedClaims.comparison(results, row.shape(), row.sizeBytes(), row.isVirtual())
        .map(jdk -> jdk.times("%.1fx"))
        .orElse(Figures.NONE);
  }

  /** Describes the measurement. */
  private Table contenders() {
    return Table.of(factories)
        .column("name", Factory::label)
        .words("what", Factory::title)
        .words(
            "zeroed",
            factory ->
                switch (factory) {
                  case JDK, POOLED, SLICING, LWJGL, MALLOC -> "yes";
                  case CONTROL -> Figures.NONE;
                })
        .words(
            "in its favour",
            factory ->
                switch (factory) {
                  case POOLED -> "small allocations, one arena at a time";
                  case SLICING -> "no scope ends: what is kept after close shows other data";
                  case LWJGL -> "addresses without bounds or lifetime; strlen by JNI";
                  case CONTROL -> "not an allocator: always the same memory";
                  case JDK, MALLOC -> "none";
                })
        .words(
            "to its disadvantage",
            factory ->
                switch (factory) {
                  case MALLOC ->
                      "a confined arena for the lifetime; two downcalls a block, a clean-up object";
                  case SLICING -> "a stack: arenas must be closed in order; zeroed at allocation";
                  case LWJGL -> "looks its stack up in a thread local; zeroed at allocation";
                  case JDK, POOLED, CONTROL -> "none";
                })
        .table();
  }

  /** The mean over small sizes: of all that the pair has, and of those that all factories have. */
  private Table means() {
    List<Integer> ofPair = commonSmallSizes(Factory.PAIR);
    List<Integer> ofAll = commonSmallSizes(factories);
    return Table.of(factories)
        .column("mean of 0 to 64 bytes, ns", Factory::title)
        .column(
            "%d sizes".formatted(ofPair.size()),
            factory ->
                Factory.PAIR.contains(factory)
                    ? Figures.number(mean(factory, ofPair))
                    : Figures.NONE)
        .column(
            "%d sizes, all factories".formatted(ofAll.size()),
            factory -> Figures.number(mean(factory, ofAll)))
        .table();
  }

  private List<Integer> commonSmallSizes(List<Factory> all) {
    return IntStream.rangeClosed(0, LARGEST_SMALL_BYTES)
        .filter(size -> all.stream().allMatch(factory -> one(factory, size).isPresent()))
        .boxed()
        .toList();
  }

  private double mean(Factory factory, List<Integer> sizes) {
    return sizes.stream()
        .mapToDouble(size -> one(factory, size).orElseThrow().nanosPerOperation())
        .average()
        .orElse(Double.NaN);
  }

  private Optional<JmhResult<ConfinedCell>> one(Factory factory, int sizeBytes) {
    return measurement.result(new ConfinedCell(Shape.ONE, sizeBytes, false, factory));
  }

  /** The time of an arena with one allocation, over small sizes: for documents. */
  public static LineChart picture(JmhMeasurement<ConfinedCell> measurement) {
    return new ConfinedSection(measurement)
        .builder("An arena, open to close", LARGEST_SMALL_BYTES, Factory::title)
        .chart();
  }

  private LineChart.Builder builder(String title, int mostBytes, Function<Factory, String> nameOf) {
    LineChart.Builder chart =
        LineChart.of(title).subtitle("one allocation, platform thread").nanos().xAxis("bytes");
    for (Factory factory : factories) {
      List<JmhResult<ConfinedCell>> points =
          results.stream()
              .filter(result -> result.cell().factory() == factory)
              .filter(result -> result.cell().shape() == Shape.ONE && !result.cell().isVirtual())
              .filter(result -> result.cell().sizeBytes() <= mostBytes)
              .sorted(Comparator.comparingInt(result -> result.cell().sizeBytes()))
              .toList();
      if (points.size() >= FEWEST_POINTS) {
        chart.series(
            nameOf.apply(factory),
            style(factory),
            points,
            point -> point.cell().sizeBytes(),
            JmhResult::nanosPerOperation);
      }
    }
    return chart;
  }

  /** The colours that Arenal, the JDK's arenas and malloc have in the other charts too. */
  private static SeriesStyle style(Factory factory) {
    return switch (factory) {
      case JDK -> SeriesStyle.SIX;
      case POOLED -> SeriesStyle.ONE;
      case MALLOC -> SeriesStyle.THREE_DASHED;
      case SLICING -> SeriesStyle.FOUR_DASHED;
      case LWJGL -> SeriesStyle.FIVE_DASHED;
      case CONTROL -> SeriesStyle.TWO_DOTTED;
    };
  }
}
