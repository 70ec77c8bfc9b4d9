package dev.arenal.lab.confined;

import dev.arenal.lab.result.Labelled;
import org.jspecify.annotations.Nullable;

/** A pattern of use of an arena: one benchmark, in the version for arenas and in that for LWJGL. */
public enum Shape implements Labelled {
  ONE("ArenaAllocation", "MemoryStackAllocation", true, "one allocation"),
  THREE("ArenaAllocation", "MemoryStackAllocation", true, "three allocations"),
  FOUR("ArenaAllocation", "MemoryStackAllocation", true, "four allocations"),
  NONE("ArenaOpening", "MemoryStackOpening", false, "no allocation at all"),
  NESTED("ArenaOpening", "MemoryStackOpening", false, "five nested arenas"),
  ESCAPING("ArenaAllocation", null, true, "an arena that escapes"),
  STRING("ArenaText", "MemoryStackText", true, "allocateFrom of a string"),
  STRLEN("ArenaText", "MemoryStackText", true, "strlen of a string"),
  BYTES("ArenaText", "MemoryStackText", true, "allocateFrom of bytes"),
  MIXED("ArenaAllocation", null, true, "three kinds of arenas at one place"),
  TIME("ArenaCalls", null, false, "time with a place for its result"),
  CROWD("ArenaCrowd", null, true, "256 virtual threads with open arenas");

  private static final String PACKAGE = "dev.arenal.bench.confined.";

  private final String arenaClass;
  private final @Nullable String stackClass;
  private final boolean isSized;
  private final String title;

  Shape(String arenaClass, @Nullable String stackClass, boolean isSized, String title) {
    this.arenaClass = arenaClass;
    this.stackClass = stackClass;
    this.isSized = isSized;
    this.title = title;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  /** Whether there is such a benchmark. */
  boolean isPossibleWith(Factory factory) {
    return factory != Factory.LWJGL || stackClass != null;
  }

  /** Whether JMH is told a size. */
  boolean isSized() {
    return isSized;
  }

  /** The name of the benchmark. */
  String benchmark(Factory factory) {
    String className = factory == Factory.LWJGL ? stackClass : arenaClass;
    return PACKAGE + className + "." + label();
  }
}
