package dev.arenal.arch;

import static java.lang.module.ModuleDescriptor.Requires.Modifier.STATIC;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The module descriptor, which tests on the class path do not feel otherwise. */
final class ModuleShapeTest {
  private static final ModuleDescriptor MODULE =
      ModuleFinder.of(Path.of("target", "classes")).find("dev.arenal").orElseThrow().descriptor();

  @Test
  void exports_arePublicAndFew() {
    assertThat(MODULE.exports())
        .as("exported packages; a new one needs a decision in docs/adr")
        .extracting(ModuleDescriptor.Exports::toString)
        .containsExactlyInAnyOrder(
            "dev.arenal",
            "dev.arenal.memory",
            "dev.arenal.elastic",
            "dev.arenal.page",
            "dev.arenal.pretouch",
            "dev.arenal.confined",
            "dev.arenal.stats");
    assertThat(MODULE.opens()).isEmpty();
  }

  @Test
  void requires_onlyTheJdkAtRunTime() {
    assertThat(MODULE.requires())
        .filteredOn(required -> !required.modifiers().contains(STATIC))
        .extracting(ModuleDescriptor.Requires::name)
        .allMatch(name -> ModuleFinder.ofSystem().find(name).isPresent(), "is a module of the JDK");
  }
}
