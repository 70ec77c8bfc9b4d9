package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests run on the class path, commands in a module, where Jackson sees what is opened to it. */
final class ModuleOpensTest {
  private static final String ANNOTATIONS = "Lcom/fasterxml/jackson/annotation/";

  @Test
  void packagesWithAnnotationsOfJackson_areOpenToIt() throws Exception {
    Path classes = Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    ModuleDescriptor module =
        ModuleFinder.of(classes).find("dev.arenal.lab").orElseThrow().descriptor();
    Set<String> open =
        module.opens().stream()
            .filter(each -> each.targets().contains("com.fasterxml.jackson.databind"))
            .map(ModuleDescriptor.Opens::source)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> annotated;
    try (Stream<Path> files = Files.walk(classes)) {
      annotated =
          files
              .filter(file -> file.toString().endsWith(".class") && isAnnotated(file))
              .map(file -> classes.relativize(file.getParent()).toString().replace('/', '.'))
              .collect(Collectors.toCollection(TreeSet::new));
    }
    assertThat(annotated).hasSizeGreaterThan(8);
    assertThat(open).containsAll(annotated);
  }

  private static boolean isAnnotated(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
          .contains(ANNOTATIONS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
