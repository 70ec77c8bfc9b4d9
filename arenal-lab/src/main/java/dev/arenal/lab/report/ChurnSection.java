package dev.arenal.lab.report;

import dev.arenal.lab.buffers.ChurnClaims;
import dev.arenal.lab.buffers.ChurnMeasurement;
import dev.arenal.lab.buffers.ChurnPlan;
import dev.arenal.lab.buffers.ChurnPoint;
import dev.arenal.lab.buffers.ChurnResult;
import dev.arenal.lab.buffers.PeerKind;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.result.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A churn as a section of the report. */
public record ChurnSection(ChurnMeasurement measurement) {
  private static final String NAME = "churn";
  private static final double MILLION = 1e6;

  /** Everything there is to show about these figures. */
  public static Section of(ChurnMeasurement measurement) {
    ChurnSection section = new ChurnSection(measurement);
    return new Section(
        NAME,
        "Churn of buffers",
        section.headline(),
        Json.tree(measurement),
        section.parts(),
        section.findings(),
        measurement.failures());
  }

  /** Of the largest number of threads, which is the hardest. */
  private String headline() {
    int threadCount = measurement.plan().threads().stream().max(Integer::compare).orElse(1);
    Optional<ChurnResult> arenal = measurement.find(PeerKind.ARENAL, threadCount);
    String others =
        measurement.of(threadCount).stream()
            .filter(result -> !result.kind().isArenal())
            .map(result ->
                Figures.ratio(result.residentPerLive()) + " (" + result.kind().label() + ")")
            .collect(Collectors.joining(", "));
    return arenal.isEmpty() || others.isEmpty()
        ? ""
        : ("While random buffers replace each other, %s, PageAllocator keeps %s bytes for each that"
                + " is live; the others keep %s.")
            .formatted(
                Figures.threads(threadCount),
                Figures.ratio(arenal.get().residentPerLive()),
                others);
  }

  private List<String> findings() {
    List<String> findings = new ArrayList<>();
    for (int threadCount : measurement.plan().threads()) {
      measurement
          .find(PeerKind.ARENAL, threadCount)
          .ifPresent(arenal -> findings.add(finding(arenal)));
    }
    findings.addAll(ChurnClaims.rivals(measurement));
    findings.addAll(Claims.sentence("Churn", ChurnClaims.of(measurement)));
    return findings;
  }

  private String finding(ChurnResult arenal) {
    int threadCount = arenal.threadCount();
    String harness =
        measurement
            .control(threadCount)
            .map(control -> ", of which %s are the harness".formatted(nanos(control)))
            .orElse("");
    String netty =
        ChurnClaims.bestNetty(measurement, threadCount)
            .map(best ->
                "; %s %s and %s ns"
                    .formatted(
                        best.kind().label(),
                        Figures.ratio(best.mostResidentPerLive()),
                        nanos(best)))
            .orElse("");
    String heaps =
        measurement.of(threadCount).stream()
            .filter(result -> result.kind().heap() != null)
            .min(Comparator.comparingDouble(ChurnResult::mostResidentPerLive))
            .map(heap ->
                "; of the heaps %s keeps least, %s, and takes %s ns"
                    .formatted(
                        heap.kind().label(),
                        Figures.ratio(heap.mostResidentPerLive()),
                        nanos(heap)))
            .orElse("");
    return "Churn, %s: PageAllocator %s resident over live at most, %s ns an operation%s%s%s."
        .formatted(
            Figures.threads(threadCount),
            Figures.ratio(arenal.mostResidentPerLive()),
            nanos(arenal),
            harness,
            netty,
            heaps);
  }

  private static String nanos(ChurnResult result) {
    return Figures.format("%,.0f", result.nanosPerOperation());
  }

  private List<Part> parts() {
    ChurnPlan plan = measurement.plan();
    List<Part> parts = new ArrayList<>();
    if (!measurement.results().isEmpty()) {
      parts.add(
          new Part.Facts(
              NAME,
              "%s random buffers replaced in each row, %s MiB live, sizes %s to %s around %s"
                  .formatted(
                      Figures.count(plan.operationCount()),
                      Figures.mebibytes(plan.liveBytes()),
                      Figures.size(plan.sizes().leastBytes()),
                      Figures.size(plan.sizes().mostBytes()),
                      Figures.size(plan.sizes().medianBytes()))));
    }
    parts.add(
        new Part.Explanation(
            "Each run is a process of its own; before an operation random live buffers are freed"
                + " until there is room for the next, a third of them by another thread. Every OS"
                + " page of a buffer is written, and marks at both ends are checked before it is"
                + " freed. Resident is what the kernel counts, without the JVM. Times are those of"
                + " the whole process: the time of all operations divided by their number."));
    if (plan.runCount() > 1) {
      parts.add(
          new Part.SmallPrint(
              ("%d runs of each allocator, by turns. The row and its curve show the run with the"
                   + " median time; least and most are times of whole runs, and resident over live,"
                   + " highest, is of all runs. An allocator of which a run failed has no row.")
                  .formatted(plan.runCount())));
    }
    plan.notes().forEach(note -> parts.add(new Part.SmallPrint(note + ".")));
    if (measurement.results().isEmpty()) {
      return parts;
    }
    for (int threadCount : plan.threads()) {
      List<ChurnResult> results = measurement.of(threadCount);
      if (!results.isEmpty()) {
        parts.add(chart(results));
      }
    }
    parts.add(table());
    parts.add(
        new Part.SmallPrint(
            "none: the harness alone, writing into memory that is there. Growth: the last quarter"
                + " of the way against the second. Kept: of the resident size, when every buffer"
                + " had been freed; asked back: after the allocator's own call for that, where it"
                + " has one. A line there and back: the time of a cache line from one processor to"
                + " another and back, just before and after the run; a host that moves virtual"
                + " processors between its cores changes it from second to second. "
                + PeerWords.EXPLANATION));
    measurement.results().stream()
        .map(ChurnResult::compilerMillis)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .ifPresent(most -> parts.add(new Part.SmallPrint(compilers(most))));
    parts.addAll(Claims.parts("Claims", ChurnClaims.of(measurement)));
    return parts;
  }

  private static String compilers(long mostMillis) {
    return ("Memory that the JVM's compilers take during a run counts as the allocator's. So each"
            + " process first repeats the load on a smaller scale until its compilers are at rest,"
            + " for eight seconds at most; within the runs shown they took %s ms at most.")
        .formatted(Figures.count(mostMillis));
  }

  /** A row for each number of threads and allocator, the harness alone as the last. */
  private Table table() {
    List<ChurnResult> rows =
        measurement.plan().threads().stream()
            .flatMap(count ->
                Stream.concat(measurement.of(count).stream(), measurement.control(count).stream()))
            .toList();
    Table.Of<ChurnResult> table =
        Table.of(rows)
            .column("allocator", result -> result.kind().label())
            .column("zeroes", memory(PeerWords::zeroes))
            .column("delay", memory(result -> PeerWords.delay(result.delay())))
            .column("threads", result -> Figures.count(result.threadCount()))
            .column("ns per operation", "all", ChurnSection::nanos);
    if (measurement.plan().runCount() > 1) {
      table = table.column("ns per operation", "least to most", ChurnSection::spread);
    }
    return table
        .column(
            "ns per operation",
            "median slice",
            result -> Figures.format("%,.0f", result.medianNanosPerOperation()))
        .column("ns per allocation", "p99.9", PeerWords::p999)
        .column("M op/s", result -> Figures.ratio(result.operationsPerSecond() / MILLION))
        .column("MiB at the end", "live", memory(r -> Figures.wholeMebibytes(r.liveBytes())))
        .column(
            "MiB at the end", "resident", memory(r -> Figures.wholeMebibytes(r.residentBytes())))
        .column(
            "resident over live", "highest", memory(r -> Figures.ratio(r.mostResidentPerLive())))
        .column("resident over live", "end", memory(r -> Figures.ratio(r.residentPerLive())))
        .column(
            "resident over live",
            "growth",
            memory(r -> Figures.format("%+.1f %%", ChurnClaims.growth(r) * 100)))
        .column("all freed", "kept", memory(r -> share(r, r.keptBytes())))
        .column("all freed", "asked back", memory(r -> share(r, r.trimmedBytes())))
        .column(
            "freed by others",
            r -> Figures.percent(r.threadCount() == 1 ? null : r.freedForOthers()))
        .column("ns of a line there and back", ChurnSection::roundTrip)
        .table();
  }

  private static String roundTrip(ChurnResult result) {
    Double nanos = result.roundTripNanos();
    return nanos == null ? Figures.NONE : Figures.format("%,.0f", nanos);
  }

  private static String spread(ChurnResult result) {
    return result.runs().isEmpty()
        ? Figures.NONE
        : Figures.format(
            "%,.0f to %,.0f", result.leastNanosPerOperation(), result.mostNanosPerOperation());
  }

  /** The memory of the harness is no allocator's. */
  private static Function<ChurnResult, String> memory(Function<ChurnResult, String> figure) {
    return result -> result.kind() == PeerKind.NONE ? Figures.NONE : figure.apply(result);
  }

  private static String share(ChurnResult result, @Nullable Long bytes) {
    return Figures.percent(
        bytes == null ? null : (double) bytes / Math.max(1, result.residentBytes()));
  }

  private LineChart chart(List<ChurnResult> results) {
    LineChart.Builder chart =
        LineChart.of("Resident while buffers are replaced")
            .subtitle(Figures.threads(results.getFirst().threadCount()))
            .xAxis("operations")
            .group(NAME)
            // Charts that are compared share a scale.
            .scaleUpToBytes(
                measurement.results().stream()
                    .flatMap(result -> result.points().stream())
                    .mapToLong(ChurnPoint::residentBytes)
                    .max()
                    .orElse(0))
            .series(
                "live",
                SeriesStyle.USED_AREA,
                results.getFirst().points(),
                ChurnPoint::operation,
                ChurnPoint::liveBytes);
    for (ChurnResult result : results) {
      chart.series(
          result.kind().label(),
          AllocatorStyle.of(result.kind()),
          result.points(),
          ChurnPoint::operation,
          ChurnPoint::residentBytes);
    }
    return chart.chart();
  }
}
