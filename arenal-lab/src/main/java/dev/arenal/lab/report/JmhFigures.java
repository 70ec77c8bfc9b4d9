package dev.arenal.lab.report;

import dev.arenal.lab.figure.Figures;
import dev.arenal.lab.jmh.JmhCell;
import dev.arenal.lab.jmh.JmhResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Figures of JMH as people read them. */
final class JmhFigures {
  /** Explains an error; also of figures that are committed. */
  static final String ERROR =
      "times are medians of all iterations, ± is half of the 99 % confidence interval of the median"
          + " (the narrowest pair of iterations that has it with that probability, whatever their"
          + " distribution; in figures from before 2026-11-25 half of JMH's 99.9 % interval of the"
          + " mean)";

  private static final int LARGE = 100;

  private JmhFigures() {}

  static String nanos(@Nullable Double nanos) {
    return nanos == null ? Figures.NONE : Figures.format(nanos < LARGE ? "%.2f" : "%,.0f", nanos);
  }

  static String bytes(@Nullable Double bytes) {
    return bytes == null ? Figures.NONE : Figures.format("%,.0f", bytes);
  }

  /** A sentence about figures that are not to be believed, if there are any. */
  static <C extends JmhCell> List<String> noise(List<JmhResult<C>> results) {
    long noisyCount = results.stream().filter(JmhResult::isNoise).count();
    return noisyCount == 0
        ? List.of()
        : List.of(
            "Of %d figures %d have an error larger than the figure: the machine was busy; measure"
                    .formatted(results.size(), noisyCount)
                + " again on an idle one.");
  }
}
