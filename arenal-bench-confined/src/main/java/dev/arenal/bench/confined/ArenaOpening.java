package dev.arenal.bench.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;

/** Arenas for their own sake: one that gives out nothing, and five that are open at once. */
public class ArenaOpening extends ConfinedBenchmark {
  /** Words that each of the nested arenas gives out, in one block. */
  private static final long WORD_COUNT = 4;

  /** An arena that is opened and closed, as if no native call had been needed after all. */
  @Benchmark
  public void none(FactoryState state) {
    try (Arena _ = Contender.open()) {
      return;
    }
  }

  /** Five arenas, each opened within the one before, with a block of four words each. */
  @Benchmark
  @SuppressWarnings("try") // that they are nested is all there is to it
  public int nested(FactoryState state) {
    try (Arena first = Contender.open()) {
      int sum = fill(first);
      try (Arena second = Contender.open()) {
        sum += fill(second);
        try (Arena third = Contender.open()) {
          sum += fill(third);
          try (Arena fourth = Contender.open()) {
            sum += fill(fourth);
            try (Arena fifth = Contender.open()) {
              return sum + fill(fifth);
            }
          }
        }
      }
    }
  }

  private static int fill(Arena arena) {
    return Touch.both(arena.allocate(ValueLayout.JAVA_LONG, WORD_COUNT));
  }
}
