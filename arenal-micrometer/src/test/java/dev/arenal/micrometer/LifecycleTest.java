package dev.arenal.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Meters come and go with what they are of. */
@Timeout(60)
final class LifecycleTest {
  private static final String USED = "arenal_memory_used_bytes";
  private static final String FAILURES = "arenal_allocation_failures_total";
  private static final long MIB = 1 << 20;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicLong clockNanos = new AtomicLong();
  private final ArenalMetrics metrics = new ArenalMetrics(clockNanos::get);

  private Scrape scrape() {
    clockNanos.addAndGet(Duration.ofSeconds(1).toNanos());
    return Scrape.of(registry);
  }

  private static PageAllocator openPages() {
    return PageAllocator.builder("network").capacityBytes(64 * MIB).maxWait(Duration.ZERO).build();
  }

  private static void fail(PageAllocator pages) {
    assertThatThrownBy(() -> pages.allocate(65 * MIB, PageAge.SHORT_LIVED))
        .isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void closedPages_goWithTheNextScrape() {
    metrics.bindTo(registry);
    PageAllocator pages = openPages();
    metrics.add(pages);
    assertThat(scrape().count("network")).isPositive();
    try (PageBuffer _ = pages.allocate(100, PageAge.SHORT_LIVED)) {
      assertThatThrownBy(pages::close).isInstanceOf(IllegalStateException.class);
      assertThat(scrape().value(USED, "network", "pages")).isEqualTo(100);
    }
    pages.close();
    var _ = scrape();
    assertThat(registry.getMeters()).isEmpty();
    assertThat(scrape().count("network")).isZero();
  }

  @Test
  void closedSpace_goesWithTheNextScrape() {
    metrics.bindTo(registry);
    try (ElasticSpace space = ElasticSpace.builder("tenants").build()) {
      metrics.add(space);
      assertThat(scrape().count("tenants")).isPositive();
    }
    var _ = scrape();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void whatIsClosedAlready_getsNoMeters() {
    metrics.bindTo(registry);
    PageAllocator pages = openPages();
    pages.close();
    ElasticSpace space = ElasticSpace.builder("tenants").build();
    space.close();
    metrics.add(pages).add(space);
    assertThat(registry.getMeters()).isEmpty();
  }

  /** Meters hold nothing; and a collection takes no figure from what the program holds. */
  @Test
  void collectedBudget_goesWithTheNextScrape() throws Exception {
    metrics.bindTo(registry);
    Budget kept = Budget.limitedTo("kept", 7);
    metrics.add(kept);
    WeakReference<Budget> lost = addBudget();
    for (int i = 0; lost.get() != null && i < 100; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(lost.get()).isNull();
    var _ = scrape();
    Scrape after = scrape();
    assertThat(after.count("lost")).isZero();
    assertThat(after.value("arenal_memory_limit_bytes", "kept", "budget"))
        .isEqualTo((double) kept.limitBytes());
  }

  private WeakReference<Budget> addBudget() {
    Budget budget = Budget.limitedTo("lost", 8);
    metrics.add(budget);
    assertThat(scrape().count("lost")).isEqualTo(2);
    return new WeakReference<>(budget);
  }

  @Test
  void addedTwice_countsOnce() {
    metrics.bindTo(registry);
    metrics.bindTo(registry);
    try (PageAllocator pages = openPages()) {
      metrics.add(pages).add(pages);
      try (PageBuffer _ = pages.allocate(100, PageAge.SHORT_LIVED)) {
        assertThat(scrape().value(USED, "network", "pages")).isEqualTo(100);
      }
    }
  }

  /** Its counters do not fall when one of them is closed, and have what came after a scrape. */
  @Test
  void oneName_isAddedUp() {
    metrics.bindTo(registry);
    PageAllocator one = openPages();
    try (PageAllocator other = openPages()) {
      metrics.add(one).add(other);
      fail(one);
      fail(other);
      try (PageBuffer _ = one.allocate(100, PageAge.SHORT_LIVED);
          PageBuffer _ = other.allocate(10, PageAge.SHORT_LIVED)) {
        assertThat(scrape().value(USED, "network", "pages")).isEqualTo(110);
      }
      fail(one);
      one.close();
      Scrape scrape = scrape();
      assertThat(scrape.value(FAILURES, "network", "pages")).isEqualTo(3);
      assertThat(scrape.value("arenal_memory_limit_bytes", "network", "pages")).isEqualTo(64 * MIB);
    }
  }

  @Test
  void secondBinder_leavesTheMetersOfTheFirst() {
    try (PageAllocator pages = openPages();
        PageBuffer _ = pages.allocate(100, PageAge.SHORT_LIVED)) {
      metrics.add(pages).bindTo(registry);
      try (ArenalMetrics second = new ArenalMetrics()) {
        second.add(pages).bindTo(registry);
        assertThat(scrape().value(USED, "network", "pages")).isEqualTo(100);
      }
      assertThat(scrape().value(USED, "network", "pages")).isEqualTo(100);
    }
  }

  @Test
  void close_removesItsMetersOnly() {
    var _ = registry.counter("other");
    Budget budget = Budget.unlimited("budget");
    metrics.add(budget).bindTo(registry);
    assertThat(registry.getMeters()).hasSize(2);
    metrics.close();
    metrics.close();
    assertThat(registry.getMeters())
        .extracting(meter -> meter.getId().getName())
        .containsExactly("other");
    assertThatThrownBy(() -> metrics.add(budget))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("metrics are closed (expected open ones)");
    assertThatThrownBy(() -> metrics.bindTo(registry))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("metrics are closed (expected open ones)");
  }

  /** Neither ends with an error, nor stays a meter. */
  @Test
  void scrapes_raceWithCloses() throws Exception {
    ArenalMetrics racing = new ArenalMetrics(() -> clockNanos.addAndGet(1_000_000_000));
    racing.bindTo(registry);
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Void> scrapes =
        CompletableFuture.runAsync(() -> {
          while (!isOver.get()) {
            var _ = Scrape.of(registry);
          }
        });
    // Names that come again would meet a scrape that has seen the one and sees the other.
    for (int i = 0; i < 300; i++) {
      try (PageAllocator pages =
              PageAllocator.builder("network-" + i).capacityBytes(64L << 20).build();
          ElasticSpace space = ElasticSpace.builder("tenants-" + i).build()) {
        racing.add(pages).add(space);
      }
    }
    isOver.set(true);
    scrapes.get(30, TimeUnit.SECONDS);
    // Beside the other thread a read has taken very long, by this clock.
    clockNanos.addAndGet(Duration.ofDays(20_000).toNanos());
    var _ = Scrape.of(registry);
    assertThat(registry.getMeters()).isEmpty();
    racing.close();
  }
}
