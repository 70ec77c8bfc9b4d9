package dev.arenal.bench;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import java.lang.foreign.Arena;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A block of 32 MiB in a space where every second of many pieces of 4 KiB is free: an arena is
 * opened for it, and closed, which gives the block back to the kernel. An elastic arena makes the
 * pages of a large block resident, the JDK's zeroes them. The time must not grow with the number of
 * holes.
 */
@State(Scope.Thread)
public class LargeBlockAmongHoles extends ArenaBenchmark {
  private static final long BLOCK_BYTES = 32 << 20;
  private static final long PIECE_BYTES = 4096;

  /** How many pieces are free, and as many are not. */
  @Param({"100", "100000"})
  public int holes = 100;

  /** A space with holes. */
  @State(Scope.Thread)
  public static class Space {
    private final ElasticSpace space = ElasticSpace.builder("holes").build();
    private ElasticArena[] arenas = {};

    /** Opens arenas of one piece each, and closes every second one. */
    @Setup(Level.Trial)
    public void fill(LargeBlockAmongHoles load) {
      arenas = new ElasticArena[2 * load.holes];
      Arrays.setAll(arenas, i -> space.openConfined());
      for (ElasticArena arena : arenas) {
        var _ = arena.allocate(PIECE_BYTES, 8);
      }
      for (int i = 0; i < arenas.length; i += 2) {
        arenas[i].close();
      }
    }

    /** Closes the others. */
    @TearDown(Level.Trial)
    public void empty() {
      for (int i = 1; i < arenas.length; i += 2) {
        arenas[i].close();
      }
      space.close();
    }
  }

  /** An arena for the block. */
  @Benchmark
  public long elasticConfined(Space state) {
    try (ElasticArena arena = state.space.openConfined()) {
      return arena.allocate(BLOCK_BYTES, 8).address();
    }
  }

  /** The JDK's confined arena. */
  @Benchmark
  public long jdkConfined() {
    try (Arena arena = Arena.ofConfined()) {
      return arena.allocate(BLOCK_BYTES, 8).address();
    }
  }
}
