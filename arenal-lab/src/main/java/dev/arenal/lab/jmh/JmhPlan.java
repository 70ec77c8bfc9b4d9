package dev.arenal.lab.jmh;

import java.util.ArrayList;
import java.util.List;

/**
 * The cells to measure, and for how long.
 *
 * <p>A round measures each cell once, in a JVM of its own, contenders beside each other. Many short
 * forks say more than one long one: what the compiler makes of the same code differs from one JVM
 * to the next.
 *
 * @param <C> what is measured
 * @param countRounds how many rounds at most
 * @param mostSeconds no round is begun that would end later; 0 for no limit
 * @param cells in their order; what is in it twice is measured twice a round
 * @param notes what a reader has to know about the choice of contenders; whole lines
 */
public record JmhPlan<C extends JmhCell>(
    int countRounds,
    int mostSeconds,
    int countWarmups,
    int warmupMillis,
    int countMeasurements,
    int measurementMillis,
    List<C> cells,
    List<String> notes) {

  /** Keeps copies. */
  public JmhPlan {
    cells = List.copyOf(cells);
    notes = List.copyOf(notes);
  }

  /** One about whose choice there is nothing to know. */
  public JmhPlan(
      int countRounds,
      int mostSeconds,
      int countWarmups,
      int warmupMillis,
      int countMeasurements,
      int measurementMillis,
      List<C> cells) {
    this(
        countRounds,
        mostSeconds,
        countWarmups,
        warmupMillis,
        countMeasurements,
        measurementMillis,
        cells,
        List.of());
  }

  /** How long it takes on a machine that does nothing else. */
  public int estimatedSeconds() {
    int measuredMillis = countWarmups * warmupMillis + countMeasurements * measurementMillis;
    long roundMillis = cells.stream().mapToLong(cell -> cell.startMillis() + measuredMillis).sum();
    return (int) Math.ceilDiv(roundMillis * countRounds, 1000);
  }

  /** How many different things are measured. */
  public int countCells() {
    return (int) cells.stream().distinct().count();
  }

  /** As the program that runs it wants it. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("rounds " + countRounds);
    lines.add("seconds " + mostSeconds);
    lines.add("warmup %d %d".formatted(countWarmups, warmupMillis));
    lines.add("measure %d %d".formatted(countMeasurements, measurementMillis));
    cells.forEach(cell -> lines.add(cell.line()));
    return lines;
  }
}
