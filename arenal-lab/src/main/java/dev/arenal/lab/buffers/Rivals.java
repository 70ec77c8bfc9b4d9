package dev.arenal.lab.buffers;

import dev.arenal.lab.figure.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Says in a sentence which rivals are as good as ours or better, and in what. Of each figure less
 * is better. Figures that are shown alike are alike.
 */
final class Rivals {
  private final String opening;
  private final List<String> parts = new ArrayList<>();

  Rivals(PeerKind ours, int threadCount) {
    this.opening =
        "As good as %s or better, %s: ".formatted(ours.label(), Figures.threads(threadCount));
  }

  /**
   * Adds a figure.
   *
   * @param all results, of which those of rivals count
   * @param figure NaN where there is none
   * @param pattern how it is shown
   */
  <R extends PeerResult> Rivals in(
      String what, R ours, List<R> all, ToDoubleFunction<R> figure, String pattern) {
    double our = figure.applyAsDouble(ours);
    List<R> rivals =
        all.stream()
            .filter(
                result -> result.kind().isRival() && !Double.isNaN(figure.applyAsDouble(result)))
            .toList();
    if (!Double.isNaN(our) && !rivals.isEmpty()) {
      String shown = Figures.format(pattern, our);
      String better =
          rivals.stream()
              .filter(rival -> {
                double their = figure.applyAsDouble(rival);
                return their < our || Figures.format(pattern, their).equals(shown);
              })
              .sorted(Comparator.comparingDouble(figure))
              .map(rival -> shown(rival, figure, pattern))
              .collect(Collectors.joining(", "));
      parts.add("in %s (%s) %s".formatted(what, shown, better.isEmpty() ? "no rival" : better));
    }
    return this;
  }

  private static <R extends PeerResult> String shown(
      R rival, ToDoubleFunction<R> figure, String pattern) {
    return rival.kind().label() + " (" + Figures.format(pattern, figure.applyAsDouble(rival)) + ")";
  }

  /** The sentence; none if there is nothing to compare. */
  List<String> sentence() {
    return parts.isEmpty() ? List.of() : List.of(opening + String.join("; ", parts) + ".");
  }
}
