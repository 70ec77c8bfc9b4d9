package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.page.PageAllocator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.junit.jupiter.api.Test;

/** The memory of a burst of vectors goes back, also beside vectors that stay. */
final class BurstTest {
  private static final long MIB = 1 << 20;
  private static final int VECTOR_COUNT = 4000;
  private static final int VALUE_COUNT = 7500;
  private static final int ONE_STAYS_OF = 50;
  private static final long LONGEST_NANOS = 60_000_000_000L;

  @Test
  void burst_goesBack() throws Exception {
    PageAllocator pages =
        PageAllocator.builder("burst")
            .capacityBytes(1024 * MIB)
            .uncommitDelay(Duration.ofMillis(200))
            .zeroed(false)
            .build();
    try (BufferAllocator root = Roots.over(pages)) {
      long before = residentBytes();
      List<BigIntVector> staying = new ArrayList<>();
      List<BigIntVector> all = burst(root, staying);
      long usedBytes = pages.usedBytes();
      long peakBytes = residentBytes();
      assertThat(usedBytes).isGreaterThan(200 * MIB);
      assertThat(peakBytes - before).isGreaterThan(usedBytes * 9 / 10);
      all.removeAll(staying);
      all.forEach(BigIntVector::close);
      long start = System.nanoTime();
      while (pages.committedBytes() > usedBytes / 10) {
        assertThat(System.nanoTime() - start).as("%s", pages.report()).isLessThan(LONGEST_NANOS);
        Thread.sleep(10);
      }
      assertThat(peakBytes - residentBytes()).isGreaterThan(usedBytes * 8 / 10);
      for (BigIntVector vector : staying) {
        assertThat(vector.get(VALUE_COUNT - 1)).isEqualTo(VALUE_COUNT - 1);
        vector.close();
      }
    }
    pages.close();
  }

  private static List<BigIntVector> burst(BufferAllocator root, List<BigIntVector> staying) {
    List<BigIntVector> all = new ArrayList<>();
    for (int i = 0; i < VECTOR_COUNT; i++) {
      BigIntVector vector = new BigIntVector("numbers", root);
      vector.allocateNew(VALUE_COUNT);
      for (int j = 0; j < VALUE_COUNT; j++) {
        vector.set(j, j);
      }
      all.add(vector);
      if (i % ONE_STAYS_OF == 0) {
        staying.add(vector);
      }
    }
    return all;
  }

  /** Of the whole process; private memory only. */
  private static long residentBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .sum();
  }
}
