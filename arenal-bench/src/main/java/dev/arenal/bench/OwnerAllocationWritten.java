package dev.arenal.bench;

import dev.arenal.elastic.ElasticArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;

/**
 * {@link OwnerAllocation} with every word of every block written, as a program does that needs the
 * memory: the time contains the cache misses and page faults that an allocator leaves to its user.
 *
 * <p>All contenders write through a segment of one block, malloc's and the control's too. Before,
 * those two wrote through a segment over all addresses, and the control was measured slower than an
 * arena that allocates.
 */
public class OwnerAllocationWritten extends ArenaBenchmark {
  private static final int BLOCKS = OwnerAllocation.BLOCKS;
  private static final long BLOCK_BYTES = OwnerAllocation.BLOCK_BYTES;

  /** The writes alone, into memory that stays: what every other figure contains. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void control(SlicingState state) {
    for (int i = 0; i < BLOCKS; i++) {
      write(state.segment.asSlice(i * BLOCK_BYTES, BLOCK_BYTES), i);
    }
  }

  /** A confined elastic arena of a space with defaults. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticConfined(ElasticState state) {
    try (ElasticArena arena = state.space.openConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        write(arena.allocate(BLOCK_BYTES, 8), i);
      }
    }
  }

  /** A shared elastic arena, used by one thread. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void elasticShared(ElasticState state) {
    try (ElasticArena arena = state.space.openShared()) {
      for (int i = 0; i < BLOCKS; i++) {
        write(arena.allocate(BLOCK_BYTES, 8), i);
      }
    }
  }

  /** One downcall to malloc and one to free for each block. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void mallocFree(MallocState state) {
    long[] addresses = state.addresses;
    for (int i = 0; i < BLOCKS; i++) {
      addresses[i] = LibC.malloc(BLOCK_BYTES);
      write(LibC.segment(addresses[i], BLOCK_BYTES), i);
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
      write(LibC.segment(addresses[i], BLOCK_BYTES), i);
    }
    for (int i = 0; i < BLOCKS; i++) {
      LibC.freeCritical(addresses[i]);
    }
  }

  /** The JDK's confined arena. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void jdkConfined() {
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < BLOCKS; i++) {
        write(arena.allocate(BLOCK_BYTES, 8), i);
      }
    }
  }

  /** The JDK's shared arena, used by one thread. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void jdkShared() {
    try (Arena arena = Arena.ofShared()) {
      for (int i = 0; i < BLOCKS; i++) {
        write(arena.allocate(BLOCK_BYTES, 8), i);
      }
    }
  }

  /** Slices of one segment that is never given back: a lower bound, not an allocator. */
  @Benchmark
  @OperationsPerInvocation(BLOCKS)
  public void slicing(SlicingState state) {
    SegmentAllocator slices = SegmentAllocator.slicingAllocator(state.segment);
    for (int i = 0; i < BLOCKS; i++) {
      write(slices.allocate(BLOCK_BYTES, 8), i);
    }
  }

  private static void write(MemorySegment block, long word) {
    for (int i = 0; i < BLOCK_BYTES / Long.BYTES; i++) {
      block.setAtIndex(ValueLayout.JAVA_LONG, i, word);
    }
  }
}
