package dev.arenal.lab.jvm;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Where the committed memory is when most loaders are gone, from the JVM's own report.
 *
 * @param usedBytes live metadata
 * @param committedBytes of both spaces
 * @param freeChunksBytes committed memory of free chunks, counted once
 * @param freeInChunksBytes not yet used rest of the chunks that loaders allocate from
 * @param wasteBytes lost in chunks that loaders have filled
 * @param isCountedTwice whether the report itself counts the free non-class chunks twice
 */
public record Valley(
    long usedBytes,
    long committedBytes,
    long freeChunksBytes,
    @JsonProperty("freeInChunksInUseBytes") long freeInChunksBytes,
    long wasteBytes,
    @JsonProperty("reportCountsFreeChunksTwice") boolean isCountedTwice) {
  /** The phase it is of. */
  @JsonProperty
  String phase() {
    return WorkloadShape.valleyLabel();
  }

  /**
   * Committed memory that is none of the others: headers of chunks, and what was never handed out.
   */
  @JsonProperty
  public long otherBytes() {
    return Math.max(
        0, committedBytes - usedBytes - freeChunksBytes - freeInChunksBytes - wasteBytes);
  }
}
