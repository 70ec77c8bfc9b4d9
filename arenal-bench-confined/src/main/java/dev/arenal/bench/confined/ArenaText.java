package dev.arenal.bench.confined;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Texts and arrays that are copied into an arena, and a native call that reads one. */
@State(Scope.Thread)
public class ArenaText extends ConfinedBenchmark {
  /** Characters of the text, one byte each. */
  @Param({"5", "20", "45", "100"})
  public int sizeBytes;

  private String text = "";
  private byte[] bytes = {};

  /** Makes the text. */
  @Setup(Level.Trial)
  public void make() {
    text = "x".repeat(sizeBytes);
    bytes = new byte[sizeBytes];
  }

  /** A C string. */
  @Benchmark
  public int string(FactoryState state) {
    try (Arena arena = Contender.open()) {
      return Touch.both(arena.allocateFrom(text));
    }
  }

  /** An array of bytes. */
  @Benchmark
  public int bytes(FactoryState state) {
    try (Arena arena = Contender.open()) {
      return Touch.both(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes));
    }
  }

  /** A C string for a real native call. */
  @Benchmark
  public long strlen(FactoryState state) {
    try (Arena arena = Contender.open()) {
      return LibC.strlen(arena.allocateFrom(text));
    }
  }
}
