package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import dev.arenal.agent.histogram.ArenaCounts;
import dev.arenal.agent.histogram.HistogramJson;
import dev.arenal.agent.histogram.RunFacts;
import dev.arenal.lab.histogram.HistogramReader;
import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests run on the class path, commands in a module, where Jackson sees what is opened to it. */
final class ModuleOpensTest {
  private static final String LAB = "dev.arenal.lab";
  private static final String ANNOTATIONS = "Lcom/fasterxml/jackson/annotation/";

  @Test
  void packagesWithAnnotationsOfJackson_areOpenToIt() throws Exception {
    Path classes = placeOf(Main.class);
    ModuleDescriptor module = ModuleFinder.of(classes).find(LAB).orElseThrow().descriptor();
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

  /** They are of another module, which must open its package, too. */
  @Test
  void fileOfTheAgent_isReadInAModule(@TempDir Path folder) throws Exception {
    String text =
        HistogramJson.text(ArenaCounts.snapshot(), RunFacts.ofThisJvm("all"), Instant.EPOCH);
    Path file = Files.writeString(folder.resolve("arenas.json"), text);
    ModuleFinder finder =
        ModuleFinder.of(
            placeOf(Main.class),
            placeOf(HistogramJson.class),
            placeOf(PageAllocator.class),
            placeOf(CommandLine.class),
            placeOf(JsonNode.class),
            placeOf(JsonParser.class),
            placeOf(JsonSetter.class),
            placeOf(Histogram.class),
            placeOf(ByteBuf.class),
            placeOf(ReferenceCounted.class));
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration().resolve(finder, ModuleFinder.of(), Set.of(LAB));
    ModuleLayer.Controller controller =
        ModuleLayer.defineModulesWithOneLoader(
            configuration, List.of(boot), ClassLoader.getPlatformClassLoader());
    Module lab = controller.layer().findModule(LAB).orElseThrow();
    var _ =
        controller.addExports(
            lab, HistogramReader.class.getPackageName(), ModuleOpensTest.class.getModule());
    Class<?> reader = controller.layer().findLoader(LAB).loadClass(HistogramReader.class.getName());
    assertThat(reader.getModule()).isSameAs(lab);
    assertThat(reader.getMethod("read", Path.class).invoke(null, file))
        .asString()
        .contains("file=" + file);
  }

  private static Path placeOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
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
