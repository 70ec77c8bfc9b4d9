package dev.arenal.bench;

import dev.arenal.elastic.ElasticArena;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.Blackhole;

/**
 * {@link OwnerAllocation} for a program that keeps its segments, so that none of them can live in
 * registers: each costs an object on the Java heap, with every allocator.
 */
public class OwnerAllocationEscaping extends ArenaBenchmark {
  private static final int BLOCKS = OwnerAllocation.BLOCKS;
  private static final long BLOCK_BYTES = OwnerAllocation.BLOCK_BYTES;

  /** A confined elastic arena of a space with defaults. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticConfined(ElasticState state, Blackhole blackhole) {
    try (ElasticArena arena = state.space.openConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8));
      }
    }
  }

  /** A shared elastic arena, used by one thread. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticShared(ElasticState state, Blackhole blackhole) {
    try (ElasticArena arena = state.space.openShared()) {
      for (int i = 0; i < BLOCKS; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8));
      }
    }
  }

  /** The JDK's confined arena. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void jdkConfined(Blackhole blackhole) {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8));
      }
    }
  }

  /** The JDK's shared arena, used by one thread. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void jdkShared(Blackhole blackhole) {
    try (Arena arena = Arena.ofShared()) {
      for (int i = 0; i < BLOCKS; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8));
      }
    }
  }

  /** Slices of one segment that is never given back: a lower bound, not an allocator. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void slicing(SlicingState state, Blackhole blackhole) {
    SegmentAllocator slices = SegmentAllocator.slicingAllocator(state.segment);
    for (int i = 0; i < BLOCKS; i++) {
      blackhole.consume(slices.allocate(BLOCK_BYTES, 8));
    }
  }
}
