package dev.arenal.lab.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The figure in the middle, so that a moment in which the machine was busy does not count. */
public final class Median {
  private Median() {}

  /** Of those that have the figure; null if none has. Of two in the middle it is their mean. */
  public static <T> @Nullable Double of(List<T> runs, Function<T, @Nullable Double> figure) {
    List<Double> values = runs.stream().map(figure).filter(Objects::nonNull).sorted().toList();
    int count = values.size();
    return count == 0 ? null : (Double) ((values.get(count / 2) + values.get((count - 1) / 2)) / 2);
  }

  /** The run in the middle; of two there it is the lower one. */
  public static <T> T lower(List<T> runs, Comparator<? super T> order) {
    List<T> sorted = new ArrayList<>(runs);
    sorted.sort(order);
    return sorted.get((sorted.size() - 1) / 2);
  }
}
