package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import org.jspecify.annotations.Nullable;

/** Sums for a report while it is being made; reused, so that a million arenas make no garbage. */
final class UsageTally {
  private long arenaCount;
  private long chunkCount;
  private long capacityBytes;
  private long committedBytes;
  private long usedBytes;
  private long freeBytes;
  private long freeBlockCount;
  private long deallocatedBytes;
  private long deallocatedCommittedBytes;

  /**
   * Becomes the tally of one arena. The committed bytes are exact; the other figures were read
   * while the owner may have been at work, and give way where they do not fit: blocks first, then
   * free blocks, then the rest of the stretch. The remainder is waste.
   *
   * @param racyUsedBytes bytes in live blocks
   * @param frees the blocks given back early; {@code null} if there never were any
   * @param racyRestBytes committed bytes beyond the bump pointer
   */
  void setRacy(
      ChunkedArena arena, long racyUsedBytes, @Nullable EarlyFrees frees, long racyRestBytes) {
    arenaCount = 1;
    chunkCount = arena.chunks.count();
    capacityBytes = 0;
    for (int i = 0; i < arena.chunks.count(); i++) {
      capacityBytes += Chunk.bytes(arena.chunks.get(i));
    }
    committedBytes = arena.committedBytes;
    usedBytes = Math.clamp(racyUsedBytes, 0, committedBytes);
    freeBlockCount = frees == null ? 0 : frees.blocks.blockCount();
    deallocatedBytes = frees == null ? 0 : Math.clamp(frees.blocks.totalBytes(), 0, capacityBytes);
    deallocatedCommittedBytes =
        frees == null ? 0 : Math.clamp(frees.committedBytes(), 0, committedBytes - usedBytes);
    long restBytes =
        Math.clamp(racyRestBytes, 0, committedBytes - usedBytes - deallocatedCommittedBytes);
    freeBytes = restBytes + deallocatedCommittedBytes;
  }

  void add(UsageTally other) {
    arenaCount += other.arenaCount;
    chunkCount += other.chunkCount;
    capacityBytes += other.capacityBytes;
    committedBytes += other.committedBytes;
    usedBytes += other.usedBytes;
    freeBytes += other.freeBytes;
    freeBlockCount += other.freeBlockCount;
    deallocatedBytes += other.deallocatedBytes;
    deallocatedCommittedBytes += other.deallocatedCommittedBytes;
  }

  SpaceReport.Usage toUsage() {
    return new SpaceReport.Usage(
        arenaCount,
        chunkCount,
        capacityBytes,
        committedBytes,
        usedBytes,
        freeBytes,
        committedBytes - usedBytes - freeBytes,
        freeBlockCount,
        deallocatedBytes,
        deallocatedCommittedBytes);
  }
}
