package dev.arenal.bench.confined;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Many virtual threads, each with an arena that stays open while others run: more arenas than any
 * table has slots. The time is that of one arena, with its share of starting a thread and of
 * switching to another; the control says how much that is.
 */
@State(Scope.Thread)
public class ArenaCrowd extends ConfinedBenchmark {
  private static final int THREAD_COUNT = 256;
  private static final int ROUND_COUNT = 50;

  /** Bytes of a block. */
  @Param({"20"})
  public long sizeBytes;

  /** Each thread opens one arena after the other and lets the others run before it closes it. */
  @Benchmark
  @OperationsPerInvocation(THREAD_COUNT * ROUND_COUNT)
  public int crowd(FactoryState state) throws InterruptedException, ExecutionException {
    List<Future<Integer>> sums = new ArrayList<>(THREAD_COUNT);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < THREAD_COUNT; i++) {
        sums.add(threads.submit(this::rounds));
      }
    }
    int sum = 0;
    for (Future<Integer> rounds : sums) {
      sum += rounds.get();
    }
    return sum;
  }

  @SuppressWarnings("ThreadPriorityCheck") // switching with an open arena is what is measured
  private int rounds() {
    int sum = 0;
    for (int i = 0; i < ROUND_COUNT; i++) {
      try (Arena arena = Contender.open()) {
        sum += Touch.both(arena.allocate(sizeBytes));
        Thread.yield();
      }
    }
    return sum;
  }
}
