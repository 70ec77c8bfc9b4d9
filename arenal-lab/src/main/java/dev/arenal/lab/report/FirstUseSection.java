package dev.arenal.lab.report;

import dev.arenal.lab.figure.BarChart;
import dev.arenal.lab.figure.BarChart.Bar;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.SeriesStyle;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.firstuse.FirstUseClaims;
import dev.arenal.lab.firstuse.FirstUseMeasurement;
import dev.arenal.lab.firstuse.FirstUseResult;
import dev.arenal.lab.firstuse.FirstUseSubject;
import dev.arenal.lab.result.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** First uses as a section of the report. */
public record FirstUseSection(FirstUseMeasurement measurement) {
  private static final String NAME = "first-use";
  private static final String PLAIN = "milliseconds";
  private static final String WITH_CACHE = "ms with an AOT cache";
  private static final String PROCESS = "ms of the whole process";

  /** Everything there is to show about these figures. */
  public static Section of(FirstUseMeasurement measurement) {
    FirstUseSection section = new FirstUseSection(measurement);
    return new Section(
        NAME,
        "First use",
        section.headline().orElse(""),
        Json.tree(measurement),
        section.parts(),
        section.findings(),
        measurement.failures());
  }

  private List<String> findings() {
    List<String> findings = new ArrayList<>();
    headline().ifPresent(findings::add);
    findings.addAll(Claims.sentence("First use", FirstUseClaims.of(measurement)));
    return findings;
  }

  private Optional<String> headline() {
    return sentence(false)
        .map(plain -> plain + sentence(true).map(cached -> "; " + cached).orElse("") + ".");
  }

  /** Three figures in words, if there are all of them. */
  private Optional<String> sentence(boolean withCache) {
    Double jdk = median(FirstUseSubject.JDK_CONFINED, withCache);
    Double elastic = median(FirstUseSubject.ELASTIC, withCache);
    Double page = median(FirstUseSubject.PAGE, withCache);
    if (jdk == null || elastic == null || page == null) {
      return Optional.empty();
    }
    return Optional.of(
        withCache
            ? Figures.format("with an AOT cache %.0f, %.0f and %.0f ms", elastic, page, jdk)
            : Figures.format(
                "In a fresh JVM the first space with an arena takes %.0f ms, the first page"
                    + " allocator with a buffer %.0f ms, the JDK's first arena %.0f ms",
                elastic, page, jdk));
  }

  private @Nullable Double median(FirstUseSubject subject, boolean withCache) {
    return measurement.find(subject).map(result -> result.medianMillis(withCache)).orElse(null);
  }

  private boolean hasAotCache() {
    return measurement.results().stream()
        .anyMatch(result -> result.medianMillisWithAotCache() != null);
  }

  private List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    if (!measurement.results().isEmpty()) {
      int runCount = measurement.plan().runCount();
      parts.add(
          new Part.Facts(
              NAME,
              "100 bytes in a fresh JVM, "
                  + (runCount == 1 ? "one run" : "medians of %d runs".formatted(runCount))));
      parts.add(
          new Part.Explanation(
              "The first use of a library costs most: classes are loaded and verified,"
                  + " methods run in the interpreter, calls of the kernel are linked. A program"
                  + " that runs for hours does not notice; a command-line program, or a function"
                  + " that starts for one request, pays for it each time. Here each run is a new"
                  + " JVM, and subjects take turns. An AOT cache (AOTCacheOutput, JDK 25) has"
                  + " classes already loaded and linked; this one was created by a run that used"
                  + " all subjects."));
    }
    measurement.notes().forEach(note -> parts.add(new Part.SmallPrint(note)));
    if (!measurement.results().isEmpty()) {
      parts.add(bars());
      parts.add(table());
      parts.add(
          new Part.SmallPrint(
              "Least: the fastest run. Times: the median over that of the JDK's arena. The"
                  + " whole process is the JVM from its start to its end; classes in an AOT cache"
                  + " are loaded at its start, which is not part of the first use."));
    }
    parts.addAll(Claims.parts("Claims", FirstUseClaims.of(measurement)));
    return parts;
  }

  private BarChart bars() {
    List<Bar> bars = new ArrayList<>();
    for (FirstUseResult result : measurement.results()) {
      bars.add(bar(result, result.medianMillis(), false));
      Double cached = result.medianMillisWithAotCache();
      if (cached != null) {
        bars.add(bar(result, cached, true));
      }
    }
    Double jdk = median(FirstUseSubject.JDK_CONFINED, false);
    double most = FirstUseClaims.MOST_TIMES_THE_JDK * Objects.requireNonNullElse(jdk, 0.0);
    double longest = bars.stream().mapToDouble(Bar::figure).max().orElse(0);
    return new BarChart(
        "Milliseconds",
        "until the first 100 bytes are there; dashed: three times the JDK's first arena"
            + (hasAotCache() ? " without a cache" : ""),
        "",
        Math.max(Math.max(longest, most), Double.MIN_NORMAL),
        most,
        hasAotCache() ? "Hatched: with an AOT cache." : "",
        bars);
  }

  private static Bar bar(FirstUseResult result, double millis, boolean isCached) {
    SeriesStyle style =
        switch (result.subject()) {
          case POOLED, ELASTIC, PAGE -> SeriesStyle.ONE;
          case JDK_CONFINED -> SeriesStyle.TWO;
          case NETTY -> SeriesStyle.THREE;
        };
    return new Bar(
        result.subject().words(), style, isCached, millis, Figures.format("%.1f", millis));
  }

  private Table table() {
    Table.Of<FirstUseResult> table =
        Table.of(measurement.results())
            .column("", result -> result.subject().words())
            .column(PLAIN, "median", result -> Figures.number(result.medianMillis()))
            .column(PLAIN, "least", result -> Figures.number(result.leastMillis()))
            .column(PLAIN, "times", result -> times(result, false));
    if (hasAotCache()) {
      table
          .column(WITH_CACHE, "median", r -> Figures.number(r.medianMillisWithAotCache()))
          .column(WITH_CACHE, "least", r -> Figures.number(r.leastMillisWithAotCache()))
          .column(WITH_CACHE, "times", result -> times(result, true));
    }
    table.column(PROCESS, "plain", result -> Figures.number(result.medianProcessMillis()));
    if (hasAotCache()) {
      table.column(
          PROCESS, "with the cache", r -> Figures.number(r.medianProcessMillisWithAotCache()));
    }
    return table.table();
  }

  private String times(FirstUseResult result, boolean withCache) {
    return Figures.multiple(measurement.timesTheJdk(result, withCache));
  }
}
