package dev.arenal.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.arrow.use.OneBuffer;
import dev.arenal.page.PageAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.arrow.memory.AllocationManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.nop.NOPServiceProvider;

/** Class paths as they are in the wild: an old Arrow, jars that are there twice. */
final class ArrowVersionTest {
  private static final Path ARROW = Paths.of(AllocationManager.class);
  private static final Path UNSAFE =
      Paths.of("org.apache.arrow.memory.unsafe.UnsafeAllocationManager");
  private static final Path OURS = Paths.of(ArenalAllocationManager.class);
  private static final Path CORE = Paths.of(PageAllocator.class);

  /** The logging of Arrow, and the class that is run. */
  private static final List<Path> OTHERS =
      List.of(
          Paths.of(Logger.class), Paths.of(NOPServiceProvider.class), Paths.of(OneBuffer.class));

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "1.0.1, true",
    "7.0.0, true",
    "12.0.1, true",
    "13.0.0, false",
    "19.0.0, false",
    "19.1.0-SNAPSHOT, false",
    "100.0.0, false",
    "99999999999.0, false",
    "unknown, false"
  })
  void oldVersions_areKnown(String version, boolean isTooOld) {
    assertThat(ArrowVersion.isTooOld(version)).isEqualTo(isTooOld);
  }

  @Test
  void oldArrow_isNamedWithItsJar() throws Exception {
    Path old = withVersion("7.0.0");
    assertThatThrownBy(() -> load(old, UNSAFE, OURS, CORE))
        .isExactlyInstanceOf(LinkageError.class)
        .hasMessage(message(old));
  }

  /** The first one counts, so the message says where the others have to stand. */
  @Test
  void oldArrowBeforeANewOne_isRefused() throws Exception {
    Path old = withVersion("7.0.0");
    assertThatThrownBy(() -> load(old, ARROW, UNSAFE, OURS, CORE))
        .isExactlyInstanceOf(LinkageError.class)
        .hasMessage(message(old));
  }

  @Test
  void oldArrowBehindANewOne_isNotUsed() throws Exception {
    Path old = withVersion("7.0.0");
    assertThat(load(ARROW, UNSAFE, OURS, CORE, old)).isEqualTo(1024);
  }

  @Test
  void jarWithoutAVersion_isUsed() throws Exception {
    assertThat(load(withVersion(""), UNSAFE, OURS, CORE)).isEqualTo(1024);
  }

  @Test
  void eachJarTwice_works() throws Exception {
    Path another = Files.copy(ARROW, folder.resolve("another.jar"));
    assertThat(load(ARROW, another, UNSAFE, UNSAFE, OURS, OURS, CORE, CORE, ARROW)).isEqualTo(1024);
  }

  /** A jar put together of others has the version of the program in its manifest. */
  @Test
  void versionOfAnotherProgram_isNotTakenForArrows() throws Exception {
    assertThat(load(withVersion("orders", "1.4.2"), UNSAFE, OURS, CORE)).isEqualTo(1024);
  }

  private static String message(Path jar) throws IOException {
    return "Arrow is too old: artifact=arrow-memory-core, version=7.0.0, from="
        + jar.toUri().toURL()
        + " (expected 13 or later, in all of Arrow's jars and before any other on the class path;"
        + " tested with 13 to 19)";
  }

  /** Uses a class path of its own; returns the bytes of a buffer of 1,000. */
  private static long load(Path... classPath) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path path : classPath) {
      urls.add(path.toUri().toURL());
    }
    for (Path path : OTHERS) {
      urls.add(path.toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      return (long)
          Class.forName(OneBuffer.class.getName(), true, loader)
              .getMethod("sizeBytes")
              .invoke(null);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw e;
    }
  }

  /** A jar of Arrow that says of itself that it is another version. */
  private Path withVersion(String version) throws IOException {
    return withVersion("Arrow Memory - Core", version);
  }

  private Path withVersion(String title, String version) throws IOException {
    Path copy = folder.resolve("old-" + version + ARROW.getFileName());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (!version.isEmpty()) {
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, title);
      manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    }
    try (JarFile from = new JarFile(ARROW.toFile());
        JarOutputStream to = new JarOutputStream(Files.newOutputStream(copy), manifest)) {
      for (JarEntry entry : Collections.list(from.entries())) {
        if (!entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME)) {
          to.putNextEntry(new JarEntry(entry.getName()));
          try (InputStream in = from.getInputStream(entry)) {
            in.transferTo(to);
          }
        }
      }
    }
    return copy;
  }
}
