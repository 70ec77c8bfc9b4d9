package dev.arenal.lab.report;

import dev.arenal.lab.buffers.BurstClaims;
import dev.arenal.lab.buffers.BurstMeasurement;
import dev.arenal.lab.buffers.BurstPlan;
import dev.arenal.lab.buffers.BurstPoint;
import dev.arenal.lab.buffers.BurstResult;
import dev.arenal.lab.buffers.PeerKind;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.result.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A burst as a section of the report. */
public record BurstSection(BurstMeasurement measurement) {
  private static final String NAME = "burst";

  /** Everything there is to show about these figures. */
  public static Section of(BurstMeasurement measurement) {
    BurstSection section = new BurstSection(measurement);
    List<String> findings = section.findings();
    return new Section(
        NAME,
        "After a burst of buffers",
        BurstClaims.of(measurement).isEmpty() ? "" : findings.getFirst(),
        Json.tree(measurement),
        section.parts(),
        findings,
        measurement.failures());
  }

  private List<String> findings() {
    List<String> findings = new ArrayList<>();
    for (boolean hasSurvivors : measurement.plan().survivors()) {
      for (int threadCount : measurement.plan().threads()) {
        measurement
            .ours(threadCount, hasSurvivors)
            .ifPresent(arenal -> findings.add(finding(arenal)));
      }
    }
    findings.addAll(BurstClaims.rivals(measurement));
    findings.addAll(Claims.sentence("Burst", BurstClaims.of(measurement)));
    return findings;
  }

  private String finding(BurstResult arenal) {
    String others =
        measurement.of(arenal.threadCount(), arenal.hasSurvivors()).stream()
            .filter(result -> !result.kind().isArenal())
            .map(result -> idleShare(result) + " (" + result.kind().label() + ")")
            .collect(Collectors.joining(", "));
    return ("After a burst of %s by %s%s PageAllocator with a delay of %s keeps %s of it when"
            + " idle%s%s.")
        .formatted(
            Figures.size(measurement.plan().burstBytes()),
            Figures.threads(arenal.threadCount()),
            arenal.hasSurvivors() ? ", beside a live buffer in each megabyte," : "",
            PeerWords.delay(delay(arenal)),
            idleShare(arenal),
            byDefault(arenal),
            others.isEmpty() ? "" : "; the others keep " + others);
  }

  /** The effect of our default delay, which is longer than a run waits. */
  private String byDefault(BurstResult arenal) {
    return measurement
        .find(PeerKind.ARENAL, arenal.threadCount(), arenal.hasSurvivors())
        .map(result ->
            (result.kind() == arenal.kind()
                    ? ""
                    : ", with its default of %s %s"
                        .formatted(PeerWords.delay(delay(result)), idleShare(result)))
                + (result.trimmedBytes() == null
                    ? ""
                    : ", of which trim() leaves " + share(result.trimmedBytes(), result)))
        .orElse("");
  }

  private String share(long residentBytes, BurstResult result) {
    long keptBytes = Math.max(0, residentBytes - result.survivorBytes());
    return Figures.tenths((double) keptBytes / measurement.plan().burstBytes());
  }

  /** Old results tell the short one in their plan alone. */
  private @Nullable Duration delay(BurstResult result) {
    return result.delay() == null && result.kind() == PeerKind.ARENAL_SHORT
        ? measurement.plan().uncommitDelay()
        : result.delay();
  }

  /** Resident bytes at the end beyond the live bytes, as a share of the burst. */
  private String idleShare(BurstResult result) {
    return Figures.tenths(result.idleShare(measurement.plan().burstBytes()));
  }

  /** Of all runs. */
  private String spread(BurstResult result) {
    long burstBytes = measurement.plan().burstBytes();
    return "%s to %s"
        .formatted(
            Figures.tenths(result.leastIdleShare(burstBytes)),
            Figures.tenths(result.mostIdleShare(burstBytes)));
  }

  private List<Part> parts() {
    BurstPlan plan = measurement.plan();
    List<Part> parts = new ArrayList<>();
    if (!measurement.results().isEmpty()) {
      parts.add(
          new Part.Facts(
              NAME,
              "%s of buffers allocated and freed, then %s idle; the short delay is %s"
                  .formatted(
                      Figures.size(plan.burstBytes()),
                      PeerWords.delay(plan.idle()),
                      PeerWords.delay(plan.uncommitDelay()))));
    }
    parts.add(
        new Part.Explanation(
            "Each row is a process of its own. Every OS page of a buffer is written. Threads stay"
                + " alive and do nothing after they have freed their buffers. arenal-short,"
                + " malloc-trim and jemalloc-decay are told to give memory back after the same"
                + " short delay; the others have their defaults. Arenal's is five minutes: it"
                + " keeps its memory until then, unless trim() is called. Resident is what the"
                + " kernel counts, minus its value before. Memory that the JVM's compilers took"
                + " and freed meanwhile, some 10 MiB, is given back before the last count where"
                + " the allocator takes nothing from the C library (Arenal, mimalloc); in the"
                + " other rows it counts."));
    plan.notes().forEach(note -> parts.add(new Part.SmallPrint(note + ".")));
    if (measurement.results().isEmpty()) {
      return parts;
    }
    for (int threadCount : plan.threads()) {
      for (boolean hasSurvivors : plan.survivors()) {
        List<BurstResult> results = measurement.of(threadCount, hasSurvivors);
        if (!results.isEmpty()) {
          parts.add(chart(results));
        }
      }
    }
    parts.add(table());
    parts.add(
        new Part.SmallPrint(
            "Freed: when the last buffer had just been freed. Idle: at the end. Idle beside"
                + " survivors: without what is live, as a share of the burst. Asked back: after"
                + " the allocator's own call for that at the end, where it has one. "
                + PeerWords.EXPLANATION
                + " Here several processes run at a time, so that p99.9 depends on the scheduler,"
                + " too; churn compares allocators by it."));
    if (plan.runCount() > 1) {
      parts.add(
          new Part.SmallPrint(
              ("%d runs of each allocator, by turns. The row and its curve show the run with the"
                      + " median resident size at the end; least to most is of all runs, and claims"
                      + " hold for all of them.")
                  .formatted(plan.runCount())));
    }
    parts.addAll(Claims.parts("Claims", BurstClaims.of(measurement)));
    return parts;
  }

  /** A row for each number of threads, with and without survivors, and allocator. */
  private Table table() {
    Table.Of<BurstResult> table =
        Table.of(measurement.results())
            .column("allocator", result -> result.kind().label())
            .column("zeroes", PeerWords::zeroes)
            .column("delay", result -> PeerWords.delay(delay(result)))
            .column("threads", result -> Figures.count(result.threadCount()))
            .column(
                "MiB",
                "survivors",
                result ->
                    Figures.wholeMebibytes(result.hasSurvivors() ? result.survivorBytes() : null))
            .column("MiB resident", "peak", r -> Figures.wholeMebibytes(r.peakResidentBytes()))
            .column("MiB resident", "freed", r -> Figures.wholeMebibytes(r.freedResidentBytes()))
            .column("MiB resident", "idle", r -> Figures.wholeMebibytes(r.idleResidentBytes()))
            .column("MiB resident", "asked back", r -> Figures.wholeMebibytes(r.trimmedBytes()))
            .column("idle beside survivors", this::idleShare);
    if (measurement.plan().runCount() > 1) {
      table = table.column("idle: least to most", this::spread);
    }
    return table.column("ns per allocation: p99.9", PeerWords::p999).table();
  }

  private LineChart chart(List<BurstResult> results) {
    BurstResult first = results.getFirst();
    LineChart.Builder chart =
        LineChart.of(
                first.hasSurvivors() ? "A burst that leaves survivors" : "A burst, all of it freed")
            .subtitle("resident, " + Figures.threads(first.threadCount()))
            .xAxis("s")
            .group(NAME)
            // Charts that are compared share a scale.
            .scaleUpToBytes(
                measurement.results().stream()
                    .mapToLong(BurstResult::peakResidentBytes)
                    .max()
                    .orElse(0));
    if (first.hasSurvivors()) {
      double[] xs = {0, first.points().getLast().seconds()};
      double[] live = {(double) first.survivorBytes(), (double) first.survivorBytes()};
      chart.series("survivors", SeriesStyle.USED_AREA, xs, live);
    }
    for (BurstResult result : results) {
      chart.series(
          result.kind().label(),
          AllocatorStyle.of(result.kind()),
          result.points(),
          BurstPoint::seconds,
          BurstPoint::residentBytes);
    }
    return chart.chart();
  }
}
