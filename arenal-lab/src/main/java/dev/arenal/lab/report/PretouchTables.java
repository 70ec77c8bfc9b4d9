package dev.arenal.lab.report;

import dev.arenal.lab.buffers.Claim;
import dev.arenal.lab.pretouch.Collector;
import dev.arenal.lab.pretouch.PretouchClaims;
import dev.arenal.lab.pretouch.PretouchMeasurement;
import dev.arenal.lab.pretouch.PretouchPlan;
import dev.arenal.lab.pretouch.PretouchResult;
import dev.arenal.lab.pretouch.PretouchSample.Heap;
import dev.arenal.lab.pretouch.PretouchSubject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Pretouches as tables: JVMs, what only touches, what it would take at other sizes, claims. */
public final class PretouchTables {
  static final String JVM_TITLE = "JVMs: from their start until main() runs";
  static final String OTHER_TITLE = "Without a JVM's start: until the last page was touched";

  private static final List<Long> OTHER_SIZES =
      List.of(
          PretouchPlan.GIB, 8 * PretouchPlan.GIB, 64 * PretouchPlan.GIB, 256 * PretouchPlan.GIB);

  private static final double MIB = 1 << 20;
  private static final double PERCENT = 100;
  private static final String YES = "yes";

  private PretouchTables() {}

  /** All of them, as lines for a terminal. */
  public static List<String> lines(PretouchMeasurement measurement) {
    List<String> lines = new ArrayList<>();
    if (measurement.results().isEmpty()) {
      return lines;
    }
    lines.add("pretouch: " + what(measurement));
    for (long sizeBytes : sizes(measurement)) {
      lines.add("");
      lines.add(PretouchPlan.sizeText(sizeBytes) + ". " + JVM_TITLE);
      lines.addAll(jvms(measurement, sizeBytes).lines());
      lines.add("");
      lines.add(PretouchPlan.sizeText(sizeBytes) + ". " + OTHER_TITLE);
      lines.addAll(others(measurement, sizeBytes).lines());
    }
    lines.add("");
    lines.add(forecastTitle(measurement));
    lines.addAll(forecast(measurement).lines());
    lines.add("");
    List<Claim> claims = PretouchClaims.of(measurement);
    if (!claims.isEmpty()) {
      lines.addAll(ClaimTable.of(claims).lines());
      lines.add("");
    }
    return lines;
  }

  static List<Long> sizes(PretouchMeasurement measurement) {
    return measurement.results().stream()
        .map(PretouchResult::sizeBytes)
        .distinct()
        .sorted()
        .toList();
  }

  /** What was done, in a few words. */
  static String what(PretouchMeasurement measurement) {
    PretouchPlan plan = measurement.plan();
    String others =
        plan.countOtherRuns() == plan.countRuns() || plan.countOtherRuns() == 0
            ? ""
            : ", of what no claim is about " + plan.countOtherRuns();
    String runs =
        plan.countRuns() == 1
            ? "one run of each"
            : "medians of %d runs".formatted(plan.countRuns());
    return "%s, all threads are %d; %s%s"
        .formatted(
            sizes(measurement).stream()
                .map(PretouchPlan::sizeText)
                .collect(Collectors.joining(" and ")),
            plan.countThreads(),
            runs,
            others);
  }

  /** A row for each JVM, collector, with and without the touching, and with huge pages. */
  static TextTable jvms(PretouchMeasurement measurement, long sizeBytes) {
    TextTable table =
        new TextTable()
            .column("", "JVM")
            .column("", "AlwaysPreTouch")
            .column("", "huge pages")
            .column("MiB, as main() sees it", "free memory")
            .column("MiB, as main() sees it", "heap")
            .column("seconds", "start")
            .column("seconds", "spread")
            .column("seconds", "user")
            .column("seconds", "system")
            .column("seconds", "added")
            .column("seconds", "to its end")
            .column("MiB", "resident")
            .column("MiB", "in huge pages");
    for (PretouchResult result : measurement.of(sizeBytes)) {
      Heap heap = result.heap();
      Collector collector = result.subject().collector();
      if (heap != null && collector != null) {
        table.row(
            List.of(
                result.subject().jvm() + " " + collector.label(),
                result.subject().pretouch() ? YES : Figures.NONE,
                result.subject().hugePages() ? YES : Figures.NONE,
                mebibytes(heap.freeBytes()),
                mebibytes(heap.heapBytes()),
                seconds(result.wallSeconds()),
                spread(result),
                seconds(result.userSeconds()),
                seconds(result.systemSeconds()),
                added(measurement, result),
                seconds(heap.totalSeconds()),
                mebibytes(result.residentBytes()),
                mebibytes(result.hugeBytes())));
      }
    }
    return table;
  }

  /** A row for each way of Arenal and of the kernel. */
  static TextTable others(PretouchMeasurement measurement, long sizeBytes) {
    TextTable table =
        new TextTable()
            .column("", "who")
            .column("", "method")
            .column("", "huge pages")
            .column("", "threads")
            .column("seconds", "wall")
            .column("seconds", "spread")
            .column("seconds", "user")
            .column("seconds", "system")
            .column("seconds", "first use")
            .column("", "GiB/s")
            .column("MiB", "resident")
            .column("MiB", "in huge pages");
    for (PretouchResult result : measurement.of(sizeBytes)) {
      PretouchSubject subject = result.subject();
      Double firstUse = result.firstUseSeconds();
      if (subject.collector() == null) {
        table.row(
            List.of(
                subject.kind() == PretouchSubject.Kind.ARENAL ? "Arenal" : "program in C",
                subject.method().label(),
                subject.hugePages() ? YES : Figures.NONE,
                String.valueOf(subject.countThreads()),
                seconds(result.wallSeconds()),
                spread(result),
                seconds(result.userSeconds()),
                seconds(result.systemSeconds()),
                firstUse == null ? Figures.NONE : seconds(firstUse),
                String.format(Locale.ROOT, "%.2f", result.gibibytes() / result.wallSeconds()),
                mebibytes(result.residentBytes()),
                mebibytes(result.hugeBytes())));
      }
    }
    return table;
  }

  static String forecastTitle(PretouchMeasurement measurement) {
    return "How long a start takes at other sizes, in proportion to that of %s here, in seconds"
        .formatted(PretouchPlan.sizeText(measurement.largestBytes()));
  }

  /** A row for each who touches: what a GiB costs, and a start at other sizes. */
  static TextTable forecast(PretouchMeasurement measurement) {
    TextTable table = new TextTable().column("", "who").column("", "touching, per GiB");
    OTHER_SIZES.forEach(size -> table.column("start with", PretouchPlan.sizeText(size)));
    for (PretouchResult result : measurement.of(measurement.largestBytes())) {
      OptionalDouble touch = measurement.touchSeconds(result);
      if (touch.isPresent()) {
        List<String> cells = new ArrayList<>();
        cells.add(result.subject().label());
        cells.add(seconds(touch.getAsDouble() / result.gibibytes()));
        OTHER_SIZES.forEach(size -> cells.add(seconds(measurement.secondsAt(result, size))));
        table.row(cells);
      }
    }
    return table;
  }

  /** Three digits are enough, and of minutes no fraction. */
  static String seconds(double seconds) {
    double size = Math.abs(seconds);
    return String.format(Locale.ROOT, size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f", seconds);
  }

  private static String added(PretouchMeasurement measurement, PretouchResult result) {
    OptionalDouble touch = measurement.touchSeconds(result);
    return touch.isPresent() ? seconds(touch.getAsDouble()) : Figures.NONE;
  }

  /** From the fastest run to the slowest one, as a part of the median. */
  private static String spread(PretouchResult result) {
    return result.samples().size() < 2
        ? Figures.NONE
        : String.format(
            Locale.ROOT,
            "%.0f %%",
            PERCENT * (result.mostSeconds() - result.leastSeconds()) / result.wallSeconds());
  }

  private static String mebibytes(long bytes) {
    return bytes < 0 ? Figures.NONE : String.format(Locale.ROOT, "%,.0f", bytes / MIB);
  }
}
