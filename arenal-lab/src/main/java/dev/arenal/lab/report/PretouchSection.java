package dev.arenal.lab.report;

import dev.arenal.lab.figure.BarChart;
import dev.arenal.lab.figure.BarChart.Bar;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.pretouch.Collector;
import dev.arenal.lab.pretouch.PretouchClaims;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.PretouchPlan;
import dev.arenal.lab.pretouch.PretouchResult;
import dev.arenal.lab.pretouch.PretouchSubject.Kind;
import dev.arenal.lab.pretouch.Refusal;
import dev.arenal.lab.result.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Pretouches as a section of the report. */
public record PretouchSection(PretouchMeasurement measurement) {
  private static final String NAME = "pretouch";
  private static final long LARGE_BYTES = 64 * PretouchPlan.GIB;
  private static final List<Long> OTHER_SIZES =
      List.of(8 * PretouchPlan.GIB, LARGE_BYTES, 256 * PretouchPlan.GIB);
  private static final double GIB = 1 << 30;

  /** Everything there is to show about these figures. */
  public static Section of(PretouchMeasurement measurement) {
    PretouchSection section = new PretouchSection(measurement);
    return new Section(
        NAME,
        "Memory at the start",
        section.headline().orElse(""),
        Json.tree(measurement),
        section.parts(),
        section.findings(),
        measurement.failures());
  }

  private List<PretouchResult> largest() {
    return measurement.of(measurement.largestBytes());
  }

  private String largestSize() {
    return PretouchPlan.sizeText(measurement.largestBytes());
  }

  private List<String> findings() {
    List<String> findings = new ArrayList<>();
    if (measurement.results().isEmpty()) {
      findings.add("Pretouch was not measured: no size fits into the memory there is.");
    }
    headline().ifPresent(findings::add);
    fastest()
        .map(fastest -> {
          double factor = (double) LARGE_BYTES / measurement.largestBytes();
          return "%s would take %s s (G1), %s s (Arenal) and %s s (Arenal, huge pages)."
              .formatted(
                  PretouchPlan.sizeText(LARGE_BYTES),
                  seconds(fastest.g1Seconds() * factor),
                  seconds(fastest.small().wallSeconds() * factor),
                  seconds(fastest.huge().wallSeconds() * factor));
        })
        .ifPresent(findings::add);
    if (measurement.refusal() != null) {
      findings.add(sentence(measurement.refusal()));
    }
    findings.addAll(Claims.sentence("Pretouch", PretouchClaims.of(measurement)));
    return findings;
  }

  /** The compared figures: the time that G1 adds to its start, and the fastest ways of Arenal. */
  private record Fastest(double g1Seconds, PretouchResult small, PretouchResult huge) {}

  private Optional<Fastest> fastest() {
    Optional<Double> g1 = PretouchClaims.g1(measurement, false).map(PretouchResult::touchSeconds);
    Optional<PretouchResult> small = PretouchClaims.fastest(measurement, Kind.ARENAL, false);
    Optional<PretouchResult> huge = PretouchClaims.fastest(measurement, Kind.ARENAL, true);
    return g1.isEmpty() || small.isEmpty() || huge.isEmpty()
        ? Optional.empty()
        : Optional.of(new Fastest(g1.get(), small.get(), huge.get()));
  }

  private Optional<String> headline() {
    String bound =
        PretouchClaims.fastest(measurement, Kind.KERNEL, false)
            .map(result ->
                "; a loop in C that does nothing else takes %s s"
                    .formatted(seconds(result.wallSeconds())))
            .orElse("");
    return fastest()
        .map(fastest ->
            "AlwaysPreTouch lets G1 start %s s later with %s; Arenal has as much memory resident in"
                    .formatted(seconds(fastest.g1Seconds()), largestSize())
                + " %s s, with huge pages in %s s%s."
                    .formatted(
                        seconds(fastest.small().wallSeconds()),
                        seconds(fastest.huge().wallSeconds()),
                        bound));
  }

  private static String sentence(Refusal refusal) {
    String asked = Figures.format("%.1f GiB", refusal.askedBytes() / GIB);
    if (refusal.message().isEmpty()) {
      return "Asked for %s, twice what is available, Arenal did not refuse.".formatted(asked);
    }
    String killed =
        refusal.isRefused()
            ? ""
            : "; the kernel has ended processes for lack of memory meanwhile: "
                + refusal.killedCount();
    return Figures.format(
        "Asked for %s, twice what is available, Arenal refuses after %.1f ms%s; to reserve the"
            + " addresses, its first use there, had taken %.0f ms.",
        asked, refusal.millis(), killed, refusal.firstUseMillis());
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    if (!measurement.results().isEmpty()) {
      parts.add(new Part.Facts(NAME, what()));
      parts.add(
          new Part.Explanation(
              "A heap with equal -Xms and -Xmx is committed at the start, but not resident:"
                  + " the machine may not have the memory. AlwaysPreTouch touches every page at the"
                  + " start, Arenal does the same for memory outside the heap. Each run is a"
                  + " separate process, and subjects take turns. Immediately before each run"
                  + " another process touches as much memory and ends, because a virtual machine"
                  + " may have given free memory to its host, and the next process would pay for"
                  + " getting it back."));
    }
    measurement.notes().forEach(note -> parts.add(new Part.SmallPrint(note)));
    if (!measurement.results().isEmpty()) {
      parts.add(bars());
      for (long sizeBytes : sizes()) {
        String size = PretouchPlan.sizeText(sizeBytes);
        parts.add(new Part.Heading(size + ". JVMs: from their start until main() runs"));
        parts.add(jvms(sizeBytes));
        parts.add(
            new Part.Heading(size + ". Without a JVM's start: until the last page was touched"));
        parts.add(others(sizeBytes));
      }
      parts.add(
          new Part.Heading(
              "How long touching takes at other sizes, in proportion to that of %s here, in seconds"
                  .formatted(largestSize())));
      parts.add(forecast());
      parts.add(
          new Part.SmallPrint(
              "Spread: from the fastest run to the slowest one, over the median. Added: longer"
                  + " than the same JVM without AlwaysPreTouch. ±: half of the 99 % confidence"
                  + " interval of the median, of what is added or of the wall time; fewer than"
                  + " eight runs have none. User and system: processor time of"
                  + " all threads in the time before them. First use: the time that a program pays"
                  + " once for the library. It is not part of the other times, as the JVM's own"
                  + " start is not part of the time that AlwaysPreTouch adds. Populate:"
                  + " MADV_POPULATE_WRITE. Clear: zeros written into resident pages, the work that"
                  + " no kernel can avoid."));
    }
    parts.addAll(Claims.parts("Claims", PretouchClaims.of(measurement)));
    Refusal refusal = measurement.refusal();
    if (refusal != null && !refusal.message().isEmpty()) {
      Part message = new Part.Listing("The message of the refusal", "", refusal.message());
      parts.add(new Part.Group(Part.Layout.MORE_DETAILS, "", "The refusal", List.of(message)));
    }
    return parts;
  }

  private List<Long> sizes() {
    return measurement.results().stream()
        .map(PretouchResult::sizeBytes)
        .distinct()
        .sorted()
        .toList();
  }

  /** The setup, in a few words. */
  private String what() {
    PretouchPlan plan = measurement.plan();
    String others =
        plan.otherRunCount() == plan.runCount() || plan.otherRunCount() == 0
            ? ""
            : ", of subjects without a claim " + plan.otherRunCount();
    String runs =
        plan.runCount() == 1 ? "one run of each" : "medians of %d runs".formatted(plan.runCount());
    return "%s, all threads are %d; %s, with huge pages %d%s"
        .formatted(
            sizes().stream().map(PretouchPlan::sizeText).collect(Collectors.joining(" and ")),
            plan.threadCount(),
            runs,
            plan.hugeRunCount(),
            others);
  }

  /** The cost of touching in one look. */
  private BarChart bars() {
    List<Bar> bars =
        largest().stream()
            .filter(result -> result.touchSeconds() != null)
            .map(result ->
                new Bar(
                    result.subject().label(),
                    style(result),
                    result.subject().hugePages(),
                    perGib(result),
                    Figures.format("%.3f", perGib(result))))
            .toList();
    double longest = bars.stream().mapToDouble(Bar::figure).max().orElse(0);
    return new BarChart(
        "Seconds per GiB",
        "of touching, measured with %s; for a JVM, the time by which it starts later"
            .formatted(largestSize()),
        "",
        Math.max(longest, Double.MIN_NORMAL),
        0,
        "Hatched: with transparent huge pages requested.",
        longest > 0 ? bars : List.of());
  }

  private static double perGib(PretouchResult result) {
    return Objects.requireNonNullElse(result.touchSeconds(), 0.0) / result.gibibytes();
  }

  /** Arenal as in all charts of the report. */
  private static SeriesStyle style(PretouchResult result) {
    return switch (result.subject().collector()) {
      case SERIAL -> SeriesStyle.THREE;
      case PARALLEL -> SeriesStyle.FOUR;
      case G1 -> SeriesStyle.TWO;
      case ZGC -> SeriesStyle.FIVE;
      case null -> result.subject().kind() == Kind.ARENAL ? SeriesStyle.ONE : SeriesStyle.SIX;
    };
  }

  /** A row for each JVM, collector, with and without the touching, and with huge pages. */
  private Table jvms(long sizeBytes) {
    return Table.of(rows(sizeBytes, true))
        .column("JVM", result -> result.subject().jvm() + " " + collector(result))
        .column("AlwaysPreTouch", result -> yes(result.subject().pretouch()))
        .column("huge pages", result -> yes(result.subject().hugePages()))
        .column(
            "MiB, as main() sees it",
            "free memory",
            result -> Figures.wholeMebibytes(result.freeBytes()))
        .column("MiB, as main() sees it", "heap", r -> Figures.wholeMebibytes(r.heapBytes()))
        .column("seconds", "start", result -> seconds(result.wallSeconds()))
        .column("seconds", "spread", PretouchSection::spread)
        .column("seconds", "user", result -> seconds(result.userSeconds()))
        .column("seconds", "system", result -> seconds(result.systemSeconds()))
        .column("seconds", "added", r -> withError(r.touchSeconds(), r.touchErrorSeconds()))
        .column("seconds", "to its end", result -> seconds(result.totalSeconds()))
        .column("MiB", "resident", result -> Figures.wholeMebibytes(result.residentBytes()))
        .column("MiB", "in huge pages", result -> Figures.wholeMebibytes(result.hugeBytes()))
        .table();
  }

  /** A row for each way of Arenal and of the kernel. */
  private Table others(long sizeBytes) {
    return Table.of(rows(sizeBytes, false))
        .column("program", r -> r.subject().kind() == Kind.ARENAL ? "Arenal" : "program in C")
        .column("method", result -> result.subject().method().label())
        .column("huge pages", result -> yes(result.subject().hugePages()))
        .column("threads", result -> String.valueOf(result.subject().threadCount()))
        .column("seconds", "wall", r -> withError(r.wallSeconds(), r.wallErrorSeconds()))
        .column("seconds", "spread", PretouchSection::spread)
        .column("seconds", "user", result -> seconds(result.userSeconds()))
        .column("seconds", "system", result -> seconds(result.systemSeconds()))
        .column("seconds", "first use", result -> seconds(result.firstUseSeconds()))
        .column("GiB/s", result -> Figures.ratio(result.gibibytes() / result.wallSeconds()))
        .column("MiB", "resident", result -> Figures.wholeMebibytes(result.residentBytes()))
        .column("MiB", "in huge pages", result -> Figures.wholeMebibytes(result.hugeBytes()))
        .table();
  }

  private List<PretouchResult> rows(long sizeBytes, boolean isJvm) {
    return measurement.of(sizeBytes).stream()
        .filter(result -> (result.subject().kind() == Kind.JVM) == isJvm)
        .toList();
  }

  private static String collector(PretouchResult result) {
    Collector collector = result.subject().collector();
    return collector == null ? Figures.NONE : collector.label();
  }

  private static String yes(boolean flag) {
    return flag ? "yes" : Figures.NONE;
  }

  /** A row for each subject: what touching costs, without the start of any JVM. */
  private Table forecast() {
    Table.Of<PretouchResult> table =
        Table.of(largest().stream().filter(result -> result.touchSeconds() != null).toList())
            .column("program", result -> result.subject().label())
            .column("per GiB", result -> seconds(perGib(result)));
    for (long size : OTHER_SIZES) {
      table.column(PretouchPlan.sizeText(size), result -> seconds(perGib(result) * (size / GIB)));
    }
    return table.table();
  }

  /** Three digits are enough, and of minutes no fraction. */
  private static String seconds(@Nullable Double seconds) {
    return Figures.number(seconds);
  }

  private static String withError(@Nullable Double seconds, @Nullable Double error) {
    return seconds(seconds) + (error == null ? "" : " ± " + seconds(error));
  }

  /** From the fastest run to the slowest one, as a part of the median. */
  private static String spread(PretouchResult result) {
    return Figures.percent(
        result.runCount() < 2
            ? null
            : (result.mostSeconds() - result.leastSeconds()) / result.wallSeconds());
  }
}
