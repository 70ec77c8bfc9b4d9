package dev.arenal.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Meters come and go with what they are of. */
@Timeout(60)
final class LifecycleTest {
  private static final String USED = "arenal_memory_used_bytes";
  private static final String LIMIT = "arenal_memory_limit_bytes";
  private static final String FAILURES = "arenal_allocation_failures_total";
  private static final long MIB = 1 << 20;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicLong clockNanos = new AtomicLong();
  private final ArenalMetrics metrics = new ArenalMetrics(Tags.empty(), clockNanos::get);

  private Scrape scrape() {
    clockNanos.addAndGet(Duration.ofSeconds(1).toNanos());
    return Scrape.of(registry);
  }

  /** After which the meters of what was closed are gone. */
  private void scrapeForAMinute() {
    assertThat(scrape().samples()).as("they stay for a minute").isNotEmpty();
    clockNanos.addAndGet(Duration.ofSeconds(59).toNanos());
    var _ = scrape();
  }

  private static PageAllocator openPages() {
    return PageAllocator.builder("network").capacityBytes(64 * MIB).maxWait(Duration.ZERO).build();
  }

  private static void fail(PageAllocator pages) {
    assertThatThrownBy(() -> pages.allocate(65 * MIB, PageAge.SHORT_LIVED))
        .isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void closedPages_goAfterAMinute() {
    metrics.bindTo(registry);
    PageAllocator pages = openPages();
    metrics.add(pages);
    assertThat(scrape().count("network")).isPositive();
    try (PageBuffer _ = pages.allocate(100, PageAge.SHORT_LIVED)) {
      assertThatThrownBy(pages::close).isInstanceOf(IllegalStateException.class);
      assertThat(scrape().value(USED, "network", "pages")).isEqualTo(100);
    }
    pages.close();
    Scrape closed = scrape();
    assertThat(closed.value("arenal_memory_committed_bytes", "network", "pages")).isZero();
    assertThat(closed.value("arenal_memory_limit_bytes", "network", "pages")).isZero();
    scrapeForAMinute();
    assertThat(registry.getMeters()).isEmpty();
    assertThat(scrape().count("network")).isZero();
  }

  @Test
  void closedSpace_goesAfterAMinute() {
    metrics.bindTo(registry);
    try (ElasticSpace space = ElasticSpace.builder("tenants").build()) {
      metrics.add(space);
      assertThat(scrape().count("tenants")).isPositive();
    }
    scrapeForAMinute();
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
  void collectedBudget_goesAfterAMinute() throws Exception {
    metrics.bindTo(registry);
    Budget kept = Budget.limitedTo("kept", 7);
    metrics.add(kept);
    WeakReference<Budget> lost = addBudget();
    for (int i = 0; lost.get() != null && i < 1000; i++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(lost.get()).isNull();
    scrapeForAMinute();
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
  void addedAgainAfterItsClose_isNotCountedAgain() {
    metrics.bindTo(registry);
    PageAllocator one = openPages();
    try (PageAllocator other = openPages()) {
      metrics.add(one).add(other);
      fail(one);
      one.close();
      assertThat(scrape().value(FAILURES, "network", "pages")).isEqualTo(1);
      metrics.add(one).add(one);
      assertThat(scrape().value(FAILURES, "network", "pages")).isEqualTo(1);
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

  /** Thousands of owners would wait for thousands of meters each. */
  @Test
  void owners_areAddedWithoutALookAtAllMeters() {
    AtomicLong lookCount = new AtomicLong();
    SimpleMeterRegistry counting =
        new SimpleMeterRegistry() {
          @Override
          public List<Meter> getMeters() {
            var _ = lookCount.incrementAndGet();
            return super.getMeters();
          }
        };
    Budget first = Budget.limitedTo("first", MIB);
    Budget second = Budget.limitedTo("second", MIB);
    metrics.add(first).bindTo(counting);
    metrics.add(second);
    assertThat(lookCount).hasValue(0);
    assertThat(counting.getMeters()).hasSize(4);
    metrics.close();
    assertThat(counting.getMeters()).isEmpty();
  }

  @Test
  void close_removesItsMetersOnly() {
    var _ = registry.counter("other");
    Budget budget = Budget.unlimited("budget");
    metrics.add(budget).bindTo(registry);
    assertThat(registry.getMeters()).hasSize(2); // there is no limit
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

  @Test
  void limitOfABudget_mayComeLaterAndGo() {
    Budget budget = Budget.unlimited("budget");
    metrics.add(budget).bindTo(registry);
    assertThat(scrape().value(LIMIT, "budget", "budget")).isNaN();
    budget.setLimitBytes(5 * MIB);
    var _ = scrape(); // finds it; whether it has it, too, is up to the registry
    assertThat(scrape().value(LIMIT, "budget", "budget")).isEqualTo(5 * MIB);
    budget.setLimitBytes(Long.MAX_VALUE);
    assertThat(scrape().value(LIMIT, "budget", "budget")).isEqualTo(Double.POSITIVE_INFINITY);
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
  }

  /** Also in a registry that was not scraped meanwhile. */
  @Test
  void limitThatHasCome_isInEachRegistry() {
    Budget budget = Budget.unlimited("budget");
    metrics.add(budget).bindTo(registry);
    budget.setLimitBytes(5 * MIB);
    clockNanos.addAndGet(Duration.ofSeconds(1).toNanos());
    SimpleMeterRegistry second = new SimpleMeterRegistry();
    metrics.bindTo(second);
    assertThat(second.get("arenal.memory.limit").gauge().value()).isEqualTo(5 * MIB);
    assertThat(scrape().value(LIMIT, "budget", "budget")).isEqualTo(5 * MIB);
  }

  /** Its meters are its predecessor's: a scrape that saw others of the name would be refused. */
  @Test
  void nameThatComesAgain_withinAScrape_isServed() {
    metrics.bindTo(registry);
    AtomicReference<PageAllocator> pages = new AtomicReference<>(openPages());
    metrics.add(pages.get());
    AtomicBoolean isArmed = new AtomicBoolean();
    Gauge.builder("between", () -> isArmed.getAndSet(false) ? replace(pages) : 0)
        .register(registry);
    for (int i = 0; i < 20; i++) {
      isArmed.set(true);
      assertThat(scrape().count("network")).isPositive();
      assertThat(isArmed).isFalse();
      PageAllocator now = pages.get();
      try (PageBuffer _ = now.allocate(100, PageAge.SHORT_LIVED)) {
        assertThat(scrape().value(USED, "network", "pages")).isEqualTo(100);
      }
    }
    pages.get().close();
  }

  /** Another one gets the name as soon as a scrape has found that the first one is closed. */
  private int replace(AtomicReference<PageAllocator> pages) {
    pages.get().close();
    clockNanos.addAndGet(Duration.ofSeconds(1).toNanos());
    var _ = registry.get("arenal.memory.used").gauge().value();
    pages.set(openPages());
    metrics.add(pages.get());
    return 1;
  }

  /** Owners come and go without a scrape. */
  @Test
  void unreadMeters_areNotMoreAndMore() {
    SimpleMeterRegistry unread = new SimpleMeterRegistry();
    metrics.bindTo(unread);
    for (int i = 0; i < 1000; i++) {
      metrics.add(Budget.limitedTo("lost-" + i, 1));
      clockNanos.addAndGet(Duration.ofSeconds(10).toNanos());
      if (i % 100 == 0) {
        System.gc();
      }
    }
    for (int i = 0; i < 100 && unread.getMeters().size() > 100; i++) {
      System.gc();
      for (int j = 0; j < 1000; j++) {
        metrics.add(Budget.limitedTo("last", 1));
      }
      clockNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    }
    assertThat(unread.getMeters().size()).isLessThanOrEqualTo(100);
    metrics.close();
  }

  /** Neither ends with an error, nor stays a meter. */
  @Test
  void scrapes_raceWithCloses() throws Exception {
    // So that a scrape, with thousands of looks at the clock, takes less than the minute for which
    // the meters of a closed one stay.
    ArenalMetrics racing = new ArenalMetrics(Tags.empty(), () -> clockNanos.addAndGet(1_000_000));
    racing.bindTo(registry);
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Void> scrapes =
        CompletableFuture.runAsync(() -> {
          while (!isOver.get()) {
            var _ = Scrape.of(registry);
          }
        });
    for (int i = 0; i < 300; i++) {
      String suffix = i % 2 == 0 ? "" : "-" + i; // names that come again, and others
      try (PageAllocator pages =
              PageAllocator.builder("network" + suffix).capacityBytes(64L << 20).build();
          ElasticSpace space = ElasticSpace.builder("tenants" + suffix).build()) {
        racing.add(pages).add(space);
      }
    }
    isOver.set(true);
    scrapes.get(30, TimeUnit.SECONDS);
    // Beside the other thread a read has taken very long, by this clock.
    clockNanos.addAndGet(Duration.ofDays(20_000).toNanos());
    var _ = Scrape.of(registry);
    clockNanos.addAndGet(Duration.ofDays(20_000).toNanos());
    var _ = Scrape.of(registry);
    assertThat(registry.getMeters()).isEmpty();
    racing.close();
  }
}
