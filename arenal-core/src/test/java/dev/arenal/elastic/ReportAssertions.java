package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.chunk.Chunk;
import java.util.Collection;
import java.util.List;
import java.util.function.ToLongFunction;

/** Assertions that hold for every report, whatever the space is doing. */
final class ReportAssertions {
  private ReportAssertions() {}

  /**
   * Committed = used + free + waste + cached, nothing is negative, and the parts sum up to the
   * whole.
   */
  static void assertLaw(SpaceReport report) {
    assertThat(report.usedBytes() + report.freeBytes() + report.wasteBytes() + report.cachedBytes())
        .as(
            "used=%d, free=%d, waste=%d, cached=%d",
            report.usedBytes(), report.freeBytes(), report.wasteBytes(), report.cachedBytes())
        .isEqualTo(report.committedBytes());
    assertThat(report.committedBytes()).isBetween(0L, report.reservedBytes());
    assertThat(report.inTransitBytes()).isNotNegative();
    assertLaw(report.total());
    assertSums(report.byGrowth().values(), report.total());
    if (report.details().contains(ReportDetail.ARENAS)) {
      List<SpaceReport.Usage> usages =
          report.arenas().stream().map(SpaceReport.ArenaUsage::usage).toList();
      assertSums(usages, report.total());
    }
    if (report.details().contains(ReportDetail.CHUNK_LEVELS)) {
      assertChunks(report.chunksInUse(), report.total());
    }
    for (SpaceReport.Chunks level : report.freeChunks()) {
      assertThat(level.committedBytes()).isBetween(0L, level.capacityBytes());
    }
    if (report.details().contains(ReportDetail.NODES)) {
      assertNodes(report);
    }
  }

  private static void assertLaw(SpaceReport.Usage usage) {
    assertThat(usage.usedBytes() + usage.freeBytes() + usage.wasteBytes())
        .as("%s", usage)
        .isEqualTo(usage.committedBytes());
    assertThat(
            List.of(
                usage.arenaCount(),
                usage.chunkCount(),
                usage.usedBytes(),
                usage.freeBytes(),
                usage.wasteBytes(),
                usage.deallocatedBlockCount(),
                usage.deallocatedBytes(),
                usage.deallocatedCommittedBytes()))
        .as("%s", usage)
        .allMatch(value -> value >= 0);
    assertThat(usage.committedBytes()).isLessThanOrEqualTo(usage.capacityBytes());
    assertThat(usage.deallocatedCommittedBytes()).isLessThanOrEqualTo(usage.freeBytes());
  }

  private static void assertSums(Collection<SpaceReport.Usage> parts, SpaceReport.Usage whole) {
    parts.forEach(ReportAssertions::assertLaw);
    List<ToLongFunction<SpaceReport.Usage>> figures =
        List.of(
            SpaceReport.Usage::arenaCount,
            SpaceReport.Usage::chunkCount,
            SpaceReport.Usage::capacityBytes,
            SpaceReport.Usage::committedBytes,
            SpaceReport.Usage::usedBytes,
            SpaceReport.Usage::freeBytes,
            SpaceReport.Usage::wasteBytes,
            SpaceReport.Usage::deallocatedBlockCount,
            SpaceReport.Usage::deallocatedBytes,
            SpaceReport.Usage::deallocatedCommittedBytes);
    for (ToLongFunction<SpaceReport.Usage> figure : figures) {
      assertThat(parts.stream().mapToLong(figure).sum()).isEqualTo(figure.applyAsLong(whole));
    }
  }

  private static void assertChunks(List<SpaceReport.Chunks> levels, SpaceReport.Usage whole) {
    assertThat(levels.stream().mapToLong(SpaceReport.Chunks::count).sum())
        .isEqualTo(whole.chunkCount());
    assertThat(levels.stream().mapToLong(SpaceReport.Chunks::capacityBytes).sum())
        .isEqualTo(whole.capacityBytes());
    assertThat(levels.stream().mapToLong(SpaceReport.Chunks::committedBytes).sum())
        .isEqualTo(whole.committedBytes());
  }

  private static void assertNodes(SpaceReport report) {
    assertThat(report.nodes()).hasSize(report.nodeCount());
    assertThat(report.nodes().stream().mapToLong(SpaceReport.NodeUsage::committedBytes).sum())
        .isEqualTo(report.committedBytes());
    assertThat(report.nodes().stream().mapToLong(SpaceReport.NodeUsage::reservedBytes).sum())
        .isEqualTo(report.reservedBytes());
    long[] inUse = new long[Chunk.PIECE + 1];
    long[] free = new long[Chunk.PIECE + 1];
    for (SpaceReport.NodeUsage node : report.nodes()) {
      node.rootMaps().forEach(map -> count(map, inUse, free));
    }
    for (int level = 0; level <= Chunk.PIECE; level++) {
      assertThat(free[level]).isEqualTo(report.freeChunks().get(level).count());
      if (report.details().contains(ReportDetail.CHUNK_LEVELS)) {
        assertThat(inUse[level]).isEqualTo(report.chunksInUse().get(level).count());
      }
    }
  }

  private static void count(String map, long[] inUse, long[] free) {
    for (int at = 0; at < map.length(); ) {
      char letter = map.charAt(at++);
      int count = 1;
      if (at < map.length() && map.charAt(at) == '*') {
        int from = ++at;
        while (at < map.length() && Character.isDigit(map.charAt(at))) {
          at++;
        }
        count = Integer.parseInt(map.substring(from, at));
      }
      if (letter >= 'a' && letter <= 'p') {
        free[letter - 'a'] += count;
      } else if (letter != '~') {
        inUse[letter - 'A'] += count;
      }
    }
  }
}
