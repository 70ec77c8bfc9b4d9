package dev.arenal.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.page.PageAllocator;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The module, which tests on the class path do not feel otherwise. */
final class ModulePathTest {
  private static final String NAME = "dev.arenal.micrometer";

  private final ModuleFinder finder =
      ModuleFinder.of(
          placeOf(ArenalMetrics.class),
          placeOf(PageAllocator.class),
          placeOf(MeterRegistry.class),
          placeOf(KeyValue.class),
          placeOf(Observation.class),
          placeOf(Histogram.class));

  private static Path placeOf(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  @Test
  void exports_areOnePackage() {
    ModuleDescriptor module = finder.find(NAME).orElseThrow().descriptor();
    assertThat(module.exports())
        .extracting(ModuleDescriptor.Exports::toString)
        .containsExactly(NAME);
    assertThat(module.opens()).isEmpty();
  }

  @Test
  void modules_workTogether() throws Exception {
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(finder, ModuleFinder.of(), Set.of(NAME));
    ModuleLayer layer =
        ModuleLayer.defineModulesWithOneLoader(
                configuration, List.of(boot), ClassLoader.getPlatformClassLoader())
            .layer();
    ClassLoader loader = layer.findLoader(NAME);
    Class<?> type = loader.loadClass(ArenalMetrics.class.getName());
    assertThat(type.getModule().getName()).isEqualTo(NAME);
    Class<?> budgetType = loader.loadClass(Budget.class.getName());
    Object budget = budgetType.getMethod("unlimited", String.class).invoke(null, "b");
    Object metrics = type.getConstructor().newInstance();
    Class<?> registryType = loader.loadClass(MeterRegistry.class.getName());
    Object registry =
        loader.loadClass(SimpleMeterRegistry.class.getName()).getConstructor().newInstance();
    type.getMethod("bindTo", registryType).invoke(metrics, registry);
    assertThat(type.getMethod("add", budgetType).invoke(metrics, budget)).isSameAs(metrics);
    assertThat((Collection<?>) registryType.getMethod("getMeters").invoke(registry)).hasSize(1);
  }
}
