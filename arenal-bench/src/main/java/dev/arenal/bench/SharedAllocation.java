package dev.arenal.bench;

import dev.arenal.elastic.ElasticSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * One shared arena, one, two and four threads that allocate 48 bytes at a time and write the first
 * word. The time is that of one block as its thread sees it. More threads than cores share them, so
 * the figures of one machine only compare the columns.
 *
 * <p>After 200,000 blocks the arena is closed and another opened, see {@link SharedArenas}. malloc
 * has no arena to share: each thread frees its own blocks, which it seldom can where an owner is
 * shared.
 */
public abstract class SharedAllocation extends ArenaBenchmark {
  private static final int BLOCKS = OwnerAllocation.BLOCKS;
  private static final long BLOCK_BYTES = OwnerAllocation.BLOCK_BYTES;

  /** The shared arena all by itself. */
  @Threads(1)
  public static class One extends SharedAllocation {}

  /** Two threads meet at one bump pointer. */
  @Threads(2)
  public static class Two extends SharedAllocation {}

  /** Four threads. */
  @Threads(4)
  public static class Four extends SharedAllocation {}

  /** Elastic shared arenas, one after the other. */
  @State(Scope.Benchmark)
  public static class ElasticArenas {
    private final ElasticSpace space = ElasticSpace.builder("shared").build();
    private final SharedArenas arenas = new SharedArenas(space::openShared);

    /** Closes the last, and the space. */
    @TearDown(Level.Trial)
    public void close() {
      arenas.close();
      space.close();
    }
  }

  /** The JDK's shared arenas, one after the other. */
  @State(Scope.Benchmark)
  public static class JdkArenas {
    private final SharedArenas arenas = new SharedArenas(Arena::ofShared);

    /** Closes the last. */
    @TearDown(Level.Trial)
    public void close() {
      arenas.close();
    }
  }

  /** An elastic shared arena. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticShared(ElasticArenas elastic) {
    allocate(elastic.arenas);
  }

  /** The JDK's shared arena. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void jdkShared(JdkArenas jdk) {
    allocate(jdk.arenas);
  }

  /** One downcall to malloc and one to free for each block, each thread for itself. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void mallocFree(MallocState state) {
    long[] addresses = state.addresses;
    for (int i = 0; i < BLOCKS; i++) {
      addresses[i] = LibC.malloc(BLOCK_BYTES);
      LibC.putWord(addresses[i], i);
    }
    for (int i = 0; i < BLOCKS; i++) {
      LibC.free(addresses[i]);
    }
  }

  /** The same with critical downcalls. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void mallocFreeCritical(MallocState state) {
    long[] addresses = state.addresses;
    for (int i = 0; i < BLOCKS; i++) {
      addresses[i] = LibC.mallocCritical(BLOCK_BYTES);
      LibC.putWord(addresses[i], i);
    }
    for (int i = 0; i < BLOCKS; i++) {
      LibC.freeCritical(addresses[i]);
    }
  }

  private static void allocate(SharedArenas arenas) {
    SharedArenas.Turn turn = arenas.enter();
    for (int i = 0; i < BLOCKS; i++) {
      turn.arena.allocate(BLOCK_BYTES, 8).set(ValueLayout.JAVA_LONG, 0, i);
    }
    turn.leave();
  }
}
