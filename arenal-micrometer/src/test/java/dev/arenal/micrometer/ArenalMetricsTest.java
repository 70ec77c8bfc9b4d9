package dev.arenal.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.netty.ArenalByteBufAllocator;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.netty4.NettyAllocatorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The figures of a scrape, as text that a server of Prometheus reads. */
final class ArenalMetricsTest {
  private static final long MIB = 1 << 20;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicLong clockNanos = new AtomicLong();
  private final ArenalMetrics metrics = new ArenalMetrics(Tags.empty(), clockNanos::get);

  @AfterEach
  void close() {
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  /** After the least age of what was read before. */
  private Scrape scrape() {
    clockNanos.addAndGet(Duration.ofSeconds(1).toNanos());
    return Scrape.of(registry);
  }

  private static PageAllocator openPages(String name) {
    return PageAllocator.builder(name)
        .capacityBytes(64 * MIB)
        .maxWait(Duration.ZERO)
        .uncommitDelay(Duration.ofHours(1))
        .build();
  }

  /** Used, free, waste and cached are all that is committed. */
  private static void assertPartsAreAll(Scrape scrape, String name, String kind) {
    double sum = 0;
    for (String part : List.of("used", "free", "waste", "cached")) {
      sum += scrape.value("arenal_memory_" + part + "_bytes", name, kind);
    }
    assertThat(sum).isEqualTo(scrape.value("arenal_memory_committed_bytes", name, kind));
    assertThat(scrape.value("arenal_memory_waste_bytes", name, kind)).isNotNegative();
  }

  @Test
  void pages_areWhatTheyReport() {
    metrics.bindTo(registry);
    try (PageAllocator pages = openPages("network")) {
      metrics.add(pages);
      try (PageBuffer _ = pages.allocate(8 * MIB, PageAge.SHORT_LIVED)) {
        Scrape full = scrape();
        assertThat(full.value("arenal_memory_used_bytes", "network", "pages")).isEqualTo(8 * MIB);
        assertThat(full.value("arenal_memory_committed_bytes", "network", "pages"))
            .isEqualTo((double) pages.committedBytes())
            .isGreaterThanOrEqualTo(8 * MIB);
        assertThat(full.value("arenal_memory_limit_bytes", "network", "pages")).isEqualTo(64 * MIB);
        assertThat(full.value("arenal_memory_cached_bytes", "network", "pages"))
            .isEqualTo((double) pages.report().cachedBytes());
        assertPartsAreAll(full, "network", "pages");
      }
      assertThatThrownBy(() -> pages.allocate(65 * MIB, PageAge.SHORT_LIVED))
          .isInstanceOf(OutOfMemoryError.class);
      Scrape idle = scrape();
      assertThat(idle.value("arenal_memory_used_bytes", "network", "pages")).isZero();
      assertThat(idle.value("arenal_memory_cached_bytes", "network", "pages"))
          .isGreaterThanOrEqualTo(8 * MIB);
      assertThat(idle.value("arenal_allocation_failures_total", "network", "pages")).isEqualTo(1);
      long trimmedBytes = pages.trim();
      Scrape trimmed = scrape();
      assertThat(trimmed.value("arenal_memory_committed_bytes", "network", "pages")).isZero();
      assertThat(trimmed.value("arenal_memory_uncommitted_bytes_total", "network", "pages"))
          .isEqualTo((double) trimmedBytes);
    }
  }

  /** Beside ours, which a tag of the same name does not replace. */
  @Test
  void tagsOfTheProgram_areOnEachMeter() {
    List<Tag> tags = List.of(Tag.of("zone", "a"), Tag.of("kind", "mine"));
    try (PageAllocator pages = openPages("network");
        ArenalMetrics tagged = new ArenalMetrics(tags).add(pages)) {
      tagged.bindTo(registry);
      assertThat(registry.getMeters())
          .isNotEmpty()
          .allSatisfy(meter ->
              assertThat(meter.getId().getTags())
                  .containsExactlyInAnyOrder(
                      Tag.of("zone", "a"),
                      Tag.of("allocator", "network"),
                      Tag.of("kind", "pages")));
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  /** The statistics have them with the end of their second. */
  @Test
  void threadsThatWait_areATimer() throws Exception {
    metrics.bindTo(registry);
    try (PageAllocator pages = openPages("network");
        PageBuffer _ = pages.allocate(64 * MIB, PageAge.SHORT_LIVED)) {
      metrics.add(pages);
      assertThatThrownBy(() -> pages.allocate(2 * MIB, PageAge.SHORT_LIVED, Duration.ofMillis(100)))
          .isInstanceOf(OutOfMemoryError.class);
      Scrape scrape = scrape();
      for (int i = 0;
          i < 100 && scrape.value("arenal_allocation_stall_seconds_count", "network", "pages") == 0;
          i++) {
        Thread.sleep(100);
        scrape = scrape();
      }
      assertThat(scrape.value("arenal_allocation_stall_seconds_count", "network", "pages"))
          .isEqualTo(1);
      assertThat(scrape.value("arenal_allocation_stall_seconds_sum", "network", "pages"))
          .isBetween(0.1, 60.0);
      assertThat(scrape.value("arenal_allocation_stall_max_seconds", "network", "pages"))
          .isBetween(0.1, 60.0);
    }
  }

  /** The timer has them when their wait is over. */
  @Test
  void threadsThatWait_areAGaugeMeanwhile() throws Exception {
    metrics.bindTo(registry);
    try (PageAllocator pages = openPages("network")) {
      metrics.add(pages);
      PageBuffer all = pages.allocate(64 * MIB, PageAge.SHORT_LIVED);
      assertThat(scrape().value("arenal_allocation_waiting_threads", "network", "pages")).isZero();
      Thread waiting =
          Thread.ofVirtual()
              .start(() -> pages.allocate(MIB, PageAge.SHORT_LIVED, Duration.ofMinutes(1)).close());
      double count = 0;
      for (int i = 0; i < 300 && count == 0; i++) {
        Thread.sleep(100);
        count = scrape().value("arenal_allocation_waiting_threads", "network", "pages");
      }
      assertThat(count).isEqualTo(1);
      all.close();
      waiting.join();
      assertThat(scrape().value("arenal_allocation_waiting_threads", "network", "pages")).isZero();
    }
  }

  /** A roomy capacity under a budget: the budget is what refuses. */
  @Test
  void limitOfPages_isThatOfTheBudget_whereThatIsLess() {
    metrics.bindTo(registry);
    Budget budget = Budget.limitedTo("off-heap", 32 * MIB);
    try (PageAllocator pages =
        PageAllocator.builder("roomy").capacityBytes(256 * MIB).budget(budget).build()) {
      metrics.add(pages);
      assertThat(scrape().value("arenal_memory_limit_bytes", "roomy", "pages")).isEqualTo(32 * MIB);
    }
  }

  @Test
  void spaces_areWhatTheyReport() {
    metrics.bindTo(registry);
    Budget budget = Budget.limitedTo("shared", 32 * MIB);
    try (ElasticSpace space = ElasticSpace.builder("tenants").budget(budget).build()) {
      metrics.add(space).add(budget);
      try (ElasticArena arena = space.openConfined("one")) {
        var _ = arena.allocate(3 * MIB);
        Scrape scrape = scrape();
        assertThat(scrape.value("arenal_memory_used_bytes", "tenants", "space"))
            .isEqualTo((double) space.report().usedBytes())
            .isGreaterThanOrEqualTo(3 * MIB);
        assertThat(scrape.value("arenal_memory_committed_bytes", "tenants", "space"))
            .isEqualTo((double) space.committedBytes());
        assertThat(scrape.value("arenal_memory_limit_bytes", "tenants", "space"))
            .isEqualTo(32 * MIB);
        assertThat(scrape.value("arenal_memory_committed_bytes", "shared", "budget"))
            .isEqualTo((double) budget.committedBytes());
        assertThat(scrape.value("arenal_memory_limit_bytes", "shared", "budget"))
            .isEqualTo(32 * MIB);
        assertPartsAreAll(scrape, "tenants", "space");
        assertThatThrownBy(() -> arena.allocate(64 * MIB)).isInstanceOf(OutOfMemoryError.class);
      }
      Scrape after = scrape();
      assertThat(after.value("arenal_memory_used_bytes", "tenants", "space")).isZero();
      assertThat(after.value("arenal_allocation_failures_total", "tenants", "space")).isEqualTo(1);
      assertThat(after.value("arenal_memory_committed_bytes", "tenants", "space"))
          .isEqualTo((double) space.committedBytes());
    }
  }

  /** A second is what a figure may be old, however often it is asked for. */
  @Test
  void figures_areReadOnceASecond() {
    metrics.bindTo(registry);
    try (PageAllocator pages = openPages("network")) {
      metrics.add(pages);
      try (PageBuffer _ = pages.allocate(MIB, PageAge.SHORT_LIVED)) {
        Scrape early = Scrape.of(registry);
        assertThat(early.value("arenal_memory_used_bytes", "network", "pages")).isZero();
        assertThat(scrape().value("arenal_memory_used_bytes", "network", "pages")).isEqualTo(MIB);
      }
    }
  }

  /** Figures of the kernel are asked for less often: it looks at each page. */
  @Test
  void resident_isAskedForEachTenSeconds() {
    metrics.bindTo(registry);
    String metric = "arenal_memory_resident_bytes";
    try (PageAllocator pages = openPages("network");
        ElasticSpace space = ElasticSpace.builder("tenants").build();
        ElasticArena arena = space.openConfined()) {
      metrics.add(pages).add(space);
      try (PageBuffer buffer = pages.allocate(8 * MIB, PageAge.SHORT_LIVED)) {
        assertThat(scrape().value(metric, "network", "pages")).isZero();
        assertThat(scrape().value(metric, "tenants", "space")).isZero();
        var _ = buffer.segment().asSlice(0, 5 * MIB).fill((byte) 1);
        var _ = arena.allocate(3 * MIB).fill((byte) 1);
        assertThat(scrape().value(metric, "network", "pages")).as("3 s later").isZero();
        clockNanos.addAndGet(Duration.ofSeconds(7).toNanos());
        Scrape later = scrape();
        assertThat(later.value(metric, "network", "pages"))
            .isEqualTo(5 * MIB)
            .isEqualTo((double) pages.residentBytes());
        assertThat(later.value(metric, "tenants", "space"))
            .isEqualTo((double) space.residentBytes())
            .isBetween(3.0 * MIB, 3.5 * MIB);
      }
      var _ = pages.trim();
      clockNanos.addAndGet(Duration.ofSeconds(10).toNanos());
      assertThat(scrape().value(metric, "network", "pages")).isZero();
    }
    assertThat(scrape().value(metric, "tenants", "space")).as("closed").isZero();
  }

  /** Those of Netty come by Micrometer's own binder, which knows the interface only. */
  @Test
  void netty_isReadByMicrometersBinder() {
    try (PageAllocator pages = openPages("netty")) {
      ArenalByteBufAllocator allocator = new ArenalByteBufAllocator(pages, true);
      NettyAllocatorMetrics netty = new NettyAllocatorMetrics(allocator);
      netty.bindTo(registry);
      ByteBuf buffer = allocator.directBuffer(4096, 4096);
      assertThat(
              Scrape.of(registry).samples().entrySet().stream()
                  .filter(sample -> sample.getKey().startsWith("netty_allocator_memory_used"))
                  .filter(sample -> sample.getKey().contains("memory_type=\"direct\""))
                  .mapToDouble(sample -> sample.getValue())
                  .sum())
          .isEqualTo((double) allocator.metric().usedDirectMemory())
          .isGreaterThanOrEqualTo(4096);
      buffer.release();
    }
    registry.clear();
  }
}
