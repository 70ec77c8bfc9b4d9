package dev.arenal.lab.confined;

import dev.arenal.lab.result.Labelled;
import java.util.List;

/** Where the arenas of a measurement come from. */
public enum Factory implements Labelled {
  JDK("Arena.ofConfined()"),
  POOLED("PooledArena.ofConfined()"),
  MALLOC("calloc and free"),
  SLICING("slices of a thread's segment"),
  LWJGL("LWJGL's MemoryStack"),
  CONTROL("control: no allocation");

  /** The two that are compared. */
  public static final List<Factory> PAIR = List.of(JDK, POOLED);

  private final String title;

  Factory(String title) {
    this.title = title;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }
}
