package dev.arenal.lab.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Reports in the layouts that JVMs print, with figures made up to be told apart. */
final class MetaspaceReportTest {
  private static final String ELASTIC =
      """
      Total Usage - 12 loaders, 340 classes (20 shared):
        Non-Class:   40 chunks,  9000 bytes capacity,8000 bytes ( 88%) committed, 6000 bytes \
      ( 66%) used,  1500 bytes ( 16%) free,   500 bytes (  5%) waste , \
      deallocated: 0 blocks with 0 bytes
            Class:   20 chunks,  3000 bytes capacity,2000 bytes ( 66%) committed, 1000 bytes \
      ( 33%) used,   900 bytes ( 30%) free,   100 bytes (  3%) waste , \
      deallocated: 0 blocks with 0 bytes
             Both:   60 chunks, 12000 bytes capacity,10000 bytes ( 83%) committed, 7000 bytes \
      ( 58%) used,  2400 bytes ( 20%) free,   600 bytes (  5%) waste , \
      deallocated: 0 blocks with 0 bytes


      Virtual space:
        Non-class space:  67108864 bytes reserved, 16020 bytes ( <1%) committed,  1 nodes.
            Class space:  1073741824 bytes reserved,  5000 bytes ( <1%) committed,  1 nodes.
                   Both:  1140850688 bytes reserved, 21020 bytes ( <1%) committed.\s


      Chunk freelists:
         Non-Class:

       16m: (none)
        8m:    2, capacity=16777216 bytes, committed=0 bytes (  0%)
      Total word size: NON_CLASS bytes, committed: FREE bytes ( 50%)

             Class:

       16m: (none)
      Total word size: 4000 bytes, committed: 3000 bytes ( 75%)

              Both:

       16m: (none)
      Total word size: 99 bytes, committed: 98 bytes ( 98%)


      Waste (unused committed space): (percentages refer to total committed size 21020 bytes):
              Waste in chunks in use:    600 bytes (  2%)
              Free in chunks in use:   2400 bytes ( 11%)
                      In free chunks:  SUM bytes (>99%)
      Deallocated from chunks in use:      0 bytes (  0%) (0 blocks)
                             -total-:  1234 bytes (>99%)
      """;

  private static final String BASIC =
      """
      Usage:
        Non-class:  6000 bytes used.

      Chunk freelists:
         Non-Class:  20000 bytes
             Class:  4000 bytes
              Both:  24000 bytes
      """;

  private static final Valley VALLEY = new Valley(7000, 21_020, 11_000, 2400, 600, false);

  @Test
  void freeChunksCountedTwice_areCountedOnce() {
    Valley valley = MetaspaceReport.valley(elastic("40000", "16000", "19000"), BASIC).orElseThrow();
    assertThat(valley).isEqualTo(new Valley(7000, 21_020, 11_000, 2400, 600, true));
    assertThat(valley.otherBytes()).isEqualTo(20);
  }

  @Test
  void freeChunksCountedOnce_stayAsTheyAre() {
    assertThat(MetaspaceReport.valley(elastic("20000", "8000", "11000"), BASIC)).contains(VALLEY);
  }

  @Test
  void withoutABasicReport_nothingIsCorrected() {
    assertThat(MetaspaceReport.valley(elastic("40000", "16000", "19000"), ""))
        .contains(new Valley(7000, 21_020, 19_000, 2400, 600, false));
  }

  @Test
  void noFreeChunks_areNotCountedTwice() {
    String basic = BASIC.replace("20000 bytes", "0 bytes");
    assertThat(MetaspaceReport.valley(elastic("0", "0", "3000"), basic))
        .contains(new Valley(7000, 21_020, 3000, 2400, 600, false));
  }

  @Test
  void unitsForPeople_areUnderstood() {
    String report =
        elastic("40000", "16000", "19000")
            .replace("21020 bytes ( <1%) committed.", "2.50 MB ( <1%) committed.")
            .replace("2400 bytes ( 11%)", "1.50 KB ( 11%)");
    Valley valley = MetaspaceReport.valley(report, BASIC).orElseThrow();
    assertThat(valley.committedBytes()).isEqualTo(5 * 1024 * 1024 / 2);
    assertThat(valley.freeInChunksBytes()).isEqualTo(1536);
  }

  @Test
  void withoutAClassSpace_theOnlyLineCounts() {
    String report =
        """
        Total Usage - 12 loaders, 340 classes (20 shared):
         40 chunks,  9000 bytes capacity, 8000 bytes committed, 6000 bytes ( 66%) used, 1 bytes free

        Virtual space:
           67108864 bytes reserved, 16000 bytes ( <1%) committed,  1 nodes.

        Waste (unused committed space):
                Waste in chunks in use:    600 bytes (  2%)
                Free in chunks in use:   2400 bytes ( 11%)
                        In free chunks:   3000 bytes (  9%)
        """;
    assertThat(MetaspaceReport.valley(report, ""))
        .contains(new Valley(6000, 16_000, 3000, 2400, 600, false));
  }

  @Test
  void stockReport_isUnderstood() {
    String report =
        """

        Total Usage - 12 loaders, 340 classes:
          Non-Class:   40 chunks,  9000 bytes capacity, 6000 bytes ( 66%) used, 1500 bytes ( 16%) \
        free,   500 bytes (  5%) waste,  100 bytes ( <1%) overhead, \
        deallocated: 0 blocks with 0 bytes
              Class:   20 chunks,  3000 bytes capacity, 1000 bytes ( 33%) used,  900 bytes ( 30%) \
        free,   100 bytes (  3%) waste,   50 bytes ( <1%) overhead, \
        deallocated: 0 blocks with 0 bytes
               Both:   60 chunks, 12000 bytes capacity, 7000 bytes ( 58%) used, 2400 bytes ( 20%) \
        free,   600 bytes (  5%) waste,  150 bytes ( <1%) overhead, \
        deallocated: 0 blocks with 0 bytes


        Virtual space:
          Non-class space:  8388608 bytes reserved, 30000 bytes ( 94%) committed\s
              Class space:  1073741824 bytes reserved, 10000 bytes ( <1%) committed\s
                     Both:  1082130432 bytes reserved, 40000 bytes ( <1%) committed\s


        Chunk freelists:
           Non-Class:

         specialized chunks:    2, capacity 2048 bytes
                      Total:    8, capacity=20000 bytes
               Class:

                      Total:    0, capacity=9500 bytes

        Waste (percentages refer to total committed size 40000 bytes):
                      Committed unused:    350 bytes (  1%)
                Waste in chunks in use:    600 bytes ( <1%)
                 Free in chunks in use:   2400 bytes (  6%)
             Overhead in chunks in use:    150 bytes ( <1%)
                        In free chunks:  29500 bytes ( 73%)
                               -total-:  33000 bytes ( 82%)
        """;
    Valley valley = MetaspaceReport.valley(report, BASIC).orElseThrow();
    assertThat(valley).isEqualTo(new Valley(7000, 40_000, 29_500, 2400, 600, false));
    assertThat(valley.otherBytes()).isEqualTo(500);
  }

  @Test
  void otherText_isNoReport() {
    assertThat(MetaspaceReport.valley("", "")).isEmpty();
    assertThat(MetaspaceReport.valley("Total Usage - none\n\nVirtual space:\n", BASIC)).isEmpty();
    assertThat(MetaspaceReport.valley("no figures at all, committed or used", BASIC)).isEmpty();
  }

  private static String elastic(String nonClass, String free, String sum) {
    return ELASTIC.replace("NON_CLASS", nonClass).replace("FREE", free).replace("SUM", sum);
  }
}
