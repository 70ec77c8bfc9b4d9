package dev.arenal.lab.report;

import dev.arenal.lab.figure.BarChart;
import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.LineChart;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Plain;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import dev.arenal.lab.result.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The replays of traces as a section of the report. */
public final class ReplaySection {
  private static final String WHAT_VALLEY_IS =
      "valley: the lowest used after the first peak, before it rises again by more than 10 % of"
          + " that peak";

  /** A first peak below that part of the largest says little about the trace. */
  private static final int SMALL_PEAK_PART = 2;

  private ReplaySection() {}

  /** Everything there is to show about these replays. */
  public static Section of(List<TraceReplay> replays) {
    return of(replays, List.of());
  }

  /** Everything there is to show about these replays, and what a reader has to know of them. */
  public static Section of(List<TraceReplay> replays, List<String> notes) {
    Findings findings = new Findings(replays);
    return section(replays, notes, findings.headline(), findings.sentences());
  }

  /** The same for a program of the reader's own: first what its metaspace was and would be. */
  public static Section ofProgram(TraceReplay replay, List<String> notes) {
    List<String> findings = new ArrayList<>(new ProgramFindings(replay).sentences());
    String headline = findings.getFirst();
    findings.addAll(new RivalFindings(List.of(replay)).sentences());
    return section(List.of(replay), notes, headline, findings);
  }

  private static Section section(
      List<TraceReplay> replays, List<String> notes, String headline, List<String> findings) {
    return new Section(
        Section.REPLAY,
        "Replayed traces",
        headline,
        Json.tree(replays),
        parts(replays, notes),
        findings,
        replays.stream().flatMap(replay -> replay.failures().stream()).toList());
  }

  /**
   * The memory that stays with each allocator in the valley of a trace, for documents; empty if it
   * was not replayed.
   */
  public static Optional<LineChart> picture(List<TraceReplay> replays, String trace) {
    return replays.stream()
        .filter(replay -> replay.trace().equals(trace) && !replay.results().isEmpty())
        .findFirst()
        .map(replay ->
            new ReplayCharts(replay, "")
                .together("Memory kept in the trace " + trace, AllocatorKind::title));
  }

  /** One trace as lines for a terminal, as soon as it has been replayed. */
  public static List<String> lines(TraceReplay replay) {
    return Plain.lines(trace(replay, "", 1));
  }

  /** The statements of JEP 387's author about malloc, beside the figures of these replays. */
  public static List<String> claimLines(List<TraceReplay> replays) {
    return Plain.lines(MallocClaims.parts(replays));
  }

  private static List<Part> parts(List<TraceReplay> replays, List<String> notes) {
    List<Part> parts = new ArrayList<>();
    parts.add(
        new Part.Explanation(
            "Traces of a real JVM's metaspace, replayed with several allocators: the same births,"
                + " blocks and deaths, every word written, each allocator in a process of its"
                + " own."));
    notes.forEach(note -> parts.add(new Part.SmallPrint(note + ".")));
    List<String> ids =
        IntStream.rangeClosed(1, replays.size()).mapToObj(i -> "replay-trace-" + i).toList();
    if (replays.size() > 1) {
      List<String> names = replays.stream().map(TraceReplay::trace).toList();
      parts.add(new Part.Links("Traces", ids, names));
    }
    double longest =
        replays.stream()
            .flatMap(replay -> replay.results().stream())
            .map(ReplaySection::keptPerUsed)
            .filter(Objects::nonNull)
            .reduce(1.0, Math::max);
    for (int i = 0; i < replays.size(); i++) {
      List<Part> trace = trace(replays.get(i), ids.get(i), longest);
      parts.add(new Part.Group(Part.Layout.APART, ids.get(i), replays.get(i).trace(), trace));
    }
    List<Part> claims = MallocClaims.parts(replays);
    if (!claims.isEmpty()) {
      parts.add(new Part.Group(Part.Layout.APART, "", "", claims));
    }
    parts.add(new Part.Method("replay-method.html"));
    return parts;
  }

  private static List<Part> trace(TraceReplay replay, String id, double longest) {
    List<Part> parts = new ArrayList<>();
    parts.add(new Part.Facts(replay.trace(), facts(replay) + "; committed and resident in MiB"));
    if (replay.results().isEmpty()) {
      parts.add(new Part.Explanation("No allocator has replayed this trace to its end."));
      return parts;
    }
    ReplayCharts charts = new ReplayCharts(replay, id);
    parts.add(
        new Part.Group(
            Part.Layout.OVERVIEW,
            "",
            "",
            List.of(charts.together("Memory kept", AllocatorKind::label), bars(replay, longest))));
    parts.add(table(replay));
    parts.add(new Part.SmallPrint("ms: all operations; header in MiB."));
    parts.add(new Part.Note(valley(replay)));
    List<String> libraries =
        replay.results().stream()
            .map(AllocatorReplay::library)
            .filter(Objects::nonNull)
            // In their own words, without the long names of commits.
            .map(library -> library.replaceAll("(-g[0-9a-f]{8})[0-9a-f]+", "$1"))
            .distinct()
            .toList();
    if (!libraries.isEmpty()) {
      parts.add(new Part.Note("heaps measured: " + String.join(", ", libraries)));
    }
    replay.notes().forEach(note -> parts.add(new Part.SmallPrint(note + ".")));
    parts.addAll(RivalTable.parts(replay));
    parts.add(
        new Part.Group(
            Part.Layout.DETAILS,
            "",
            "Each allocator by itself",
            replay.results().stream().map(charts::alone).toList()));
    return parts;
  }

  /** Describes the trace and how it was replayed. */
  private static String facts(TraceReplay replay) {
    return "%s allocations, %s arenas of %s loaders, recorded on %s%s"
        .formatted(
            Figures.count(replay.allocationCount()),
            Figures.count(replay.arenaCount()),
            Figures.count(replay.loaderCount()),
            replay.jvmVersion(),
            runs(replay));
  }

  private static String runs(TraceReplay replay) {
    int runCount = replay.runCount();
    if (runCount <= 1) {
      return "";
    }
    List<String> fewer =
        replay.results().stream()
            .filter(result -> result.runCount() > 0 && result.runCount() < runCount)
            .map(result -> "%s %d".formatted(result.kind().label(), result.runCount()))
            .toList();
    return "; times are medians of %d runs%s"
        .formatted(runCount, fewer.isEmpty() ? "" : " (fewer of " + String.join(", ", fewer) + ")");
  }

  private static Table table(TraceReplay replay) {
    Table.Of<AllocatorReplay> columns =
        Table.of(replay.results())
            .column("allocator", result -> result.kind().label())
            .column("ms", result -> Figures.millis(result.wallNanos()))
            .column("ns/alloc", result -> Figures.nanos(result.nanosPerAllocation()))
            .column("header", result -> Figures.mebibytes(result.headerBytes()));
    for (Moment moment : Moment.values()) {
      columns
          .column(moment.shortLabel(), "comm.", at(moment, Sample::committedBytes))
          .column(moment.shortLabel(), "res.", at(moment, Sample::residentBytes));
    }
    Table table =
        columns
            .column("at valley/used", "comm.", r -> ratio(r.valley(), Sample::committedPerUsed))
            .column("at valley/used", "res.", r -> ratio(r.valley(), Sample::residentPerUsed))
            .table();
    List<String> used = new ArrayList<>(List.of("(used)", "", "", ""));
    for (Moment moment : Moment.values()) {
      used.add(at(moment, Sample::usedBytes).apply(replay.results().getFirst()));
      used.add("");
    }
    used.addAll(List.of("", ""));
    return table.row(used);
  }

  private static Function<AllocatorReplay, String> at(
      Moment moment, Function<Sample, @Nullable Long> bytes) {
    return result -> {
      Sample sample = moment.of(result);
      return Figures.mebibytes(sample == null ? null : bytes.apply(sample));
    };
  }

  private static String ratio(@Nullable Sample sample, Function<Sample, @Nullable Double> figure) {
    return Figures.ratio(sample == null ? null : figure.apply(sample));
  }

  /**
   * Explains the valley and where it is here, with a warning if the peak before it is a small one.
   */
  static String valley(TraceReplay replay) {
    AllocatorReplay any = replay.results().getFirst();
    Sample valley = any.valley();
    if (valley == null) {
      return WHAT_VALLEY_IS + "; this trace has none, its used never falls that far";
    }
    String place =
        "%s; here after operation %s of %s"
            .formatted(
                WHAT_VALLEY_IS,
                Figures.count(valley.operation()),
                Figures.count(replay.operationCount()));
    long peakBytes = any.peak().usedBytes();
    return peakBytes * SMALL_PEAK_PART < replay.maxUsedBytes()
        ? place
            + "; this first peak is a small early one, %s of at most %s MiB: the timeline says more"
                .formatted(Figures.mebibytes(peakBytes), Figures.mebibytes(replay.maxUsedBytes()))
        : place;
  }

  /**
   * The valley in one look: a bar per allocator for what it keeps, against what is live. Committed
   * where there is such a figure, resident otherwise.
   */
  private static BarChart bars(TraceReplay replay, double longest) {
    List<BarChart.Bar> bars = new ArrayList<>();
    for (AllocatorReplay result : replay.results()) {
      Double kept = keptPerUsed(result);
      if (kept != null) {
        boolean isCommitted = Objects.requireNonNull(result.valley()).committedPerUsed() != null;
        bars.add(
            new BarChart.Bar(
                result.kind().label(),
                AllocatorStyle.of(result.kind()),
                !isCommitted,
                kept,
                Figures.ratio(kept) + "×"));
      }
    }
    return new BarChart(
        "Kept at the valley",
        "for each byte that is live",
        "This trace has no valley in which something is live, so there is nothing to compare.",
        longest,
        1,
        "Dashed: what is live. Hatched: resident, where committed is not known.",
        bars);
  }

  private static @Nullable Double keptPerUsed(AllocatorReplay result) {
    Sample valley = result.valley();
    if (valley == null) {
      return null;
    }
    Double committed = valley.committedPerUsed();
    return committed != null ? committed : valley.residentPerUsed();
  }
}
