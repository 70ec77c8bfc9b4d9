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
 * Blocks of 40 bytes at addresses that are multiples of the alignment, 100 in an arena that is
 * opened and closed. The first word of each block is written. The time is that of one block.
 */
@State(Scope.Thread)
public class AlignedAllocation extends ArenaBenchmark {
  private static final int BLOCKS = 100;
  private static final long BLOCK_BYTES = 40;

  /** Bytes that an address is a multiple of. */
  @Param({"8", "16", "64", "4096"})
  public long alignmentBytes;

  private final long[] addresses = new long[BLOCKS];

  /** A confined elastic arena. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticConfined(ElasticState state) {
    try (ElasticArena arena = state.space.openConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        arena.allocate(BLOCK_BYTES, alignmentBytes).set(ValueLayout.JAVA_LONG, 0, i);
      }
    }
  }

  /** A shared elastic arena, used by one thread. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticShared(ElasticState state) {
    try (ElasticArena arena = state.space.openShared()) {
      for (int i = 0; i < BLOCKS; i++) {
        arena.allocate(BLOCK_BYTES, alignmentBytes).set(ValueLayout.JAVA_LONG, 0, i);
      }
    }
  }

  /** One downcall to aligned_alloc and one to free for each block; not zeroed. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void mallocFree() {
    long[] kept = addresses;
    long blockBytes = (BLOCK_BYTES + alignmentBytes - 1) & -alignmentBytes;
    for (int i = 0; i < BLOCKS; i++) {
      kept[i] = LibC.alignedAlloc(alignmentBytes, blockBytes);
      LibC.putWord(kept[i], i);
    }
    for (int i = 0; i < BLOCKS; i++) {
      LibC.free(kept[i]);
    }
  }

  /** The JDK's confined arena. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void jdkConfined() {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        arena.allocate(BLOCK_BYTES, alignmentBytes).set(ValueLayout.JAVA_LONG, 0, i);
      }
    }
  }
}
