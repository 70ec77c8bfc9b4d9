package dev.arenal.lab.replay;

import java.io.IOException;
import java.util.Optional;

/** Refuses a replay that would drive the machine out of memory. */
final class MemoryNeed {
  /**
   * The bytes that an allocator may need besides the payload: malloc rounds to 16 bytes and adds 8.
   */
  private static final long OVERHEAD_BYTES_PER_BLOCK = 32;

  /**
   * The same for each arena, of two that share a heap: pages of the heap for each size of blocks.
   * Some 45 KiB a heap were measured, and where owners are large as much again as is used, since
   * pages of those that ended stay.
   */
  private static final long OWNER_HEAP_BYTES_PER_ARENA = 32 << 10;

  private MemoryNeed() {}

  /**
   * Why an allocator that needs more than others is left out, if it is: arenas of the JDK keep
   * blocks that are freed early, a heap for each owner keeps pages.
   */
  static Optional<String> leftOut(
      AllocatorKind kind,
      ReplayProgram program,
      TracePlan plan,
      boolean isVerifying,
      long availableBytes) {
    if (!needsMore(kind)) {
      return Optional.empty();
    }
    UsedCurve.Most most = plan.most();
    long ownBytes =
        kind.isJdk()
            ? most.keptBytes() + most.keptBlocks() * OVERHEAD_BYTES_PER_BLOCK
            : 2 * most.usedBytes()
                + most.blocks() * OVERHEAD_BYTES_PER_BLOCK
                + most.liveArenas() * OWNER_HEAP_BYTES_PER_ARENA;
    long neededBytes = ownBytes + ReplayWork.heapBytes(kind, program, plan, isVerifying);
    return neededBytes <= availableBytes
        ? Optional.empty()
        : Optional.of(
            "%s is left out of %s: it keeps %s, and needs %,d bytes, of which %,d are available"
                .formatted(
                    kind.label(),
                    program.name(),
                    kind.isJdk() ? "blocks that are freed early" : "pages for each owner",
                    neededBytes,
                    availableBytes));
  }

  private static boolean needsMore(AllocatorKind kind) {
    return kind.isJdk() || kind == AllocatorKind.MIMALLOC_OWNER;
  }

  static void check(
      ReplayProgram program, TracePlan plan, ReplayOptions options, long availableBytes)
      throws IOException {
    long heapBytes = 0;
    for (AllocatorKind kind : options.kinds()) {
      if (kind.isReplayed() && !needsMore(kind)) { // those are left out instead
        long kindBytes = ReplayWork.heapBytes(kind, program, plan, options.isVerifying());
        heapBytes = Math.max(heapBytes, kindBytes);
      }
    }
    long overheadBytes = plan.most().blocks() * OVERHEAD_BYTES_PER_BLOCK;
    long neededBytes = plan.most().usedBytes() + overheadBytes + heapBytes;
    if (heapBytes > 0 && neededBytes > availableBytes) {
      throw new IOException(
          ("not enough memory to replay the trace: trace=%s, usedBytes=%d, overheadBytes=%d,"
                  + " javaHeapBytes=%d, sumBytes=%d, availableBytes=%d"
                  + " (expected the sum to be available; stop other programs or raise the limit of"
                  + " the container)")
              .formatted(
                  program.name(),
                  plan.most().usedBytes(),
                  overheadBytes,
                  heapBytes,
                  neededBytes,
                  availableBytes));
    }
  }
}
