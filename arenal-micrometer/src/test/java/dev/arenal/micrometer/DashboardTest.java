package dev.arenal.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAllocator;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The dashboard asks for what is scraped, and shows all of it. */
final class DashboardTest {
  private static final Path DASHBOARD = Path.of("../docs/metrics/arenal-dashboard.json");
  private static final Pattern METRIC = Pattern.compile("\\barenal_[a-z_]+");

  private static Set<String> metricsIn(String text) {
    Set<String> names = new TreeSet<>();
    METRIC.matcher(text).results().forEach(found -> names.add(found.group()));
    return names;
  }

  @Test
  void queries_askForJustWhatIsScraped() throws Exception {
    JsonNode dashboard = new ObjectMapper().readTree(Files.readString(DASHBOARD));
    Set<String> asked = new TreeSet<>();
    for (JsonNode query : dashboard.findValues("expr")) {
      assertThat(query.asText()).contains("{allocator=~\"$allocator\"}");
      asked.addAll(metricsIn(query.asText()));
    }
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Budget budget = Budget.limitedTo("budget", 1 << 30);
    Set<String> scraped = new TreeSet<>();
    try (ArenalMetrics metrics = new ArenalMetrics();
        ElasticSpace space = ElasticSpace.builder("space").build();
        PageAllocator pages = PageAllocator.builder("pages").capacityBytes(64 << 20).build()) {
      metrics.add(space).add(pages).add(budget).bindTo(registry);
      Scrape.of(registry).samples().keySet().forEach(sample -> scraped.addAll(metricsIn(sample)));
    }
    assertThat(asked).isEqualTo(scraped).isNotEmpty();
    String choice = dashboard.at("/templating/list/1/query/query").asText();
    assertThat(scraped).containsAll(metricsIn(choice));
    assertThat(metricsIn(choice)).hasSize(1);
  }
}
