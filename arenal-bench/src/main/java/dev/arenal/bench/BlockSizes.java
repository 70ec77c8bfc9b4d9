package dev.arenal.bench;

import dev.arenal.elastic.ElasticArena;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A block by its size: an arena is opened, gives out 100 blocks of one size, and is closed. The
 * first word of each block is written. The time is that of one block.
 *
 * <p>From 8192 bytes on an elastic arena is larger than what a space with defaults keeps committed,
 * so that every round gets new pages from the kernel.
 */
@State(Scope.Thread)
public class BlockSizes extends ArenaBenchmark {
  private static final int BLOCKS = 100;

  /** Bytes of a block. */
  @Param({"8", "16", "32", "48", "64", "128", "256", "512", "1024", "2048", "4096", "8192"})
  public long sizeBytes;

  private final long[] addresses = new long[BLOCKS];

  /** A confined elastic arena. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticConfined(ElasticState state) {
    try (ElasticArena arena = state.space.openConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        arena.allocate(sizeBytes, 8).set(ValueLayout.JAVA_LONG, 0, i);
      }
    }
  }

  /** One downcall to malloc and one to free for each block; not zeroed. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void mallocFree() {
    long[] kept = addresses;
    for (int i = 0; i < BLOCKS; i++) {
      kept[i] = LibC.malloc(sizeBytes);
      LibC.putWord(kept[i], i);
    }
    for (int i = 0; i < BLOCKS; i++) {
      LibC.free(kept[i]);
    }
  }

  /** The same with critical downcalls. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void mallocFreeCritical() {
    long[] kept = addresses;
    for (int i = 0; i < BLOCKS; i++) {
      kept[i] = LibC.mallocCritical(sizeBytes);
      LibC.putWord(kept[i], i);
    }
    for (int i = 0; i < BLOCKS; i++) {
      LibC.freeCritical(kept[i]);
    }
  }

  /** The JDK's confined arena. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void jdkConfined() {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        arena.allocate(sizeBytes, 8).set(ValueLayout.JAVA_LONG, 0, i);
      }
    }
  }
}
