package dev.arenal.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAllocator;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** The example of docs/metrics.md, word for word: the lab's DocumentedCodeTest compares them. */
final class DocumentedExamplesTest {
  @Test
  void owners_haveTheirMeters() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Budget offHeap = Budget.limitedTo("off-heap", 64 << 20);
    try (ElasticSpace tenants = ElasticSpace.builder("tenants").budget(offHeap).build();
        PageAllocator pages = PageAllocator.builder("pages").budget(offHeap).build()) {

      ArenalMetrics metrics = new ArenalMetrics();
      metrics.add(tenants).add(pages).add(offHeap); // an ElasticSpace, a PageAllocator, a Budget
      metrics.bindTo(registry);

      assertThat(registry.find("arenal.memory.committed").gauges())
          .extracting(gauge -> gauge.getId().getTag("allocator"))
          .containsExactlyInAnyOrder("tenants", "pages", "off-heap");
      metrics.close();
      assertThat(registry.getMeters()).isEmpty();
    }
  }
}
