package dev.arenal.bench;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * An arena is opened, gets one block of 48 bytes, whose first word is written, and is closed, while
 * many others with such a block stay open. The time is that of the whole. It must not grow with
 * their number.
 */
@State(Scope.Thread)
public class OneArenaAmongMany extends ArenaBenchmark {
  private static final long BLOCK_BYTES = OwnerAllocation.BLOCK_BYTES;

  /** How many others are open. */
  @Param({"10000", "1000000"})
  public int others = 10_000;

  /** Elastic arenas. */
  @State(Scope.Thread)
  public static class ElasticOthers {
    private final ElasticSpace space = ElasticSpace.builder("one-among-many").build();
    private ElasticArena[] arenas = {};

    /** Opens the others. */
    @Setup(Level.Trial)
    public void open(OneArenaAmongMany load) {
      arenas = new ElasticArena[load.others];
      Arrays.setAll(arenas, i -> space.openConfined());
      for (ElasticArena arena : arenas) {
        use(arena);
      }
    }

    /** Closes them. */
    @TearDown(Level.Trial)
    public void close() {
      Arrays.stream(arenas).forEach(ElasticArena::close);
      space.close();
    }
  }

  /** The JDK's confined arenas. */
  @State(Scope.Thread)
  public static class JdkOthers {
    private Arena[] arenas = {};

    /** Opens the others. */
    @Setup(Level.Trial)
    public void open(OneArenaAmongMany load) {
      arenas = new Arena[load.others];
      Arrays.setAll(arenas, i -> Arena.ofConfined());
      for (Arena arena : arenas) {
        use(arena);
      }
    }

    /** Closes them. */
    @TearDown(Level.Trial)
    public void close() {
      Arrays.stream(arenas).forEach(Arena::close);
    }
  }

  private static void use(Arena arena) {
    arena.allocate(BLOCK_BYTES, 8).set(ValueLayout.JAVA_LONG, 0, BLOCK_BYTES);
  }

  /** A confined elastic arena. */
  @Benchmark
  public void elasticConfined(ElasticOthers others) {
    try (ElasticArena arena = others.space.openConfined()) {
      use(arena);
    }
  }

  /** A shared elastic arena: its close asks all threads, as that of the JDK does. */
  @Benchmark
  public void elasticShared(ElasticOthers others) {
    try (ElasticArena arena = others.space.openShared()) {
      use(arena);
    }
  }

  /** The JDK's confined arena. */
  @Benchmark
  public void jdkConfined(JdkOthers others) {
    try (Arena arena = Arena.ofConfined()) {
      use(arena);
    }
  }

  /** The JDK's shared arena. */
  @Benchmark
  public void jdkShared(JdkOthers others) {
    try (Arena arena = Arena.ofShared()) {
      use(arena);
    }
  }
}
