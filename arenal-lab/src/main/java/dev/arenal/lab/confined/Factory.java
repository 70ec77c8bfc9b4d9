package dev.arenal.lab.confined;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;

/** Where the arenas of a measurement come from. */
public enum Factory {
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

  /** Its name in results. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Its name for people. */
  public String title() {
    return title;
  }
}
