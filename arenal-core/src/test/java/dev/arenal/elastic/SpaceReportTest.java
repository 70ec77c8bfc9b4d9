package dev.arenal.elastic;

import static dev.arenal.elastic.ReportAssertions.assertLaw;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.Budget;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The figures of a report against what the program did and what the space knows. */
final class SpaceReportTest {
  private static final List<ArenaGrowth> KINDS = List.of(ArenaGrowth.values());

  @ParameterizedTest
  @EnumSource(ReclaimPolicy.class)
  void sums_areThoseOfTheSpace(ReclaimPolicy policy) {
    try (ElasticSpace space = ElasticSpace.builder("sums").reclaimPolicy(policy).build()) {
      List<ElasticArena> arenas = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        ArenaGrowth growth = KINDS.get(i % KINDS.size());
        ElasticArena arena =
            i % 3 == 0 ? space.openShared("s" + i, growth) : space.openConfined("c" + i, growth);
        for (int k = 0; k < i; k++) {
          MemorySegment block = arena.allocate(8 + 37L * k, 1L << (k % 12));
          if (k % 5 == 0) {
            arena.deallocate(block);
          }
        }
        arenas.add(arena);
        if (i % 4 == 3) {
          arenas.remove(i / 4).close();
        }
      }
      SpaceReport report = space.report(ReportDetail.values());

      space.verify();
      assertLaw(report);
      assertThat(report.committedBytes()).isEqualTo(space.committedBytes());
      assertThat(report.reservedBytes()).isEqualTo(space.reservedBytes());
      assertThat(report.usedBytes()).isEqualTo(space.usedBytes());
      assertThat(report.usedBytes())
          .isEqualTo(arenas.stream().mapToLong(ElasticArena::usedBytes).sum());
      assertThat(report.total().arenaCount()).isEqualTo(space.arenaCount()).isEqualTo(150);
      assertThat(report.statistics())
          .containsEntry("num_arena_births", 200L)
          .containsEntry("num_arena_deaths", 50L);
      arenas.forEach(ElasticArena::close);
      assertLaw(space.report());
      assertThat(space.report().usedBytes()).isZero();
    }
  }

  @Test
  void waste_isTheRestOfAStretchThatIsLeft() {
    try (ElasticSpace space = ElasticSpace.builder("waste").granuleBytes(65536).build();
        ElasticArena arena = space.openConfined("a", ArenaGrowth.STANDARD);
        ElasticArena neighbour = space.openConfined("b", ArenaGrowth.STANDARD)) {
      assertThat(arena.allocate(4000, 8).byteSize()).isEqualTo(4000);
      assertThat(neighbour.allocate(4096, 8).byteSize()).isEqualTo(4096);
      assertThat(arena.allocate(1000, 8).byteSize()).isEqualTo(1000);

      SpaceReport.Usage usage = space.report(ReportDetail.ARENAS).arenas().getFirst().usage();

      assertThat(usage)
          .isEqualTo(new SpaceReport.Usage(1, 2, 8192, 8192, 5000, 4096 - 1000, 96, 0, 0, 0));
    }
  }

  @Test
  void waste_isTheGapForAnAlignment() {
    try (ElasticSpace space = ElasticSpace.builder("gap").build();
        ElasticArena arena = space.openConfined("a", ArenaGrowth.LARGE)) {
      assertThat(arena.allocate(8, 8).byteSize()).isEqualTo(8);
      assertThat(arena.allocate(8, 1024).byteSize()).isEqualTo(8);

      SpaceReport.Usage usage = space.report().total();

      assertThat(usage.usedBytes()).isEqualTo(16);
      assertThat(usage.wasteBytes()).isEqualTo(1024 - 8);
    }
  }

  @Test
  void deallocated_isFreeAsFarAsItIsCommitted() {
    try (ElasticSpace space = ElasticSpace.builder("deallocated").granuleBytes(4096).build();
        ElasticArena arena = space.openShared("a", ArenaGrowth.LARGE)) {
      MemorySegment large = arena.allocate(1 << 20, 4096);
      MemorySegment small = arena.allocate(100, 8);
      arena.deallocate(large);

      SpaceReport report = space.report();

      assertLaw(report);
      assertThat(report.total().usedBytes()).isEqualTo(104);
      assertThat(report.total().deallocatedBlockCount()).isOne();
      assertThat(report.total().deallocatedBytes()).isEqualTo(1 << 20);
      assertThat(report.total().deallocatedCommittedBytes()).isZero();
      arena.deallocate(small);
      assertThat(space.report().total().deallocatedCommittedBytes()).isEqualTo(104);
    }
  }

  @Test
  void limits_leaveTheSumsRight() {
    Budget budget = Budget.limitedTo("tight", 1 << 20);
    try (ElasticSpace space = ElasticSpace.builder("tight").budget(budget).build()) {
      List<ElasticArena> arenas = new ArrayList<>();
      for (ArenaGrowth growth : ArenaGrowth.values()) {
        arenas.add(space.openConfined("a", growth));
        arenas.add(space.openShared("b", growth));
      }
      int refused = 0;
      for (int i = 0; refused < 100; i++) {
        ElasticArena arena = arenas.get(i % arenas.size());
        try {
          MemorySegment block = arena.allocate(1L << (i % 17), 1L << (i % 13));
          if (i % 3 == 0) {
            arena.deallocate(block);
          }
        } catch (OutOfMemoryError e) {
          refused++;
          assertLaw(space.report());
        }
      }
      space.verify();
      SpaceReport report = space.report(ReportDetail.values());
      assertLaw(report);
      assertThat(report.usedBytes()).isEqualTo(space.usedBytes());
      assertThat(report.committedBytes())
          .isEqualTo(report.settings().budgetCommittedBytes())
          .isLessThanOrEqualTo(1 << 20);
      assertThat(report.statistics()).containsEntry("num_allocs_failed_limit", 100L);
      arenas.forEach(ElasticArena::close);
    }
  }

  @Test
  void details_areEmptyUnlessAskedFor() {
    try (ElasticSpace space = ElasticSpace.builder("details").build();
        ElasticArena arena = space.openConfined(null, ArenaGrowth.MICRO)) {
      assertThat(arena.allocate(1, 1).byteSize()).isOne();
      SpaceReport without = space.report();
      SpaceReport.Usage one = without.total();

      assertThat(without.arenas()).isEmpty();
      assertThat(without.nodes()).isEmpty();
      assertThat(without.chunksInUse()).isEmpty();
      assertThat(without.byGrowth()).containsOnlyKeys(ArenaGrowth.values());
      assertThat(space.report(ReportDetail.ARENAS).arenas())
          .containsExactly(new SpaceReport.ArenaUsage(null, false, false, ArenaGrowth.MICRO, one));
      assertThat(space.report(ReportDetail.CHUNK_LEVELS).chunksInUse())
          .hasSize(16)
          .contains(new SpaceReport.Chunks("<4k", 1, 1024, 1024));
    }
  }

  @Test
  void collections_cannotBeChanged() {
    try (ElasticSpace space = ElasticSpace.builder("immutable").build()) {
      SpaceReport report = space.report();

      for (Map<?, ?> map : List.of(report.byGrowth(), report.statistics())) {
        assertThatThrownBy(map::clear).isInstanceOf(UnsupportedOperationException.class);
      }
      assertThatThrownBy(() -> report.freeChunks().clear())
          .isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void closedSpace_isRefused() {
    ElasticSpace space = ElasticSpace.builder("over").build();
    space.close();

    assertThatThrownBy(space::report)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("space is closed: space=over (expected an open space)");
  }

  @Test
  void fixedSpace_hasOneNodeWhoseMapsCoverIt() {
    long sizeBytes = (16 << 20) + (3 << 16);
    try (ElasticSpace space =
            ElasticSpace.builder("fixed").granuleBytes(65536).fixedSizeBytes(sizeBytes).build();
        ElasticArena arena = space.openConfined("a", ArenaGrowth.MICRO)) {
      assertThat(arena.allocate(16 << 20, 8).byteSize()).isEqualTo(16 << 20);
      assertThat(arena.allocate(100, 8).byteSize()).isEqualTo(100);

      SpaceReport report = space.report(ReportDetail.NODES);

      assertLaw(report);
      assertThat(report.nodes()).hasSize(1);
      assertThat(report.nodes().getFirst().rootMaps()).containsExactly("A", "hPpmlkj");
      assertThat(report.settings().fixedSizeBytes()).isEqualTo(sizeBytes);
    }
  }
}
