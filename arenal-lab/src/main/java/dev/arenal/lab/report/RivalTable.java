package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.figure.Part;
import dev.arenal.lab.figure.Table;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Elastic arenas beside every other allocator of one trace, at every phase. */
final class RivalTable {
  private static final String WHAT_IT_SAYS =
      "time until each phase and resident size at it, as multiples of elastic's; given back: what"
          + " left the process between peak and valley, of what it had at the peak";

  private RivalTable() {}

  /** The replays of all allocators that are not ours. */
  static List<AllocatorReplay> rivals(TraceReplay replay) {
    return replay.results().stream().filter(result -> result.kind().isRival()).toList();
  }

  /** The table and how to read it, if both sides of it were replayed. */
  static List<Part> parts(TraceReplay replay) {
    AllocatorReplay elastic = replay.find(AllocatorKind.ELASTIC).orElse(null);
    List<AllocatorReplay> rivals = rivals(replay);
    if (elastic == null || rivals.isEmpty()) {
      return List.of();
    }
    List<AllocatorReplay> rows = new ArrayList<>(rivals);
    rows.addFirst(elastic);
    Table.Of<AllocatorReplay> table =
        Table.of(rows).column("allocator", result -> result.kind().label());
    for (Moment moment : Moment.values()) {
      table.column(
          "time", moment.shortLabel(), r -> multiple(moment, Moment::wallNanos, r, elastic));
    }
    for (Moment moment : Moment.values()) {
      table.column(
          "resident",
          moment.shortLabel(),
          result -> multiple(moment, Moment::residentBytes, result, elastic));
    }
    return List.of(
        new Part.Heading("Against elastic, at every phase"),
        table
            .column("header", result -> Figures.mebibytes(result.headerBytes()))
            .column("given back", result -> Figures.percent(givenBack(result)))
            .table(),
        new Part.Note(WHAT_IT_SAYS));
  }

  private static String multiple(
      Moment moment,
      BiFunction<Moment, AllocatorReplay, @Nullable Long> figure,
      AllocatorReplay replay,
      AllocatorReplay elastic) {
    Long theirs = figure.apply(moment, replay);
    Long ours = figure.apply(moment, elastic);
    return Figures.multiple(
        theirs == null || ours == null || ours == 0 ? null : (double) theirs / ours);
  }

  /** How much of its resident size at the peak was gone at the valley; null if unknown. */
  static @Nullable Double givenBack(AllocatorReplay replay) {
    Long peak = Moment.PEAK.residentBytes(replay);
    Long valley = Moment.VALLEY.residentBytes(replay);
    return peak == null || valley == null || peak == 0
        ? null
        : Math.max(0, (double) (peak - valley) / peak);
  }
}
