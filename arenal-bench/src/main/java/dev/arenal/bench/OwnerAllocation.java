package dev.arenal.bench;

import dev.arenal.elastic.ElasticArena;
import java.lang.foreign.Arena;
import java.lang.foreign.SegmentAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The cost of an owner's memory, allocation alone: an arena is opened, gives out 1,000 blocks of 48
 * bytes, and is closed. The time is that of one block, with its share of open and close.
 *
 * <p>Only the address of a block is looked at. {@link OwnerAllocationWritten} is the same with
 * every word written, {@link OwnerAllocationEscaping} with segments that outlive the loop.
 */
public class OwnerAllocation extends ArenaBenchmark {
  static final int BLOCKS = 1000;
  static final long BLOCK_BYTES = 48;

  /** The loop without any allocation: what every other figure contains. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void control(Blackhole blackhole) {
    for (int i = 0; i < BLOCKS; i++) {
      blackhole.consume(i * BLOCK_BYTES);
    }
  }

  /** A confined elastic arena of a space with defaults. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticConfined(ElasticState state, Blackhole blackhole) {
    try (ElasticArena arena = state.space.openConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }

  /** A shared elastic arena, used by one thread. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticShared(ElasticState state, Blackhole blackhole) {
    try (ElasticArena arena = state.space.openShared()) {
      for (int i = 0; i < BLOCKS; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }

  /** One downcall to malloc and one to free for each block. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void mallocFree(MallocState state, Blackhole blackhole) {
    long[] addresses = state.addresses;
    for (int i = 0; i < BLOCKS; i++) {
      addresses[i] = LibC.malloc(BLOCK_BYTES);
      blackhole.consume(addresses[i]);
    }
    for (int i = 0; i < BLOCKS; i++) {
      LibC.free(addresses[i]);
    }
  }

  /** The same with critical downcalls. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void mallocFreeCritical(MallocState state, Blackhole blackhole) {
    long[] addresses = state.addresses;
    for (int i = 0; i < BLOCKS; i++) {
      addresses[i] = LibC.mallocCritical(BLOCK_BYTES);
      blackhole.consume(addresses[i]);
    }
    for (int i = 0; i < BLOCKS; i++) {
      LibC.freeCritical(addresses[i]);
    }
  }

  /** The JDK's confined arena. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void jdkConfined(Blackhole blackhole) {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }

  /** The JDK's shared arena, used by one thread. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void jdkShared(Blackhole blackhole) {
    try (Arena arena = Arena.ofShared()) {
      for (int i = 0; i < BLOCKS; i++) {
        blackhole.consume(arena.allocate(BLOCK_BYTES, 8).address());
      }
    }
  }

  /** Slices of one segment that is never given back: a lower bound, not an allocator. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void slicing(SlicingState state, Blackhole blackhole) {
    SegmentAllocator slices = SegmentAllocator.slicingAllocator(state.segment);
    for (int i = 0; i < BLOCKS; i++) {
      blackhole.consume(slices.allocate(BLOCK_BYTES, 8).address());
    }
  }
}
