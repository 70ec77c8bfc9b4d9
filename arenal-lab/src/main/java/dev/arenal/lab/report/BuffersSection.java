package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jmh.JmhResult;
import dev.arenal.lab.result.Json;
import dev.arenal.lab.roundtrip.BufferAllocator;
import dev.arenal.lab.roundtrip.BufferCell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Measurements of buffers, one at a time, as a section of the report. */
public record BuffersSection(JmhMeasurement<BufferCell> measurement, List<String> notes) {
  private static final String NAME = "buffers";
  private static final String TITLE = "One buffer at a time";

  /** The buffer that the first sentences are about. */
  private static final int USUAL_BYTES = 256;

  private static final int USUAL_THREADS = 2;

  /** Larger ones are all touching, and would leave no room for the others. */
  private static final int LARGEST_DRAWN_BYTES = 64 << 10;

  /** A line through one point is none. */
  private static final int FEWEST_POINTS = 2;

  /**
   * Everything there is to show about these figures.
   *
   * @param notes what is left out, and why
   */
  public static Section of(JmhMeasurement<BufferCell> measurement, List<String> notes) {
    BuffersSection section = new BuffersSection(measurement, notes);
    List<String> findings = section.findings();
    return new Section(
        NAME,
        TITLE,
        section.sentence(false).orElse(""),
        Json.tree(measurement),
        section.parts(),
        findings,
        measurement.failures());
  }

  /** A section that says why there is nothing to show; nothing has failed. */
  public static Section without(String reason) {
    return Section.without(
        NAME,
        TITLE,
        new JmhMeasurement<BufferCell>(List.of(), List.of()),
        "Single buffers were not measured: " + reason);
  }

  private List<BufferAllocator> allocators() {
    return measurement.results().stream()
        .map(result -> result.cell().allocator())
        .distinct()
        .sorted()
        .toList();
  }

  private List<String> findings() {
    List<String> findings = new ArrayList<>();
    sentence(false).ifPresent(findings::add);
    sentence(true).ifPresent(findings::add);
    findings.addAll(JmhFigures.noise(measurement.results()));
    return findings;
  }

  /** Ours beside the fastest and the slowest of the peers that do not zero either. */
  private Optional<String> sentence(boolean isHandedOver) {
    BufferCell ours =
        new BufferCell(BufferAllocator.ARENAL, USUAL_BYTES, USUAL_THREADS, isHandedOver);
    List<JmhResult<BufferCell>> peers =
        allocators().stream()
            .filter(allocator -> allocator.isPeer() && !allocator.isZeroing())
            .flatMap(allocator -> measurement.result(ours.with(allocator)).stream())
            .sorted(Comparator.comparingDouble(JmhResult::nanosPerOperation))
            .toList();
    return measurement
        .result(ours)
        .map(result -> {
          String zeroed =
              measurement
                  .result(ours.with(BufferAllocator.ARENAL_ZEROED))
                  .map(other -> " (zeroed: " + nanos(other) + ")")
                  .orElse("");
          String others =
              peers.isEmpty()
                  ? ""
                  : "; of the others that do not zero, %s is the fastest with %s, %s the slowest"
                          .formatted(
                              label(peers.getFirst()),
                              nanos(peers.getFirst()),
                              label(peers.getLast()))
                      + " with "
                      + nanos(peers.getLast());
          return "A buffer of %s on %s, %s, takes PageAllocator %s%s%s."
              .formatted(
                  Figures.size(USUAL_BYTES),
                  Figures.threads(USUAL_THREADS),
                  freedBy(isHandedOver),
                  nanos(result),
                  zeroed,
                  others);
        });
  }

  private static String label(JmhResult<BufferCell> result) {
    return result.cell().allocator().label();
  }

  private static String nanos(JmhResult<BufferCell> result) {
    return Figures.number(result.nanosPerOperation()) + " ns" + noise(result);
  }

  private static String noise(JmhResult<BufferCell> result) {
    return result.isNoise() ? " (noise)" : "";
  }

  private static String freedBy(boolean isHandedOver) {
    return isHandedOver ? "freed by another thread" : "freed by the same thread";
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    if (measurement.results().isEmpty()) {
      return parts;
    }
    parts.add(
        new Part.Facts(
            NAME, "one buffer from allocation to free, with each of its OS pages" + " touched"));
    parts.add(
        new Part.Explanation(
            "Threads share one allocator. A buffer is allocated, one word in each OS page of it is"
                + " written, and it is freed: by the same thread, or by the next thread in a ring,"
                + " which gets it through a queue. A time is the number of threads divided by the"
                + " buffers per second of all threads. JMH measures in rounds in which the"
                + " allocators take turns, all sizes of an allocator in one JVM (until 2026-11-25"
                + " each size in another); "
                + JmhFigures.ERROR
                + ", the largest part of its figure in each row. A figure with an error larger than"
                + " itself is marked as noise."));
    List<BufferCell> loads =
        measurement.results().stream().map(result -> load(result.cell(), 0)).distinct().toList();
    List<LineChart> charts = loads.stream().flatMap(load -> chart(load).stream()).toList();
    if (!charts.isEmpty()) {
      parts.add(new Part.Group(Part.Layout.GRID, "", "", charts));
    }
    for (BufferCell load : loads) {
      parts.add(
          new Part.Heading(
              Figures.threads(load.threadCount()) + ", " + freedBy(load.isHandedOver())));
      parts.add(table(load));
    }
    parts.add(new Part.Group(Part.Layout.MORE_DETAILS, "", "Contenders", List.of(contenders())));
    notes.forEach(note -> parts.add(new Part.SmallPrint(note + ".")));
    return parts;
  }

  /** The part of a cell that is the same for all allocators. */
  private static BufferCell load(BufferCell cell, int sizeBytes) {
    return new BufferCell(
        BufferAllocator.CONTROL, sizeBytes, cell.threadCount(), cell.isHandedOver());
  }

  /** A row for each allocator, the time of each size in it. */
  private Table table(BufferCell load) {
    List<Integer> sizes =
        measurement.results().stream()
            .map(JmhResult::cell)
            .filter(cell -> load(cell, 0).equals(load))
            .map(BufferCell::sizeBytes)
            .distinct()
            .sorted()
            .toList();
    List<BufferAllocator> rows =
        allocators().stream().filter(allocator -> !of(load, allocator).isEmpty()).toList();
    Table.Of<BufferAllocator> table =
        Table.of(rows).column("allocator", BufferAllocator::label).words("zeroed", this::isZeroed);
    for (int sizeBytes : sizes) {
      table.column(
          "ns per buffer",
          Figures.size(sizeBytes),
          allocator ->
              measurement
                  .result(load(load, sizeBytes).with(allocator))
                  .map(result -> JmhFigures.nanos(result.nanosPerOperation()) + noise(result))
                  .orElse(Figures.NONE));
    }
    return table
        .column(
            "at most",
            "±",
            allocator ->
                Figures.percent(
                    most(
                        load,
                        allocator,
                        result -> {
                          Double error = result.errorNanos();
                          return error == null ? null : error / result.nanosPerOperation();
                        })))
        .column(
            "at most",
            "B/op",
            allocator -> JmhFigures.bytes(most(load, allocator, JmhResult::bytesPerOperation)))
        .table();
  }

  private String isZeroed(BufferAllocator allocator) {
    if (allocator == BufferAllocator.CONTROL) {
      return Figures.NONE;
    }
    return allocator.isZeroing() ? "yes" : "no";
  }

  private @Nullable Double most(
      BufferCell load,
      BufferAllocator allocator,
      Function<JmhResult<BufferCell>, @Nullable Double> figure) {
    return of(load, allocator).stream()
        .map(figure)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  /** The results of an allocator under one load, by size. */
  private List<JmhResult<BufferCell>> of(BufferCell load, BufferAllocator allocator) {
    return measurement.results().stream()
        .filter(result -> result.cell().allocator() == allocator)
        .filter(result -> load(result.cell(), 0).equals(load))
        .sorted(Comparator.comparingInt(result -> result.cell().sizeBytes()))
        .toList();
  }

  /** Without shared arenas: they take so long that the others would lie on the axis. */
  private Optional<LineChart> chart(BufferCell load) {
    LineChart.Builder chart =
        LineChart.of("Up to " + Figures.size(LARGEST_DRAWN_BYTES) + ", without jdk-shared")
            .subtitle(Figures.threads(load.threadCount()) + ", " + freedBy(load.isHandedOver()))
            .nanos()
            .xAxis("bytes");
    for (BufferAllocator allocator : allocators()) {
      List<JmhResult<BufferCell>> points =
          of(load, allocator).stream()
              .filter(result -> result.cell().sizeBytes() <= LARGEST_DRAWN_BYTES)
              .toList();
      if (allocator != BufferAllocator.JDK_SHARED && points.size() >= FEWEST_POINTS) {
        chart.series(
            allocator.label(),
            AllocatorStyle.of(allocator),
            points,
            point -> point.cell().sizeBytes(),
            JmhResult::nanosPerOperation);
      }
    }
    return chart.isEmpty() ? Optional.empty() : Optional.of(chart.chart());
  }

  /** A row for each allocator: its name, and the conditions that it has for itself. */
  private Table contenders() {
    return Table.of(allocators())
        .column("name", BufferAllocator::label)
        .words("what", BufferAllocator::title)
        .words("zeroed", this::isZeroed)
        .words(
            "in its favour",
            allocator ->
                switch (allocator) {
                  case NETTY_ADAPTIVE, NETTY_POOLED ->
                      "caches of a thread; buffers are recycled objects";
                  case MALLOC, JEMALLOC, MIMALLOC ->
                      "addresses are numbers, without bounds or lifetime";
                  case CONTROL -> "not an allocator: always the same memory";
                  case ARENAL, ARENAL_ZEROED, JDK_SHARED -> "none";
                })
        .words(
            "to its disadvantage",
            allocator ->
                switch (allocator) {
                  case ARENAL, ARENAL_ZEROED ->
                      "segments are checked; a handle and its segment are objects each time";
                  case NETTY_ADAPTIVE, NETTY_POOLED -> "reference counts, checked indices";
                  case MALLOC, JEMALLOC, MIMALLOC ->
                      "a downcall each way; handed over in an object";
                  case JDK_SHARED -> "its close asks all threads";
                  case CONTROL -> "none";
                })
        .table();
  }
}
