package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Program;
import dev.arenal.elastic.Seeds;
import dev.arenal.guard.WatchMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** INV-WATCH-1: drawn requests and frees; what is listed as open is what is. */
@Timeout(120)
final class WatchedProgramTest {
  private static final int STEP_COUNT = 4000;
  private static final int MOST_OPEN = 100;
  private static final long[] SIZES = {0, 1, 256, 8192, 8193, 100_000, 1 << 20, 3 << 20};

  @RegisterExtension private final Allocators allocators = new Allocators();

  @ParameterizedTest
  @CsvSource({"true, 1", "false, 1", "true, 4", "false, 4"})
  void openBuffers_areThoseOfTheModel(boolean hasMagazines, int threadCount) throws Exception {
    allocators.watchMode = WatchMode.ALL;
    allocators.hasMagazines = hasMagazines;
    allocators.capacityBytes = 2048 * Allocators.MIB;
    PageAllocator pages = allocators.open();
    List<Future<List<PageBuffer>>> runs = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(threadCount)) {
      for (int i = 0; i < threadCount; i++) {
        int thread = i;
        runs.add(threads.submit(() -> run(pages, thread)));
      }
    }
    Map<String, Long> expected = new TreeMap<>();
    List<PageBuffer> open = new ArrayList<>();
    for (Future<List<PageBuffer>> run : runs) {
      open.addAll(run.get());
    }
    for (PageBuffer buffer : open) {
      var _ = expected.merge(Long.toString(buffer.sizeBytes()), 1L, Long::sum);
    }
    Map<String, Long> listed = new TreeMap<>();
    for (OpenBuffers group : pages.openBuffers()) {
      assertThat(group.isEstimated() || group.isLost()).isFalse();
      var _ = listed.merge(Long.toString(group.sizeBytes()), group.count(), Long::sum);
    }
    assertThat(listed).isEqualTo(expected);
    open.forEach(PageBuffer::close);
    pages.assertNoOpenBuffers();
  }

  private static List<PageBuffer> run(PageAllocator pages, int thread) {
    SplittableRandom random = new SplittableRandom(Seeds.derive("watched", thread));
    List<PageBuffer> open = new ArrayList<>();
    for (int i = 0; i < STEP_COUNT; i++) {
      if (open.size() == MOST_OPEN || (!open.isEmpty() && random.nextBoolean())) {
        open.remove(random.nextInt(open.size())).close();
      } else {
        open.add(
            Program.take(
                pages,
                SIZES[random.nextInt(SIZES.length)],
                random.nextBoolean() ? PageAge.SHORT_LIVED : PageAge.LONG_LIVED));
      }
      if (i % 1000 == 0) {
        assertThat(pages.openBuffers()).hasSizeLessThanOrEqualTo(4 * 2 * SIZES.length);
      }
    }
    return open;
  }
}
