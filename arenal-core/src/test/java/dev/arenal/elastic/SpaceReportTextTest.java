package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The whole text of the report of a small space, and of an empty one. */
final class SpaceReportTextTest {
  private static final String NO_DETAILS =
      """
      golden           used 1029K, committed 1088K, reserved 65536K

      Total Usage - 3 arenas:
      USAGE-OF-ALL

      Virtual space:
          64.00 MB reserved,    1.06 MB (  2%) committed, 1 node.

      Chunk freelists:
        16m: (none)
         8m:     1, capacity=   8.00 MB, committed=   0 bytes (  0%)
         4m: (none)
         2m:     1, capacity=   2.00 MB, committed=   0 bytes (  0%)
         1m:     1, capacity=   1.00 MB, committed=   0 bytes (  0%)
       512k:     1, capacity= 512.00 KB, committed=   0 bytes (  0%)
       256k:     1, capacity= 256.00 KB, committed=   0 bytes (  0%)
       128k:     1, capacity= 128.00 KB, committed=   0 bytes (  0%)
        64k:     1, capacity=  64.00 KB, committed=   0 bytes (  0%)
        32k:     1, capacity=  32.00 KB, committed=  32.00 KB (100%)
        16k:     1, capacity=  16.00 KB, committed=  16.00 KB (100%)
         8k: (none)
         4k:     1, capacity=   4.00 KB, committed=   4.00 KB (100%)
         2k: (none)
         1k: (none)
        <4k:     1, capacity=   3.00 KB, committed=   3.00 KB (100%)
      Total:    11, capacity=  11.99 MB, committed=  55.00 KB ( <1%)

      Waste (unused committed space): (percentages refer to total committed size 1.06 MB):
              Waste in chunks in use:    0 bytes (  0%)
               Free in chunks in use:    2.45 KB ( <1%)
                      In free chunks:   55.00 KB (  5%)
      Deallocated from chunks in use: 1000 bytes ( <1%) (1 blocks)
                             -total-:   58.43 KB (  5%)

      chunk metadata: 15 chunks, 6.63 KB.

      Internal statistics:

      num_allocs_failed_limit: 0.
      num_arena_births: 4.
      num_arena_deaths: 1.
      num_vsnodes_births: 1.
      num_vsnodes_deaths: 0.
      num_space_committed: 3.
      num_space_uncommitted: 1.
      num_space_uncommit_failed: 0.
      num_chunks_returned_to_freelist: 1.
      num_chunks_taken_from_freelist: 5.
      num_chunk_merges: 1.
      num_chunk_splits: 14.
      num_chunks_enlarged: 1.

      Settings:
      Name: golden
      Size: growable
      Budget: shared?by all
      Budget limit: 64.00 MB
      Budget committed: 1.06 MB
      Commit mode: DISCARD
      Reclaim policy: BALANCED
      Reserve: 0 bytes
      Uncommit delay: none
       - commit_granule_bytes: 65536.
       - enlarge_chunks_in_place: 1.
      """;

  // The usage of one arena, one kind of growth or all is a line of more than 100 columns.
  private static final String USAGE_OF_ALL =
      "      4 chunks,    4.01 MB capacity,    1.01 MB ( 25%) committed,    1.01 MB (>99%) used,"
          + "    3.43 KB ( <1%) free,    0 bytes (  0%) waste,"
          + " deallocated: 1 blocks with 1000 bytes";
  private static final String USAGE_OF_TENANT =
      "    2 chunks,    8.00 KB capacity,    8.00 KB (100%) committed,    4.88 KB ( 61%) used,"
          + "    3.12 KB ( 39%) free,    0 bytes (  0%) waste,"
          + " deallocated: 1 blocks with 1000 bytes";
  private static final String USAGE_OF_UNNAMED =
      "    1 chunk,    1.00 KB capacity,    1.00 KB (100%) committed,  704 bytes ( 69%) used,"
          + "  320 bytes ( 31%) free,    0 bytes (  0%) waste, deallocated: 0 blocks with 0 bytes";
  private static final String USAGE_OF_CACHE =
      "    1 chunk,    4.00 MB capacity,    1.00 MB ( 25%) committed,    1.00 MB (100%) used,"
          + "    0 bytes (  0%) free,    0 bytes (  0%) waste, deallocated: 0 blocks with 0 bytes";
  private static final String USAGE_OF_NONE =
      "    0 chunks,    0 bytes capacity,    0 bytes (  ?%) committed,    0 bytes (  ?%) used,"
          + "    0 bytes (  ?%) free,    0 bytes (  ?%) waste, deallocated: 0 blocks with 0 bytes";

  private final ElasticSpace space =
      ElasticSpace.builder("golden")
          .granuleBytes(64 * 1024)
          .commitMode(CommitMode.DISCARD)
          .budget(Budget.limitedTo("shared\nby all", 64L << 20))
          .reserveBytes(0)
          .build();
  private final ElasticArena tenant = space.openConfined("tenant-7", ArenaGrowth.STANDARD);
  private final ElasticArena unnamed = space.openShared(null, ArenaGrowth.MICRO);
  private final ElasticArena cache = space.openConfined("cache\nof rows", ArenaGrowth.LARGE);

  @BeforeEach
  void fill() {
    MemorySegment givenBack = tenant.allocate(1000, 8);
    assertThat(tenant.allocate(3000, 8).byteSize()).isEqualTo(3000);
    assertThat(tenant.allocate(2000, 8).byteSize()).isEqualTo(2000); // grows in place
    tenant.deallocate(givenBack);
    assertThat(unnamed.allocate(700, 8).byteSize()).isEqualTo(700);
    assertThat(cache.allocate(1 << 20, 8).byteSize()).isEqualTo(1 << 20);
    try (ElasticArena gone = space.openConfined("gone", ArenaGrowth.LARGE)) {
      assertThat(gone.allocate(300_000, 64).byteSize()).isEqualTo(300_000);
    }
  }

  @AfterEach
  void close() {
    space.verify();
    tenant.close();
    unnamed.close();
    cache.close();
    space.close();
  }

  @Test
  void text_withoutDetails() {
    assertThat(space.report().toString())
        .isEqualTo(NO_DETAILS.replace("USAGE-OF-ALL", USAGE_OF_ALL))
        .isEqualTo(space.report().toString());
  }

  @Test
  void text_withAllDetails() {
    String arenas =
        """

        Usage per arena:

           1: tenant-7      confined standard: USAGE-OF-TENANT
           2: (unnamed)     shared   micro   : USAGE-OF-UNNAMED
           3: cache?of rows confined large   : USAGE-OF-CACHE

        Usage per growth:

        ADAPTIVE - 0 arenas:
          USAGE-OF-NONE

        MICRO - 1 arena:
          USAGE-OF-UNNAMED

        STANDARD - 1 arena:
          USAGE-OF-TENANT

        LARGE - 1 arena:
          USAGE-OF-CACHE
        """
            .replace("USAGE-OF-TENANT", USAGE_OF_TENANT)
            .replace("USAGE-OF-UNNAMED", USAGE_OF_UNNAMED)
            .replace("USAGE-OF-CACHE", USAGE_OF_CACHE)
            .replace("USAGE-OF-NONE", USAGE_OF_NONE);
    String levels =
        """

        Usage by chunk level:
          16m: (none)
           8m: (none)
           4m:     1, capacity=   4.00 MB, committed=   1.00 MB ( 25%)
           2m: (none)
           1m: (none)
         512k: (none)
         256k: (none)
         128k: (none)
          64k: (none)
          32k: (none)
          16k: (none)
           8k: (none)
           4k:     2, capacity=   8.00 KB, committed=   8.00 KB (100%)
           2k: (none)
           1k: (none)
          <4k:     1, capacity=   1.00 KB, committed=   1.00 KB (100%)
        Total:     4, capacity=   4.01 MB, committed=   1.01 MB ( 25%)
        """;
    String nodes =
        """

        Virtual space list:
        - node #0: base 0xB, reserved=64.00 MB, committed=1.06 MB (  2%), used=16.00 MB ( 25%)
           0:0xB: M*2PpmkjihgfedCb
        """;
    String expected =
        NO_DETAILS
            .replace("\n\nTotal", "\n" + arenas + "\nTotal")
            .replace("USAGE-OF-ALL\n", USAGE_OF_ALL + "\n" + levels)
            .replace("1 node.\n", "1 node.\n" + nodes);

    SpaceReport report = space.report(ReportDetail.values());

    String base = "0x%016x".formatted(report.nodes().getFirst().baseAddress());
    assertThat(report.toString().replace(base, "0xB")).isEqualTo(expected);
  }

  @Test
  void text_showsWhatIsOnlyThereSometimes() {
    SpaceReport.Usage half = new SpaceReport.Usage(1, 1, 4096, 4096, 1024, 2048, 1024, 2, 3000, 8);
    SpaceReport report = space.report();
    SpaceReport.Settings settings = report.settings();
    SpaceReport changed =
        new SpaceReport(
            new SpaceReport.Settings(
                "fixed",
                1L << 30,
                settings.granuleBytes(),
                settings.commitMode(),
                settings.reclaimPolicy(),
                512 * 1024,
                Duration.ofMillis(90_500),
                "none",
                Long.MAX_VALUE,
                0),
            report.details(),
            1L << 30,
            8192,
            2,
            half,
            report.byGrowth(),
            report.chunksInUse(),
            java.util.List.of(),
            4096,
            report.metadataBytes(),
            report.statistics(),
            report.arenas(),
            report.nodes());

    assertThat(changed.toString())
        .contains("deallocated: 2 blocks with 2.93 KB (8 bytes committed)\n")
        .contains(", 2 nodes.\n")
        .contains("          On the way to the OS:    4.00 KB ( 50%)\n")
        .contains("                       -total-:    7.00 KB ( 88%)\n")
        .contains("Size: fixed, 1.00 GB\n")
        .contains("Budget limit: unlimited\n")
        .contains("Reserve: 512.00 KB\n")
        .contains("Uncommit delay: 1m30.5s\n");
  }

  @Test
  void text_ofAnEmptySpace() {
    try (ElasticSpace empty = ElasticSpace.builder("empty").build()) {
      assertThat(empty.report(ReportDetail.values()).toString())
          .startsWith(
              """
              empty            used 0K, committed 0K, reserved 0K

              Usage per arena:

                 (none)
              """)
          .contains(
              """
              Virtual space:
                   0 bytes reserved,    0 bytes (  ?%) committed, 0 nodes.

              Virtual space list:

              Chunk freelists:
              """)
          .contains("-total-:    0 bytes (  ?%)\n");
    }
  }
}
