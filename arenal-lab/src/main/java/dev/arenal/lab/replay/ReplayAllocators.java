package dev.arenal.lab.replay;

/** Opens the allocator of a kind for a program. */
final class ReplayAllocators {
  private ReplayAllocators() {}

  static ReplayAllocator open(AllocatorKind kind, ReplayProgram program) {
    return switch (kind) {
      case HOTSPOT ->
          throw new IllegalArgumentException("nothing to replay: allocator=" + kind.label());
      case ELASTIC, ELASTIC_64K, ELASTIC_16K, ELASTIC_OWNER ->
          throw new IllegalArgumentException("not there yet: allocator=" + kind.label());
      case MALLOC -> new MallocAllocator(program);
      case JDK_CONFINED -> new ConfinedAllocator(program);
    };
  }
}
