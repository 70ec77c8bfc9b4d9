package dev.arenal.bench.confined;

import dev.arenal.confined.PooledArena;
import java.lang.foreign.Arena;

/** A way to get arenas that are used by one thread and closed soon. */
@FunctionalInterface
interface ArenaFactory {
  /** Opens an arena of the current thread. */
  Arena open();

  /** The factory of that name, as results call it. */
  static ArenaFactory named(String name) {
    return switch (name) {
      case "jdk" -> Arena::ofConfined;
      case "pooled" -> PooledArena::ofConfined;
      case "malloc" -> CallocArena::new;
      case "slicing" -> SlicingArena::open;
      case "control" -> FixedArena::new;
      default ->
          throw new IllegalArgumentException(
              "no such factory: factory="
                  + name
                  + " (expected jdk, pooled, malloc, slicing or control)");
    };
  }
}
