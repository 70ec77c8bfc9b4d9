package dev.arenal.lab.replay;

import java.io.IOException;
import java.util.Optional;

/** Refuses a replay that would drive the machine out of memory. */
final class MemoryNeed {
  /**
   * The bytes that an allocator may need besides the payload: malloc rounds to 16 bytes and adds 8.
   */
  private static final long OVERHEAD_BYTES_PER_BLOCK = 32;

  private MemoryNeed() {}

  /** Why arenas of the JDK are left out, if they are: they keep blocks that are freed early. */
  static Optional<String> leftOut(
      AllocatorKind kind,
      ReplayProgram program,
      TracePlan plan,
      boolean isVerifying,
      long availableBytes) {
    if (!kind.isJdk()) {
      return Optional.empty();
    }
    long neededBytes =
        plan.most().keptBytes()
            + plan.most().keptBlocks() * OVERHEAD_BYTES_PER_BLOCK
            + ReplayWork.heapBytes(kind, program, plan, isVerifying);
    return neededBytes <= availableBytes
        ? Optional.empty()
        : Optional.of(
            ("%s is left out of %s: it keeps blocks that are freed early, and needs %,d bytes, of"
                    + " which %,d are available")
                .formatted(kind.label(), program.name(), neededBytes, availableBytes));
  }

  static void check(
      ReplayProgram program, TracePlan plan, ReplayOptions options, long availableBytes)
      throws IOException {
    long heapBytes = 0;
    for (AllocatorKind kind : options.kinds()) {
      if (kind.isReplayed() && !kind.isJdk()) { // those are left out instead
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
