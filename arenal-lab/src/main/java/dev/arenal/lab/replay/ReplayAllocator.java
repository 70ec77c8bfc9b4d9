package dev.arenal.lab.replay;

import dev.arenal.lab.heap.NativeHeap;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Objects;

/**
 * An allocator as the replay sees it: arenas by number, blocks by address.
 *
 * <p>A process replays with one kind only, so every call in the driver's loop has one target and is
 * inlined. One thread opens, uses and closes it.
 */
interface ReplayAllocator extends AutoCloseable {
  /** A figure that this allocator cannot tell. */
  long UNKNOWN = NativeHeap.UNKNOWN;

  /** Opens the allocator of a kind for a program. */
  static ReplayAllocator open(AllocatorKind kind, ReplayProgram program) {
    return switch (kind) {
      case HOTSPOT, CLAIRVOYANT ->
          throw new IllegalArgumentException("nothing to replay: allocator=" + kind.label());
      case ELASTIC -> new ElasticAllocator(program, builder -> builder);
      case ELASTIC_64K -> new ElasticAllocator(program, builder -> builder.granuleBytes(64 << 10));
      case ELASTIC_16K -> new ElasticAllocator(program, builder -> builder.granuleBytes(16 << 10));
      // Longer than a replay.
      case ELASTIC_KEPT ->
          new ElasticAllocator(program, builder -> builder.uncommitDelay(Duration.ofHours(1)));
      case ELASTIC_OWNER -> new OwnerAllocator(program);
      case MALLOC, JEMALLOC, MIMALLOC ->
          new MallocAllocator(Objects.requireNonNull(kind.heap()), program);
      case MIMALLOC_OWNER -> new OwnerHeapAllocator(program);
      case JDK_CONFINED -> new JdkAllocator(program, Arena::ofConfined);
      case JDK_SHARED -> new JdkAllocator(program, Arena::ofShared);
    };
  }

  /** Starts an arena. */
  void birth(int arena);

  /** Takes a block and returns its address, which is a multiple of 8. */
  long allocate(int arena, long sizeBytes);

  /** The same, for a block that {@link #deallocate} will give back by that slot. */
  long allocateKept(int arena, long sizeBytes, int slot);

  /** Gives a block back early; does nothing where the allocator has no way to. */
  void deallocate(int arena, int slot);

  /** Ends an arena with all its blocks. */
  void death(int arena);

  /** The bytes that the allocator has taken from the operating system, or {@link #UNKNOWN}. */
  long committedBytes();

  /** The bytes that this adapter itself puts before each block. */
  default long headerBytesPerBlock() {
    return 0;
  }

  /** The unit in which memory is committed, or {@link #UNKNOWN}. */
  default long granuleBytes() {
    return UNKNOWN;
  }

  /** Whether a fresh block reads as zero. */
  boolean isZeroing();

  /** Ends whatever is still alive. */
  @Override
  void close();
}
