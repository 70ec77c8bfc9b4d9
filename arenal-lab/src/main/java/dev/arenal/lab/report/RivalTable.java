package dev.arenal.lab.report;

import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.TraceReplay;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Elastic arenas beside every other allocator of one trace, at every phase. */
final class RivalTable {
  static final String WHAT_IT_SAYS =
      "time until each phase and resident size at it, as multiples of elastic's; given back: what"
          + " left the process between peak and valley, of what it had at the peak";

  private RivalTable() {}

  /** The replay of elastic arenas, if there is one. */
  static Optional<AllocatorReplay> elastic(TraceReplay replay) {
    return find(replay, AllocatorKind.ELASTIC);
  }

  static Optional<AllocatorReplay> find(TraceReplay replay, AllocatorKind kind) {
    return replay.results().stream().filter(result -> result.kind() == kind).findFirst();
  }

  /** The replays of all allocators that are not ours. */
  static List<AllocatorReplay> rivals(TraceReplay replay) {
    return replay.results().stream().filter(result -> result.kind().isRival()).toList();
  }

  /** The table, if both sides of it were replayed. */
  static Optional<TextTable> of(TraceReplay replay) {
    Optional<AllocatorReplay> elastic = elastic(replay);
    List<AllocatorReplay> rivals = rivals(replay);
    if (elastic.isEmpty() || rivals.isEmpty()) {
      return Optional.empty();
    }
    TextTable table = new TextTable().column("", "allocator");
    for (String group : List.of("time", "resident")) {
      for (Moment moment : Moment.values()) {
        table.column(group, moment == Moment.SECOND_PEAK ? "2nd peak" : moment.label());
      }
    }
    table.column("", "header").column("", "given back");
    table.row(row(elastic.get(), elastic.get()));
    rivals.forEach(rival -> table.row(row(rival, elastic.get())));
    return Optional.of(table);
  }

  private static List<String> row(AllocatorReplay replay, AllocatorReplay elastic) {
    List<String> cells = new ArrayList<>();
    cells.add(replay.kind().label());
    for (Moment moment : Moment.values()) {
      cells.add(multiple(moment, Moment::wallNanos, replay, elastic));
    }
    for (Moment moment : Moment.values()) {
      cells.add(multiple(moment, Moment::residentBytes, replay, elastic));
    }
    cells.add(Figures.mebibytes(replay.headerBytes()));
    cells.add(Figures.percent(givenBack(replay)));
    return cells;
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
