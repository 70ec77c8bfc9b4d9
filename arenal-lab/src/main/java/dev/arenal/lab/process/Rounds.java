package dev.arenal.lab.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiPredicate;

/**
 * Runs of variants that take turns: in each round every variant once, so that a slow minute of the
 * machine hits all of them alike. A variant that has failed does not run again.
 *
 * @param <V> what is run
 * @param <R> what a run shows
 */
public final class Rounds<V, R> {
  private final Map<V, List<R>> results = new LinkedHashMap<>();
  private final Map<V, String> failures = new LinkedHashMap<>();

  private Rounds() {}

  /** Runs a variant once. */
  @FunctionalInterface
  public interface Run<V, R> {
    /** The first round is number 1. */
    R run(V variant, int round) throws IOException, InterruptedException, ChildFailedException;
  }

  /**
   * Runs those that are due.
   *
   * @param isDue whether a variant runs in a round, of which the first is number 1
   */
  public static <V, R> Rounds<V, R> of(
      List<V> variants, int roundCount, BiPredicate<V, Integer> isDue, Run<V, R> run)
      throws IOException, InterruptedException {
    Rounds<V, R> rounds = new Rounds<>();
    for (int round = 1; round <= roundCount; round++) {
      for (V variant : variants) {
        if (!rounds.failures.containsKey(variant) && isDue.test(variant, round)) {
          rounds.once(variant, round, run);
        }
      }
    }
    return rounds;
  }

  /** Runs all of them in each round. */
  public static <V, R> Rounds<V, R> of(List<V> variants, int roundCount, Run<V, R> run)
      throws IOException, InterruptedException {
    return of(variants, roundCount, (_, _) -> true, run);
  }

  /**
   * The same with several at a time, where no times are measured. All rounds of a variant run, even
   * if one of them fails.
   *
   * @param mostAtATime how many run side by side
   */
  public static <V, R> Rounds<V, R> sideBySide(
      int mostAtATime, List<V> variants, int roundCount, Run<V, R> run)
      throws IOException, InterruptedException {
    Rounds<V, R> rounds = new Rounds<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(mostAtATime)) {
      List<Map.Entry<V, Future<R>>> futures = new ArrayList<>();
      for (int i = 1; i <= roundCount; i++) {
        int round = i;
        for (V variant : variants) {
          futures.add(Map.entry(variant, executor.submit(() -> run.run(variant, round))));
        }
      }
      try {
        for (Map.Entry<V, Future<R>> entry : futures) {
          rounds.once(entry.getKey(), 0, (_, _) -> result(entry.getValue()));
        }
      } finally {
        var _ = executor.shutdownNow(); // those that are not needed any more
      }
    }
    return rounds;
  }

  private static <R> R result(Future<R> future)
      throws IOException, InterruptedException, ChildFailedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case ChildFailedException failure -> throw failure;
        case IOException cause -> throw cause;
        case null, default -> throw new IllegalStateException("a run failed", e.getCause());
      }
    }
  }

  private void once(V variant, int round, Run<V, R> run) throws IOException, InterruptedException {
    try {
      results.computeIfAbsent(variant, _ -> new ArrayList<>()).add(run.run(variant, round));
    } catch (ChildFailedException e) {
      failures.put(variant, String.valueOf(e.getMessage()));
    }
  }

  /** The results of a variant, in the order of its runs. */
  public List<R> of(V variant) {
    return results.getOrDefault(variant, List.of());
  }

  /** The results of all, variant by variant. */
  public List<R> all() {
    return results.values().stream().flatMap(List::stream).toList();
  }

  /** The results of each variant that never failed: of another one no run is to be trusted. */
  public List<List<R>> trusted() {
    return results.entrySet().stream()
        .filter(entry -> !failures.containsKey(entry.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Variants that failed, each a whole message. */
  public Map<V, String> failures() {
    return failures;
  }
}
