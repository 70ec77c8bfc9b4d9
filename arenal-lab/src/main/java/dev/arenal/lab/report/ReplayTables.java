package dev.arenal.lab.report;

import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.Sample;
import dev.arenal.lab.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The replay of one trace as lines for a terminal. */
public final class ReplayTables {
  private static final String WHAT_VALLEY_IS =
      "valley: the lowest used after the first peak, before it rises again by more than 10 % of"
          + " that peak";

  /** A first peak below that part of the largest says little about the trace. */
  private static final int SMALL_PEAK_PART = 2;

  private ReplayTables() {}

  /** The heading, the table and what the valley is. */
  public static List<String> lines(TraceReplay replay) {
    List<String> lines = new ArrayList<>();
    lines.add(heading(replay));
    if (!replay.results().isEmpty()) {
      lines.addAll(table(replay).lines());
      lines.add(valleyLine(replay));
      librariesLine(replay).ifPresent(lines::add);
    }
    RivalTable.of(replay)
        .ifPresent(table -> {
          lines.add("");
          lines.addAll(table.lines());
          lines.add(RivalTable.WHAT_IT_SAYS);
        });
    return lines;
  }

  /** What the author of JEP 387 said of malloc, beside the figures of these replays. */
  public static List<String> claims(List<TraceReplay> replays) {
    List<String> lines = new ArrayList<>();
    new MallocClaims(replays)
        .table()
        .ifPresent(table -> {
          lines.add(MallocClaims.TITLE);
          lines.addAll(table.lines());
          lines.add(MallocClaims.WHAT_IT_SAYS);
          lines.add("");
        });
    return lines;
  }

  /** The heaps that answered, in their own words, without the long names of commits. */
  static Optional<String> librariesLine(TraceReplay replay) {
    List<String> libraries =
        replay.results().stream()
            .map(AllocatorReplay::library)
            .filter(Objects::nonNull)
            .map(library -> library.replaceAll("(-g[0-9a-f]{8})[0-9a-f]+", "$1"))
            .toList();
    return libraries.isEmpty()
        ? Optional.empty()
        : Optional.of("heaps measured: " + String.join(", ", libraries));
  }

  private static String heading(TraceReplay replay) {
    return "%s: %s; committed and resident in MiB".formatted(replay.trace(), facts(replay));
  }

  /** What the trace is and how it was replayed. */
  static String facts(TraceReplay replay) {
    return "%s allocations, %s arenas of %s loaders, recorded on %s%s"
        .formatted(
            Figures.count(replay.countAllocations()),
            Figures.count(replay.countArenas()),
            Figures.count(replay.countLoaders()),
            replay.jvmVersion(),
            runs(replay));
  }

  private static String runs(TraceReplay replay) {
    int countRuns = replay.countRuns();
    if (countRuns <= 1) {
      return "";
    }
    List<String> fewer =
        replay.results().stream()
            .filter(result -> result.countRuns() > 0 && result.countRuns() < countRuns)
            .map(result -> "%s %d".formatted(result.kind().label(), result.countRuns()))
            .toList();
    return "; times are medians of %d runs%s"
        .formatted(
            countRuns, fewer.isEmpty() ? "" : " (fewer of " + String.join(", ", fewer) + ")");
  }

  static TextTable table(TraceReplay replay) {
    TextTable table =
        new TextTable()
            .column("", "allocator")
            .column("", "ms")
            .column("", "ns/alloc")
            .column("", "header");
    for (String phase : List.of("peak", "valley", "2nd peak", "end")) {
      table.column(phase, "comm.").column(phase, "res.");
    }
    table.column("at valley/used", "comm.").column("at valley/used", "res.");
    for (AllocatorReplay result : replay.results()) {
      table.row(row(result));
    }
    AllocatorReplay any = replay.results().getFirst();
    List<String> used = new ArrayList<>(List.of("(used)", "", "", ""));
    addUsed(used, any.peak());
    addUsed(used, any.valley());
    addUsed(used, any.secondPeak());
    addUsed(used, any.end());
    used.addAll(List.of("", ""));
    table.row(used);
    return table;
  }

  private static List<String> row(AllocatorReplay result) {
    List<String> cells = new ArrayList<>();
    cells.add(result.kind().label());
    cells.add(Figures.millis(result.wallNanos()));
    cells.add(Figures.nanos(result.nanosPerAllocation()));
    cells.add(Figures.mebibytes(result.headerBytes()));
    addSample(cells, result.peak());
    addSample(cells, result.valley());
    addSample(cells, result.secondPeak());
    addSample(cells, result.end());
    Sample valley = result.valley();
    cells.add(Figures.ratio(valley == null ? null : valley.committedPerUsed()));
    cells.add(Figures.ratio(valley == null ? null : valley.residentPerUsed()));
    return cells;
  }

  private static void addSample(List<String> cells, @Nullable Sample sample) {
    cells.add(Figures.mebibytes(sample == null ? null : sample.committedBytes()));
    cells.add(Figures.mebibytes(sample == null ? null : sample.residentBytes()));
  }

  private static void addUsed(List<String> cells, @Nullable Sample sample) {
    cells.add(Figures.mebibytes(sample == null ? null : sample.usedBytes()));
    cells.add("");
  }

  /** What the valley is, where it is here, and a warning if the peak before it is a small one. */
  static String valleyLine(TraceReplay replay) {
    AllocatorReplay any = replay.results().getFirst();
    Sample valley = any.valley();
    if (valley == null) {
      return WHAT_VALLEY_IS + "; this trace has none, its used never falls that far";
    }
    String line =
        "%s; here after operation %s of %s"
            .formatted(
                WHAT_VALLEY_IS,
                Figures.count(valley.operation()),
                Figures.count(replay.countOperations()));
    return any.peak().usedBytes() * SMALL_PEAK_PART < replay.maxUsedBytes()
        ? line + smallPeak(any.peak(), replay)
        : line;
  }

  private static String smallPeak(Sample peak, TraceReplay replay) {
    return "; this first peak is a small early one, %s of at most %s MiB: the timeline says more"
        .formatted(Figures.mebibytes(peak.usedBytes()), Figures.mebibytes(replay.maxUsedBytes()));
  }
}
