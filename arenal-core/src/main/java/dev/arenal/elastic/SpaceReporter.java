package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.elastic.chunk.ChunkList;
import dev.arenal.elastic.chunk.Node;
import dev.arenal.elastic.chunk.PiecePages;
import dev.arenal.elastic.chunk.RootChunk;
import dev.arenal.elastic.chunk.RootDrawing;
import dev.arenal.elastic.chunk.SpaceCounters;
import dev.arenal.guard.FirstUse;
import dev.arenal.memory.Budget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Makes the report of a space, under its lock.
 *
 * <p>Memory is committed and given back under that lock only, in an arena as in the whole, so those
 * sums are those of one moment. The bump pointers of the arenas move meanwhile; {@link UsageTally}
 * says how that is kept out of the sums. Without details this is a look at every arena, chunk in
 * use and root and makes no garbage for any of them.
 */
final class SpaceReporter {
  private final SpaceState state;
  private final Set<ReportDetail> details;
  private final UsageTally total = new UsageTally();
  private final Map<ArenaGrowth, UsageTally> byGrowth = new EnumMap<>(ArenaGrowth.class);
  private final List<SpaceReport.ArenaUsage> arenas = new ArrayList<>();
  private final long[] inUseCount = new long[Chunk.PIECE + 1];
  private final long[] committedInUse = new long[Chunk.PIECE + 1];
  private final ChunkList inUse = new ChunkList();
  private long metadataBytes;

  private SpaceReporter(SpaceState state, Set<ReportDetail> details) {
    this.state = state;
    this.details = details;
    for (ArenaGrowth growth : ArenaGrowth.values()) {
      byGrowth.put(growth, new UsageTally());
    }
  }

  static SpaceReport report(SpaceState state, ReportDetail... details) {
    FirstUse.ofReports();
    Set<ReportDetail> asked = EnumSet.noneOf(ReportDetail.class);
    asked.addAll(Arrays.asList(details));
    state.lock.lock();
    try {
      state.requireOpen();
      state.damage.check();
      return new SpaceReporter(state, asked).report();
    } finally {
      state.lock.unlock();
    }
  }

  private SpaceReport report() {
    lookAtArenas();
    lookAtMetadata();
    Map<ArenaGrowth, SpaceReport.Usage> usages = new EnumMap<>(ArenaGrowth.class);
    byGrowth.forEach((growth, tally) -> usages.put(growth, tally.toUsage()));
    List<SpaceReport.Chunks> freeChunks = new ArrayList<>();
    for (int level = 0; level < Chunk.LEVEL_COUNT; level++) {
      long committedBytes = state.chunks.committedFreeBytes(level);
      freeChunks.add(chunks(level, state.chunks.freeCount(level), committedBytes));
    }
    PiecePages pieces = state.chunks.pieces;
    freeChunks.add(chunks(Chunk.PIECE, pieces.freeCount(), pieces.freeBytes()));
    return new SpaceReport(
        settings(),
        details,
        state.nodes.reservedBytes(),
        state.nodes.committedBytes(),
        state.nodes.count(),
        total.toUsage(),
        usages,
        chunksInUse(),
        freeChunks,
        state.trimmer.claimedChunksBytes,
        metadataBytes,
        statistics(state.counters),
        arenas,
        details.contains(ReportDetail.NODES) ? nodes() : List.of());
  }

  private void lookAtArenas() {
    UsageTally one = new UsageTally();
    for (int slot = 0; slot < state.capacityArenas(); slot++) {
      ChunkedArena arena = state.arena(slot);
      if (arena == null) {
        continue;
      }
      arena.tallyRacy(one);
      total.add(one);
      Objects.requireNonNull(byGrowth.get(arena.growth)).add(one);
      metadataBytes += arena.chunks.metadataBytes();
      if (details.contains(ReportDetail.ARENAS)) {
        arenas.add(
            new SpaceReport.ArenaUsage(
                arena.name,
                arena instanceof SharedArena,
                arena.isOrphan(),
                arena.growth,
                one.toUsage()));
      }
      if (details.contains(ReportDetail.CHUNK_LEVELS)) {
        lookAtChunks(arena.chunks);
      }
      if (details.contains(ReportDetail.NODES)) {
        for (int i = 0; i < arena.chunks.count(); i++) {
          inUse.add(arena.chunks.get(i));
        }
      }
    }
  }

  private void lookAtChunks(ChunkList chunks) {
    for (int i = 0; i < chunks.count(); i++) {
      int level = Chunk.level(chunks.get(i));
      inUseCount[level]++;
      committedInUse[level] += state.chunks.committedBytes(chunks.get(i));
    }
  }

  private void lookAtMetadata() {
    for (int index = 0; index < state.chunks.capacityRoots(); index++) {
      RootChunk root = state.chunks.root(index);
      metadataBytes += root == null ? 0 : root.metadataBytes();
    }
    metadataBytes += state.chunks.pieces.metadataBytes();
    for (int i = 0; i < state.nodes.count(); i++) {
      metadataBytes += state.nodes.get(i).reservation.metadataBytes();
    }
    References references = state.references;
    metadataBytes += references == null ? 0 : references.metadataBytes();
  }

  private List<SpaceReport.Chunks> chunksInUse() {
    List<SpaceReport.Chunks> levels = new ArrayList<>();
    if (details.contains(ReportDetail.CHUNK_LEVELS)) {
      for (int level = 0; level <= Chunk.PIECE; level++) {
        levels.add(chunks(level, inUseCount[level], committedInUse[level]));
      }
    }
    return levels;
  }

  private static SpaceReport.Chunks chunks(int level, long count, long committedBytes) {
    long capacityBytes = level == Chunk.PIECE ? committedBytes : count * Chunk.sizeBytes(level);
    return new SpaceReport.Chunks(Chunk.name(level), count, capacityBytes, committedBytes);
  }

  private List<SpaceReport.NodeUsage> nodes() {
    RootDrawing drawing = new RootDrawing(state.chunks, inUse.sorted());
    List<SpaceReport.NodeUsage> usages = new ArrayList<>();
    for (int i = 0; i < state.nodes.count(); i++) {
      Node node = state.nodes.get(i);
      List<String> rootMaps = new ArrayList<>();
      for (int root = node.firstRoot; root < node.firstRoot + node.usedRoots; root++) {
        rootMaps.add(drawing.of(state.chunks.root(root), node.unitCount(root)));
      }
      usages.add(
          new SpaceReport.NodeUsage(
              node.reservation.baseAddress(),
              node.reservation.sizeBytes(),
              node.reservation.committedBytes(),
              rootMaps));
    }
    return usages;
  }

  private static Map<String, Long> statistics(SpaceCounters counters) {
    Map<String, Long> statistics = new LinkedHashMap<>();
    statistics.put("num_allocs_failed_limit", counters.allocationsFailedLimit);
    statistics.put("num_arena_births", counters.arenaBirths);
    statistics.put("num_arena_deaths", counters.arenaDeaths);
    statistics.put("num_vsnodes_births", counters.nodeBirths);
    statistics.put("num_vsnodes_deaths", counters.nodeDeaths);
    statistics.put("num_space_committed", counters.commits);
    statistics.put("num_space_uncommitted", counters.uncommits);
    statistics.put("num_space_uncommit_failed", counters.uncommitsFailed);
    statistics.put("num_chunks_returned_to_freelist", counters.chunksReturned);
    statistics.put("num_chunks_taken_from_freelist", counters.chunksTaken);
    statistics.put("num_chunk_merges", counters.chunkMerges);
    statistics.put("num_chunk_splits", counters.chunkSplits);
    statistics.put("num_chunks_enlarged", counters.chunksEnlarged);
    return statistics;
  }

  private SpaceReport.Settings settings() {
    SpaceSettings settings = state.settings;
    Budget budget = settings.budget();
    return new SpaceReport.Settings(
        settings.name(),
        settings.fixedSizeBytes(),
        settings.granuleBytes(),
        settings.commitMode(),
        settings.reclaimPolicy(),
        settings.reserveBytes(),
        settings.uncommitDelay(),
        budget.name(),
        budget.limitBytes(),
        budget.committedBytes());
  }
}
