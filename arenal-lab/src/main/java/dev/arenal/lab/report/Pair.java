package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.replay.AllocatorKind;
import dev.arenal.lab.replay.AllocatorReplay;
import dev.arenal.lab.replay.TraceReplay;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The figure of elastic arenas and another allocator's, on a trace or at a phase of one. */
record Pair(String place, AllocatorKind rival, double ours, double theirs) {
  /** The pair of a trace, if both have that figure. */
  static Optional<Pair> of(
      String place,
      TraceReplay replay,
      AllocatorKind rival,
      Function<AllocatorReplay, @Nullable Long> figure) {
    Optional<Long> ours = replay.find(AllocatorKind.ELASTIC).map(figure);
    Optional<Long> theirs = replay.find(rival).map(figure);
    return ours.flatMap(our -> theirs.map(their -> new Pair(place, rival, our, their)));
  }

  boolean isWon() {
    return ours < theirs;
  }

  double ratio() {
    return theirs / ours;
  }

  /** From the least ratio to the most. */
  static String range(List<Pair> pairs, Function<Double, String> text) {
    return Figures.range(pairs.stream().map(Pair::ratio).toList(), text);
  }
}
