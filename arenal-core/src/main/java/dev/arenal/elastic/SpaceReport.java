package dev.arenal.elastic;

import dev.arenal.memory.CommitMode;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of an {@link ElasticSpace} at one moment: how much it has reserved and committed, which
 * arenas hold that memory, and how much is free.
 *
 * <p>The sums are always right, even while other threads allocate: {@code committedBytes ==
 * usedBytes() + freeBytes() + wasteBytes() + cachedBytes()}. A {@link Usage} is of arenas, which
 * have nothing cached. Committed bytes are exact. Used bytes are exact for arenas from which no
 * thread allocates meanwhile, and recent values for the others. {@link #toString} has the layout of
 * {@code jcmd VM.metaspace}.
 *
 * @param settings the settings of the space
 * @param details the details that were requested
 * @param reservedBytes bytes of address space
 * @param committedBytes bytes in committed granules
 * @param nodeCount number of mappings
 * @param total the memory that all open arenas hold
 * @param byGrowth the memory that open arenas hold, for each kind of growth
 * @param chunksInUse the chunks that arenas hold, one element for each level from 16 MiB to 1 KiB,
 *     and one for pieces of shared pages; empty unless {@link ReportDetail#CHUNK_LEVELS} was
 *     requested
 * @param freeChunks the chunks that no arena holds, one element for each level as in {@code
 *     chunksInUse}, whatever details were requested
 * @param inTransitBytes committed bytes in claimed chunks, which are being discarded or pretouched
 *     at that moment
 * @param metadataBytes estimated bytes of the Java heap in the metadata of chunks and granules
 * @param statistics counts of events since the space was built, in the order in which they are
 *     printed; a count with HotSpot's meaning has HotSpot's name
 * @param arenas the open arenas; empty unless {@link ReportDetail#ARENAS} was requested
 * @param nodes the mappings; empty unless {@link ReportDetail#NODES} was requested
 */
public record SpaceReport(
    Settings settings,
    Set<ReportDetail> details,
    long reservedBytes,
    long committedBytes,
    int nodeCount,
    Usage total,
    Map<ArenaGrowth, Usage> byGrowth,
    List<Chunks> chunksInUse,
    List<Chunks> freeChunks,
    long inTransitBytes,
    long metadataBytes,
    Map<String, Long> statistics,
    List<ArenaUsage> arenas,
    List<NodeUsage> nodes) {

  /** Copies the collections. */
  public SpaceReport {
    details = Set.copyOf(details);
    byGrowth = byGrowth.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(byGrowth));
    chunksInUse = List.copyOf(chunksInUse);
    freeChunks = List.copyOf(freeChunks);
    statistics = Collections.unmodifiableMap(new LinkedHashMap<>(statistics));
    arenas = List.copyOf(arenas);
    nodes = List.copyOf(nodes);
  }

  /** Bytes in live blocks. */
  public long usedBytes() {
    return total.usedBytes();
  }

  /** Committed bytes in chunks in use, available to further blocks of their arenas. */
  public long freeBytes() {
    return total.freeBytes();
  }

  /** Committed bytes in chunks in use, not available to further blocks. */
  public long wasteBytes() {
    return total.wasteBytes();
  }

  /** Committed bytes outside chunks in use: in free chunks and in claimed ones. */
  public long cachedBytes() {
    return freeChunksBytes() + inTransitBytes;
  }

  /** Committed bytes in free chunks. */
  long freeChunksBytes() {
    long bytes = 0;
    for (Chunks level : freeChunks) {
      bytes += level.committedBytes();
    }
    return bytes;
  }

  /** The report as text, with the layout of {@code jcmd VM.metaspace}; ends with a newline. */
  @Override
  public String toString() {
    return new ReportText(this).text();
  }

  /**
   * The memory of one arena or of several. {@code committedBytes == usedBytes + freeBytes +
   * wasteBytes}.
   *
   * @param arenaCount number of arenas
   * @param chunkCount number of their chunks
   * @param capacityBytes bytes of address space in the chunks
   * @param committedBytes bytes of it that are committed
   * @param usedBytes bytes in live blocks
   * @param freeBytes committed bytes available to further blocks: beyond the bump pointer, and in
   *     blocks given back early
   * @param wasteBytes committed bytes not available to further blocks: remainders of stretches that
   *     the arena has left, and gaps for alignment
   * @param deallocatedBlockCount number of blocks given back early, neighbours joined
   * @param deallocatedBytes bytes in these blocks
   * @param deallocatedCommittedBytes committed bytes in these blocks; part of {@code freeBytes}
   */
  public record Usage(
      long arenaCount,
      long chunkCount,
      long capacityBytes,
      long committedBytes,
      long usedBytes,
      long freeBytes,
      long wasteBytes,
      long deallocatedBlockCount,
      long deallocatedBytes,
      long deallocatedCommittedBytes) {}

  /**
   * The chunks of one size.
   *
   * @param level {@code 16m} to {@code 1k}; {@code <4k} for the pieces of pages that arenas share
   * @param count number of chunks
   * @param capacityBytes bytes in them
   * @param committedBytes bytes in them that are committed
   */
  public record Chunks(String level, long count, long capacityBytes, long committedBytes) {}

  /**
   * An open arena.
   *
   * @param name the name it was opened with, or null
   * @param shared whether all threads may use it
   * @param ended whether it is confined to a thread that ended without closing it
   * @param growth how it grows
   * @param usage the memory that it holds
   */
  public record ArenaUsage(
      @Nullable String name, boolean shared, boolean ended, ArenaGrowth growth, Usage usage) {}

  /**
   * A mapping.
   *
   * @param baseAddress its first address
   * @param reservedBytes its size
   * @param committedBytes bytes in committed granules
   * @param rootMaps for each root chunk that has been taken into use, its chunks in the order of
   *     addresses: a letter for the level, {@code a} for 16 MiB to {@code o} for 1 KiB, {@code p}
   *     for pieces of a shared page, a capital if the chunk is in use, {@code ~} for claimed
   *     chunks; {@code N*12} means twelve of these
   */
  public record NodeUsage(
      long baseAddress, long reservedBytes, long committedBytes, List<String> rootMaps) {
    /** Copies the list. */
    public NodeUsage {
      rootMaps = List.copyOf(rootMaps);
    }
  }

  /**
   * The settings of a space, and the state of its budget.
   *
   * @param name name of the space
   * @param fixedSizeBytes size of the one mapping; 0 if the space is growable
   * @param granuleBytes unit of commit
   * @param commitMode how granules are committed
   * @param reclaimPolicy when memory goes back
   * @param reserveBytes free committed memory to keep at most
   * @param uncommitDelay how long memory must have been free before it goes back
   * @param budgetName name of the budget
   * @param budgetLimitBytes its limit; {@link Long#MAX_VALUE} if there is none
   * @param budgetCommittedBytes bytes committed by all users of the budget
   */
  public record Settings(
      String name,
      long fixedSizeBytes,
      long granuleBytes,
      CommitMode commitMode,
      ReclaimPolicy reclaimPolicy,
      long reserveBytes,
      Duration uncommitDelay,
      String budgetName,
      long budgetLimitBytes,
      long budgetCommittedBytes) {}
}
