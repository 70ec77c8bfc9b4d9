package dev.arenal.bench;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.VerifiedSpace;
import dev.arenal.page.PageAllocator;
import java.lang.foreign.Arena;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * An arena from open to close, by the number of its blocks of 48 bytes. The time is that of the
 * whole arena; none of the blocks is written.
 *
 * <p>An arena without blocks, or with one, shows what opening and closing cost.
 */
@State(Scope.Thread)
public class ArenaSizes extends ArenaBenchmark {
  private static final long BLOCK_BYTES = OwnerAllocation.BLOCK_BYTES;

  /** Blocks an arena. */
  @Param({"0", "1", "10", "1000", "100000"})
  public int blocks;

  private long[] addresses = new long[0];

  /** Makes room for what malloc returns. */
  @Setup(Level.Trial)
  public void makeRoom() {
    addresses = new long[blocks];
  }

  /** The loop without any allocation. */
  @Benchmark
  public void control(Blackhole blackhole) {
    for (int i = 0; i < blocks; i++) {
      blackhole.consume(i * BLOCK_BYTES);
    }
  }

  /** A confined elastic arena. */
  @Benchmark
  public void elasticConfined(ElasticState state, Blackhole blackhole) {
    try (ElasticArena arena = state.space.openConfined()) {
      for (int i = 0; i < blocks; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }

  /** A shared elastic arena, used by one thread. */
  @Benchmark
  public void elasticShared(ElasticState state, Blackhole blackhole) {
    try (ElasticArena arena = state.space.openShared()) {
      for (int i = 0; i < blocks; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }

  /** One confined elastic arena, reset instead of closed. */
  @Benchmark
  public void elasticReset(ResetState state, Blackhole blackhole) {
    ElasticArena arena = state.arena;
    for (int i = 0; i < blocks; i++) {
      blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
    }
    arena.reset();
  }

  /** A confined arena whose memory is buffers of a page allocator. */
  @Benchmark
  public void pagesConfined(PagesState state, Blackhole blackhole) {
    try (Arena arena = state.pages.openConfinedArena()) {
      for (int i = 0; i < blocks; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }

  /** A shared one, used by one thread. */
  @Benchmark
  public void pagesShared(PagesState state, Blackhole blackhole) {
    try (Arena arena = state.pages.openSharedArena()) {
      for (int i = 0; i < blocks; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }

  /** An arena of the thread. */
  @State(Scope.Thread)
  public static class ResetState {
    private final ElasticSpace space = ElasticSpace.builder("rounds").build();
    private final ElasticArena arena = space.openConfined();

    /** Fails if the space is not in order. */
    @TearDown(Level.Trial)
    public void close() {
      arena.close();
      VerifiedSpace.verify(space);
      space.close();
    }
  }

  /** A page allocator with the default settings. */
  @State(Scope.Benchmark)
  public static class PagesState {
    private final PageAllocator pages =
        PageAllocator.builder("arenas").capacityBytes(256 << 20).build();

    /** Fails if an arena left a buffer open. */
    @TearDown(Level.Trial)
    public void close() {
      pages.close();
    }
  }

  /** One downcall to malloc and one to free for each block. */
  @Benchmark
  public void mallocFree(Blackhole blackhole) {
    long[] kept = addresses;
    for (int i = 0; i < blocks; i++) {
      kept[i] = LibC.malloc(BLOCK_BYTES);
      blackhole.consume(kept[i]);
    }
    for (int i = 0; i < blocks; i++) {
      LibC.free(kept[i]);
    }
  }

  /** The same with critical downcalls. */
  @Benchmark
  public void mallocFreeCritical(Blackhole blackhole) {
    long[] kept = addresses;
    for (int i = 0; i < blocks; i++) {
      kept[i] = LibC.mallocCritical(BLOCK_BYTES);
      blackhole.consume(kept[i]);
    }
    for (int i = 0; i < blocks; i++) {
      LibC.freeCritical(kept[i]);
    }
  }

  /** The JDK's confined arena. */
  @Benchmark
  public void jdkConfined(Blackhole blackhole) {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < blocks; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }

  /** The JDK's shared arena, used by one thread. */
  @Benchmark
  public void jdkShared(Blackhole blackhole) {
    try (Arena arena = Arena.ofShared()) {
      for (int i = 0; i < blocks; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }
}
