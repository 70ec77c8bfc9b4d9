package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.figure.Html;
import dev.arenal.lab.jmh.JmhMeasurement;
import dev.arenal.lab.jmh.JmhResult;
import dev.arenal.lab.roundtrip.BufferAllocator;
import dev.arenal.lab.roundtrip.BufferCell;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Single buffers in the report: JSON, tables, sentences and curves of made-up figures. */
final class BuffersSectionTest {
  /** A measurement with everything there can be in one. */
  static JmhMeasurement<BufferCell> sample() {
    List<JmhResult<BufferCell>> results = new ArrayList<>();
    for (boolean isHandedOver : new boolean[] {false, true}) {
      for (int sizeBytes : new int[] {256, 4096, 1 << 20}) {
        double nanos = 13 + sizeBytes / 4096.0;
        for (BufferAllocator allocator : BufferAllocator.values()) {
          nanos += 7;
          results.add(result(allocator, sizeBytes, 2, isHandedOver, nanos, 0.5, 16.0));
        }
      }
    }
    return new JmhMeasurement<>(results, List.of("fork failed: allocator=malloc"));
  }

  @Test
  void json_hasExactlyThePromisedShape() {
    List<JmhResult<BufferCell>> results =
        List.of(
            result(BufferAllocator.ARENAL, 256, 2, false, 48.12345, 0.4567, 96.0),
            result(BufferAllocator.ARENAL_ZEROED, 64, 16, true, 7, null, null));
    assertThat(section(results).json())
        .hasToString(
            "{\"results\":[{\"allocator\":\"arenal\",\"sizeBytes\":256,\"threads\":2,"
                + "\"handedOver\":false,\"nanosPerOperation\":48.123,\"errorNanos\":0.4567,"
                + "\"bytesPerOperation\":96.0},{\"allocator\":\"arenal-zeroed\","
                + "\"sizeBytes\":64,\"threads\":16,\"handedOver\":true,"
                + "\"nanosPerOperation\":7.0,\"errorNanos\":null,"
                + "\"bytesPerOperation\":null}]}");
  }

  @Test
  void tables_lineUpAndSayWhoZeroes() {
    List<JmhResult<BufferCell>> results =
        List.of(
            result(BufferAllocator.ARENAL, 256, 1, false, 48.1, 2.4, 96.0),
            result(BufferAllocator.ARENAL_ZEROED, 256, 1, false, 52, 0.1, 96.0),
            result(BufferAllocator.JDK_SHARED, 256, 1, false, 12_345.6, null, null),
            result(BufferAllocator.ARENAL, 65_536, 1, false, 480, 48.0, 95.0),
            result(BufferAllocator.CONTROL, 65_536, 2, true, 4.25, 0.0, 0.0));
    assertThat(section(results).lines())
        .containsExactly(
            "buffers: one buffer from allocation to free, with each of its OS pages touched",
            "",
            "1 thread, freed by the same thread:",
            "                        ns per buffer     at most",
            "allocator      zeroed   256 B  64 KiB     ±  B/op",
            "arenal         no       48.10     480  10 %    96",
            "arenal-zeroed  yes      52.00       -   0 %    96",
            "jdk-shared     yes     12,346       -     -     -",
            "",
            "2 threads, freed by another thread:",
            "                   ns per buffer    at most",
            "allocator  zeroed         64 KiB    ±  B/op",
            "control    -                4.25  0 %     0",
            "");
    assertThat(section(List.of()).lines()).isEmpty();
  }

  @Test
  void sentences_areMadeFromTheFigures() {
    Section section = BuffersSection.of(sample(), List.of());
    assertThat(section.headline())
        .isEqualTo(
            "A buffer of 256 B on 2 threads, freed by the same thread, takes PageAllocator 20.1 ns"
                + " (zeroed: 27.1 ns); of the others that do not zero, netty-adaptive is the"
                + " fastest with 34.1 ns, mimalloc the slowest with 62.1 ns.");
    assertThat(section.findings()).hasSize(2);
    assertThat(section.findings().getFirst()).isEqualTo(section.headline());
    assertThat(section.findings().getLast())
        .startsWith("A buffer of 256 B on 2 threads, freed by another thread, takes");
    assertThat(section.failures()).containsExactly("fork failed: allocator=malloc");
  }

  @Test
  void oursAlone_andNoise_areSaid() {
    List<JmhResult<BufferCell>> results =
        List.of(
            result(BufferAllocator.ARENAL, 256, 2, false, 48, 50.0, 0.0),
            result(BufferAllocator.CONTROL, 256, 2, false, 5, 0.1, 0.0));
    assertThat(section(results).findings())
        .containsExactly(
            "A buffer of 256 B on 2 threads, freed by the same thread, takes PageAllocator 48.0"
                + " ns (noise).",
            "Of 2 figures 1 have an error larger than the figure: the machine was busy; measure"
                + " again on an idle one.");
    assertThat(section(results).lines())
        .contains(
            "arenal     no      48.00 (noise)  104 %     0",
            "control    -                5.00    2 %     0");
  }

  @Test
  void page_hasCurvesContendersAndWhatIsLeftOut() {
    String html =
        Html.of(BuffersSection.of(sample(), List.of("jemalloc is left out: none")).parts());
    assertThat(html)
        .contains(
            "aria-label=\"Up to 64 KiB, without jdk-shared: arenal, arenal-zeroed,",
            "2 threads, freed by another thread",
            "<th scope=\"row\">jdk-shared</th><td>Arena.ofShared(), one for each buffer</td>"
                + "<td>yes</td>",
            "jemalloc is left out: none.");
  }

  @Test
  void nothingMeasured_saysWhy() {
    Section section = BuffersSection.without("no such file: jar=x");
    assertThat(section.findings())
        .containsExactly("Single buffers were not measured: no such file: jar=x");
    assertThat(section.failures()).isEmpty();
    assertThat(section.json()).hasToString("{\"results\":[]}");
  }

  private static Section section(List<JmhResult<BufferCell>> results) {
    return BuffersSection.of(new JmhMeasurement<>(results, List.of()), List.of());
  }

  private static JmhResult<BufferCell> result(
      BufferAllocator allocator,
      int sizeBytes,
      int threadCount,
      boolean isHandedOver,
      double nanos,
      @Nullable Double error,
      @Nullable Double bytes) {
    return new JmhResult<>(
        new BufferCell(allocator, sizeBytes, threadCount, isHandedOver), nanos, error, bytes);
  }
}
