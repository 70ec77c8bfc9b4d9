package dev.arenal.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The text, to the column. */
final class TableTextTest {
  private static final Window NOTHING = new Window(0, 0, 0, 0);
  private static final long MB = 1 << 20;

  private static final StatisticsTable TABLE =
      new StatisticsTable(
          "PageAllocator",
          "buffers",
          List.of(
              row(
                  "Critical",
                  "Allocation Stall",
                  StatisticsUnit.NANOSECONDS,
                  window(1_250_000, 3_000_000),
                  window(499, 12_345_678_000L)),
              new StatisticsRow(
                  "Memory",
                  "Allocation Rate",
                  StatisticsUnit.BYTES_PER_SECOND,
                  window(1086 * MB, 2847 * MB - 1), // rounded down
                  window(3 * MB, 3 * MB + 5),
                  window(MB - 1, MB),
                  window(Long.MAX_VALUE, Long.MAX_VALUE),
                  0),
              row(
                  "Memory",
                  "Page Cache Hit L1",
                  StatisticsUnit.OPERATIONS_PER_SECOND,
                  window(33, 330),
                  window(163, 436)),
              row("Memory", "Used", StatisticsUnit.BYTES, NOTHING, NOTHING)));

  @Test
  void table_isTheFixture() throws IOException {
    assertThat(TABLE + "\n").isEqualTo(fixture());
  }

  /** Where a comma separates decimals, the table is the same. */
  @Test
  void table_doesNotDependOnTheLocale() throws IOException {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      assertThat(TABLE + "\n").isEqualTo(fixture());
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void lines_areAsWideAsTheOriginal() {
    List<String> lines = TABLE.toString().lines().toList();
    assertThat(lines.getFirst()).hasSize(153);
    assertThat(lines.getLast()).isEqualTo("=".repeat(153));
  }

  @Test
  void name_thatIsLongOrNotPrintable_spoilsNoRow() {
    String name = "x".repeat(150) + "\n=== %s";
    String text = new StatisticsTable("Kind", name, List.of()).toString();
    assertThat(text.lines().toList())
        .hasSize(4)
        .first()
        .isEqualTo("=== Memory Statistics: Kind " + "x".repeat(150) + "?=== %s ===");
  }

  private static StatisticsRow row(
      String group, String row, StatisticsUnit unit, Window last10s, Window others) {
    return new StatisticsRow(group, row, unit, last10s, others, others, others, 0);
  }

  private static Window window(long average, long max) {
    return new Window(average, max, 0, 1);
  }

  private static String fixture() throws IOException {
    try (InputStream in = TableTextTest.class.getResourceAsStream("table.txt")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
