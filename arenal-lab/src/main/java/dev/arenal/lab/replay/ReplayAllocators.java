package dev.arenal.lab.replay;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Objects;

/** Opens the allocator of a kind for a program. */
final class ReplayAllocators {
  private static final long KIB = 1024;

  /** Longer than a replay. */
  private static final Duration KEPT = Duration.ofHours(1);

  private ReplayAllocators() {}

  static ReplayAllocator open(AllocatorKind kind, ReplayProgram program) {
    return switch (kind) {
      case HOTSPOT, CLAIRVOYANT ->
          throw new IllegalArgumentException("nothing to replay: allocator=" + kind.label());
      case ELASTIC -> new ElasticAllocator(program, builder -> builder);
      case ELASTIC_64K -> new ElasticAllocator(program, builder -> builder.granuleBytes(64 * KIB));
      case ELASTIC_16K -> new ElasticAllocator(program, builder -> builder.granuleBytes(16 * KIB));
      case ELASTIC_KEPT -> new ElasticAllocator(program, builder -> builder.uncommitDelay(KEPT));
      case ELASTIC_OWNER -> new OwnerAllocator(program);
      case MALLOC, JEMALLOC, MIMALLOC ->
          new MallocAllocator(Objects.requireNonNull(kind.heap()), program);
      case JDK_CONFINED -> new JdkAllocator(program, Arena::ofConfined);
      case JDK_SHARED -> new JdkAllocator(program, Arena::ofShared);
    };
  }
}
