package dev.arenal.lab.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A seeded run of events that keep to the rules of a trace, in all their variety. */
final class RandomTrace {
  private static final String SEED_PROPERTY = "test.seed";

  private final Random random;
  private final List<Integer> alive = new ArrayList<>();
  private final Map<Integer, List<Integer>> blocksOfArenas = new HashMap<>();
  private int arenaCount;
  private int loaderCount;
  private int blockCount;

  private RandomTrace(long seed) {
    this.random = new Random(seed);
  }

  /** The seed of this run: {@code -Dtest.seed}, or a fresh one. */
  static long seed() {
    String given = System.getProperty(SEED_PROPERTY, "");
    return given.isEmpty() ? System.nanoTime() : Long.parseLong(given);
  }

  static void generate(long seed, int eventCount, TraceVisitor visitor) {
    RandomTrace trace = new RandomTrace(seed);
    for (int i = 0; i < eventCount; i++) {
      trace.step(visitor);
    }
  }

  private void step(TraceVisitor visitor) {
    int dice = random.nextInt(1000);
    if (alive.isEmpty() || dice < 20) {
      birth(visitor);
    } else if (dice < 25) {
      visitor.hotspotCommitted(
          random.nextBoolean() ? TraceSpace.CLASS : TraceSpace.NON_CLASS,
          random.nextLong(1L << random.nextInt(10, 42)) / 1024 * 1024);
    } else if (dice < 28) {
      visitor.mark("phase \u00e4 " + random.nextInt());
    } else if (dice < 40) {
      int arena = removeAny(alive);
      blocksOfArenas.remove(arena);
      visitor.death(arena);
    } else if (dice < 60) {
      deallocate(visitor);
    } else {
      allocate(visitor);
    }
  }

  private void birth(TraceVisitor visitor) {
    boolean hasBoth = random.nextInt(4) > 0;
    int loader = loaderCount++;
    add(visitor, TraceSpace.NON_CLASS, loader);
    if (hasBoth) {
      add(visitor, TraceSpace.CLASS, loader);
    }
  }

  private void add(TraceVisitor visitor, TraceSpace space, int loader) {
    int arena = arenaCount++;
    alive.add(arena);
    blocksOfArenas.put(arena, new ArrayList<>());
    visitor.birth(arena, space, loader);
  }

  private void allocate(TraceVisitor visitor) {
    int arena = alive.get(random.nextInt(Math.min(alive.size(), 1 + random.nextInt(8))));
    int maxWords = 1 << (random.nextInt(50) == 0 ? 28 : 1 + random.nextInt(8));
    blocksOfArenas.getOrDefault(arena, new ArrayList<>()).add(blockCount);
    visitor.allocate(arena, 1 + random.nextInt(maxWords), blockCount++);
  }

  private void deallocate(TraceVisitor visitor) {
    int arena = alive.get(random.nextInt(alive.size()));
    List<Integer> blocks = blocksOfArenas.getOrDefault(arena, List.of());
    if (!blocks.isEmpty()) {
      visitor.deallocate(arena, removeAny(blocks));
    }
  }

  private int removeAny(List<Integer> numbers) {
    int index = random.nextInt(numbers.size());
    int number = numbers.get(index);
    numbers.set(index, numbers.getLast());
    numbers.removeLast();
    return number;
  }
}
