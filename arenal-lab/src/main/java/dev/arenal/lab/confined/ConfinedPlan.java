package dev.arenal.lab.confined;

import dev.arenal.lab.jmh.JmhPlan;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The measurements of confined arenas, by how much time there is. Eight iterations are the fewest
 * of which a median has an error, even where there is time for one round only.
 */
public final class ConfinedPlan {
  private static final int BLOCK_BYTES = 16;
  private static final int NESTED_BYTES = 32;
  private static final int USUAL_BYTES = 20;
  private static final int LARGEST_SMALL_BYTES = 64;
  private static final int[] TEXT_BYTES = {5, 20, 45, 100};

  private ConfinedPlan() {}

  /** The JDK and the pool, in less than two minutes. */
  public static JmhPlan<ConfinedCell> quick() {
    Cells cells = new Cells(Factory.PAIR);
    cells.add(Shape.ONE, 0, 5, 20, 40, 64, 100, 500, 2000, 8000);
    cells.add(Shape.THREE, BLOCK_BYTES).add(Shape.FOUR, BLOCK_BYTES).add(Shape.NONE, 0);
    cells.add(Shape.NESTED, NESTED_BYTES).add(Shape.ESCAPING, USUAL_BYTES);
    cells.add(Shape.STRING, USUAL_BYTES).add(Shape.STRLEN, USUAL_BYTES);
    cells.onVirtualThreads().add(Shape.ONE, 5, USUAL_BYTES);
    return new JmhPlan<>(2, 95, 3, 150, 8, 30, cells.list(), List.of());
  }

  /** All factories. */
  public static JmhPlan<ConfinedCell> usual() {
    Cells cells = new Cells(EnumSet.allOf(Factory.class));
    cells.add(Shape.ONE, 0, 5, 8, 16, 20, 32, 48, 64, 100, 500, 2000, 8000);
    cells.add(Shape.THREE, BLOCK_BYTES).add(Shape.FOUR, BLOCK_BYTES).add(Shape.NONE, 0);
    cells.add(Shape.NESTED, NESTED_BYTES).add(Shape.ESCAPING, USUAL_BYTES);
    cells.add(Shape.STRING, TEXT_BYTES).add(Shape.STRLEN, TEXT_BYTES);
    cells.onVirtualThreads().add(Shape.ONE, 5, USUAL_BYTES, 100);
    cells.add(Shape.FOUR, BLOCK_BYTES).add(Shape.NONE, 0).add(Shape.STRLEN, USUAL_BYTES);
    return new JmhPlan<>(2, 0, 3, 150, 8, 30, cells.list(), List.of());
  }

  /** All factories and shapes, and every size up to 64: what the documents quote. */
  public static JmhPlan<ConfinedCell> thorough() {
    Set<Factory> all = EnumSet.allOf(Factory.class);
    Set<Factory> rivals = EnumSet.complementOf(EnumSet.copyOf(Factory.PAIR));
    Cells cells = new Cells(Factory.PAIR);
    cells.add(Shape.ONE, IntStream.rangeClosed(0, LARGEST_SMALL_BYTES).toArray());
    cells.with(rivals).add(Shape.ONE, 0, 5, 8, 16, 20, 32, 48, 64);
    cells.with(all).add(Shape.ONE, 100, 500, 2000, 8000);
    cells.add(Shape.THREE, BLOCK_BYTES).add(Shape.FOUR, BLOCK_BYTES).add(Shape.NONE, 0);
    cells.add(Shape.NESTED, NESTED_BYTES).add(Shape.ESCAPING, USUAL_BYTES);
    cells.add(Shape.MIXED, USUAL_BYTES).add(Shape.TIME, Long.BYTES);
    cells.add(Shape.STRING, TEXT_BYTES).add(Shape.BYTES, TEXT_BYTES).add(Shape.STRLEN, TEXT_BYTES);
    cells.onVirtualThreads().add(Shape.ONE, 5, USUAL_BYTES, LARGEST_SMALL_BYTES, 100);
    cells.add(Shape.FOUR, BLOCK_BYTES).add(Shape.NONE, 0).add(Shape.NESTED, NESTED_BYTES);
    cells.add(Shape.STRLEN, USUAL_BYTES).add(Shape.CROWD, USUAL_BYTES);
    // The figures that are claimed have more forks than the others.
    for (int i = 0; i < 3; i++) {
      cells.with(Factory.PAIR).onPlatformThreads().add(Shape.ONE, 5, 20, 100, 500, 2000, 8000);
      cells.add(Shape.FOUR, BLOCK_BYTES).add(Shape.NONE, 0);
      cells.onVirtualThreads().add(Shape.ONE, 5, USUAL_BYTES);
    }
    return new JmhPlan<>(2, 0, 3, 150, 8, 35, cells.list(), List.of());
  }

  /** A part of the lab: a rough figure of what is claimed first. */
  public static JmhPlan<ConfinedCell> lab(boolean isQuick) {
    Cells cells = new Cells(Factory.PAIR);
    if (isQuick) {
      cells.add(Shape.ONE, USUAL_BYTES).add(Shape.FOUR, BLOCK_BYTES);
      return new JmhPlan<>(1, 0, 3, 100, 8, 25, cells.list(), List.of());
    }
    cells.add(Shape.ONE, 5, USUAL_BYTES, LARGEST_SMALL_BYTES, 500);
    cells.add(Shape.FOUR, BLOCK_BYTES).add(Shape.NONE, 0);
    cells.onVirtualThreads().add(Shape.ONE, USUAL_BYTES);
    return new JmhPlan<>(2, 18, 3, 150, 8, 30, cells.list(), List.of());
  }

  /** Cells as they are written down: a shape and its sizes, for each factory. */
  private static final class Cells {
    private final List<ConfinedCell> list = new ArrayList<>();
    private Iterable<Factory> factories;
    private boolean isVirtual;

    Cells(Iterable<Factory> factories) {
      this.factories = factories;
    }

    Cells with(Iterable<Factory> others) {
      factories = others;
      return this;
    }

    Cells onVirtualThreads() {
      isVirtual = true;
      return this;
    }

    Cells onPlatformThreads() {
      isVirtual = false;
      return this;
    }

    Cells add(Shape shape, int... sizesBytes) {
      for (int sizeBytes : sizesBytes) {
        for (Factory factory : factories) {
          if (shape.isPossibleWith(factory)) {
            list.add(new ConfinedCell(shape, sizeBytes, isVirtual, factory));
          }
        }
      }
      return this;
    }

    List<ConfinedCell> list() {
      return list;
    }
  }
}
