package dev.arenal.lab.jmh;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The cells to measure, and for how long.
 *
 * <p>A round measures each cell once, contenders beside each other, in a JVM of its own or in one
 * with {@linkplain JmhCell#isJvmShared() other parameters}. Several short forks say more than one
 * long one: what the compiler makes of the same code differs from one JVM to the next.
 *
 * @param <C> what is measured
 * @param roundCount how many rounds at most
 * @param mostSeconds no round is begun that would end later; 0 for no limit
 * @param cells in their order; what is in it twice is measured twice a round
 * @param notes what a reader has to know about the choice of contenders; whole lines
 */
public record JmhPlan<C extends JmhCell>(
    int roundCount,
    int mostSeconds,
    int warmupCount,
    int warmupMillis,
    int measurementCount,
    int measurementMillis,
    List<C> cells,
    List<String> notes) {
  /** How long it takes on a machine that does nothing else. */
  public int estimatedSeconds() {
    int measuredMillis = warmupCount * warmupMillis + measurementCount * measurementMillis;
    long roundMillis = 0;
    Set<Object> sharedJvms = new HashSet<>();
    for (C cell : cells) {
      boolean isStarted = cell.isJvmShared() && !sharedJvms.add(jvm(cell));
      roundMillis += (isStarted ? 0 : cell.startMillis()) + cell.aroundMillis() + measuredMillis;
    }
    return (int) Math.ceilDiv(roundMillis * roundCount, 1000);
  }

  /** The properties that cells have in common if they share a JVM. */
  private static Object jvm(JmhCell cell) {
    return List.of(cell.benchmark(), cell.threads(), cell.threadCount(), cell.preload());
  }

  /** How many different things are measured. */
  public int cellCount() {
    return (int) cells.stream().distinct().count();
  }

  /** As the program that runs it wants it. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("rounds " + roundCount);
    lines.add("seconds " + mostSeconds);
    lines.add("warmup %d %d".formatted(warmupCount, warmupMillis));
    lines.add("measure %d %d".formatted(measurementCount, measurementMillis));
    cells.forEach(cell -> lines.add(cell.line()));
    return lines;
  }
}
