package dev.arenal.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.guard.Damage;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An owner that serves no more is shown as long as it has memory, and as damaged. */
final class DamagedTest {
  private static final long MIB = 1 << 20;
  private static final String DAMAGED = "arenal_allocator_damaged";
  private static final String USED = "arenal_memory_used_bytes";
  private static final String COMMITTED = "arenal_memory_committed_bytes";
  private static final String RESIDENT = "arenal_memory_resident_bytes";
  private static final String LIMIT = "arenal_memory_limit_bytes";
  private static final String FAILURES = "arenal_allocation_failures_total";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final AtomicLong clockNanos = new AtomicLong();
  private final ArenalMetrics metrics = new ArenalMetrics(Tags.empty(), clockNanos::get);

  @AfterEach
  void close() {
    metrics.close();
  }

  /** After the least age of all that was read before. */
  private Scrape scrape() {
    clockNanos.addAndGet(Duration.ofSeconds(10).toNanos());
    return Scrape.of(registry);
  }

  /** As an operation does that ends in the middle. */
  private static void damage(Object owner) throws ReflectiveOperationException {
    ((Damage) owner).note(new StackOverflowError());
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return Objects.requireNonNull(field.get(of));
  }

  @Test
  void damagedSpace_keepsItsMeters() throws Exception {
    metrics.bindTo(registry);
    Budget budget = Budget.limitedTo("budget", 64 * MIB);
    ElasticSpace space =
        ElasticSpace.builder("tenants").budget(budget).fixedSizeBytes(32 * MIB).build();
    metrics.add(space);
    try (ElasticArena arena = space.openShared()) {
      var _ = arena.allocate(3 * MIB).fill((byte) 1);
      assertThatThrownBy(() -> arena.allocate(64 * MIB)).isInstanceOf(OutOfMemoryError.class);
      Scrape before = scrape();
      assertThat(before.value(DAMAGED, "tenants", "space")).isZero();
      damage(field(field(space, "state"), "damage"));
      assertThat(space.isDamaged()).isTrue();
      Scrape after = scrape();
      assertThat(after.value(DAMAGED, "tenants", "space")).isEqualTo(1);
      for (String metric : new String[] {USED, COMMITTED, RESIDENT, LIMIT, FAILURES}) {
        assertThat(after.value(metric, "tenants", "space"))
            .as(metric)
            .isEqualTo(before.value(metric, "tenants", "space"))
            .isPositive();
      }
      assertThat(after.value("arenal_memory_cached_bytes", "tenants", "space")).isZero();
      assertThat(after.count("tenants")).isEqualTo(before.count("tenants"));
    }
    space.close();
    Scrape closed = scrape();
    assertThat(closed.value(DAMAGED, "tenants", "space")).isZero();
    assertThat(closed.value(COMMITTED, "tenants", "space")).isZero();
    assertThat(closed.value(FAILURES, "tenants", "space")).isEqualTo(1);
    clockNanos.addAndGet(Duration.ofMinutes(1).toNanos());
    var _ = scrape();
    assertThat(registry.getMeters()).isEmpty();
  }

  /** One that was damaged before it was read, beside a healthy one of its name. */
  @Test
  void damagedSpaces_areCounted() throws Exception {
    metrics.bindTo(registry);
    Budget budget = Budget.limitedTo("budget", 64 * MIB);
    try (ElasticSpace damaged = ElasticSpace.builder("tenants").budget(budget).build();
        ElasticSpace healthy = ElasticSpace.builder("tenants").budget(budget).build()) {
      damage(field(field(damaged, "state"), "damage"));
      metrics.add(damaged).add(healthy);
      assertThat(scrape().value(DAMAGED, "tenants", "space")).isEqualTo(1);
      assertThat(scrape().value(LIMIT, "tenants", "space")).isEqualTo(64 * MIB); // of both
    }
  }

  /** Two allocators may be as large as their capacities, and as the budget that they share. */
  @Test
  void limitOfASharedBudget_countsOnce() {
    metrics.bindTo(registry);
    Budget shared = Budget.limitedTo("shared", 24 * MIB);
    Budget other = Budget.limitedTo("other", 64 * MIB);
    try (PageAllocator first = pages(16, shared);
        PageAllocator second = pages(16, shared);
        PageAllocator third = pages(8, other)) {
      metrics.add(first).add(second).add(third);
      assertThat(scrape().value(LIMIT, "network", "pages")).isEqualTo((24 + 8) * MIB);
      shared.setLimitBytes(64 * MIB);
      clockNanos.addAndGet(Duration.ofMinutes(1).toNanos());
      assertThat(scrape().value(LIMIT, "network", "pages")).isEqualTo((16 + 16 + 8) * MIB);
    }
  }

  private static PageAllocator pages(long capacityMib, Budget budget) {
    return PageAllocator.builder("network").capacityBytes(capacityMib * MIB).budget(budget).build();
  }

  @Test
  void damagedPages_keepTheirMeters() throws Exception {
    metrics.bindTo(registry);
    PageAllocator pages = PageAllocator.builder("network").capacityBytes(64 * MIB).build();
    metrics.add(pages);
    try (PageBuffer buffer = pages.allocate(MIB, PageAge.SHORT_LIVED)) {
      var _ = buffer.segment().fill((byte) 1);
      Scrape before = scrape();
      assertThat(before.value(DAMAGED, "network", "pages")).isZero();
      damage(field(field(field(pages, "state"), "supply"), "damage"));
      assertThat(pages.isDamaged()).isTrue();
      Scrape after = scrape();
      assertThat(after.value(DAMAGED, "network", "pages")).isEqualTo(1);
      for (String metric : new String[] {USED, COMMITTED, RESIDENT, LIMIT}) {
        assertThat(after.value(metric, "network", "pages"))
            .as(metric)
            .isEqualTo(before.value(metric, "network", "pages"))
            .isPositive();
      }
    }
    pages.close();
    assertThat(scrape().value(COMMITTED, "network", "pages")).isZero();
  }
}
