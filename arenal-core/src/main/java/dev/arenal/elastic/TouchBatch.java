package dev.arenal.elastic;

import dev.arenal.elastic.chunk.ChunkList;
import dev.arenal.os.OperatingSystem;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one step of the touching thread populates in one call: pieces of ranges, and
 * begins of free chunks that are in no free list meanwhile.
 */
final class TouchBatch {
  /** A batch of this size takes well below 100 µs, which is what a close may have to wait for. */
  static final long MOST_BYTES = 128 * 1024;

  static final int MOST_RANGES = 32;

  /** Which the pieces belong to; an array, so that nothing here needs the heap. */
  private final @Nullable AheadRange[] ranges = new AheadRange[MOST_RANGES + 2];

  private int countRanges;
  final ChunkList chunks = new ChunkList();

  /** A chunk may be added when the sum is just short of the limit. */
  private final long[] addresses = new long[MOST_RANGES + 2];

  private final long[] sizesBytes = new long[MOST_RANGES + 2];
  private int count;
  private long totalBytes;

  boolean isEmpty() {
    return count == 0;
  }

  boolean isFull() {
    return totalBytes >= MOST_BYTES || count >= MOST_RANGES;
  }

  long restBytes() {
    return MOST_BYTES - totalBytes;
  }

  int countRanges() {
    return countRanges;
  }

  AheadRange range(int index) {
    return Objects.requireNonNull(ranges[index]);
  }

  void add(AheadRange range, long address, long sizeBytes) {
    ranges[countRanges++] = range;
    add(address, sizeBytes);
  }

  void add(long address, long sizeBytes) {
    addresses[count] = address;
    sizesBytes[count++] = sizeBytes;
    totalBytes += sizeBytes;
  }

  int populate(OperatingSystem os) {
    return os.populateAll(addresses, sizesBytes, count);
  }

  void clear() {
    Arrays.fill(ranges, 0, countRanges, null);
    countRanges = 0;
    chunks.clear();
    count = 0;
    totalBytes = 0;
  }
}
