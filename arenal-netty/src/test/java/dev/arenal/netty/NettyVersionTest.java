package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.page.PageAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Class paths as they are in the wild: an old Netty, jars that are there twice. */
final class NettyVersionTest {
  private static final Path BUFFER = jarOf(ByteBufAllocator.class);
  private static final Path COMMON = jarOf(ReferenceCounted.class);
  private static final Path OURS = jarOf(ArenalByteBufAllocator.class);
  private static final Path CORE = jarOf(PageAllocator.class);

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "3.10.6.Final, true",
    "4.0.56.Final, true",
    "4.1.128.Final, true",
    "4.2.0.Final, false",
    "4.2.20.Final, false",
    "4.2.9-SNAPSHOT, false",
    "4.10.0.Final, false",
    "5.0.0, false",
    "20250115093000.1.0, false",
    "unknown, false"
  })
  void oldVersions_areKnown(String version, boolean isTooOld) {
    assertThat(NettyVersion.isTooOld(version)).isEqualTo(isTooOld);
  }

  @Test
  void oldNetty_isNamedWithItsJar() throws Exception {
    Path old = withVersion(BUFFER, "4.1.119.Final");
    assertThatThrownBy(() -> load(old, COMMON, OURS, CORE))
        .isExactlyInstanceOf(LinkageError.class)
        .hasMessage(message("netty-buffer", old));
  }

  @Test
  void oldCommon_isNamedWithItsJar() throws Exception {
    Path old = withVersion(COMMON, "4.1.119.Final");
    assertThatThrownBy(() -> load(BUFFER, old, OURS, CORE))
        .isExactlyInstanceOf(LinkageError.class)
        .hasMessage(message("netty-common", old));
  }

  /** The first one counts, so the message says where the others have to stand. */
  @Test
  void oldNettyBeforeANewOne_isRefused() throws Exception {
    Path old = withVersion(BUFFER, "4.1.119.Final");
    assertThatThrownBy(() -> load(old, BUFFER, COMMON, OURS, CORE))
        .isExactlyInstanceOf(LinkageError.class)
        .hasMessage(message("netty-buffer", old));
  }

  @Test
  void oldNettyBehindANewOne_isNotUsed() throws Exception {
    Path old = withVersion(BUFFER, "4.1.119.Final");
    assertThat(load(BUFFER, COMMON, OURS, CORE, old)).isEqualTo("PageByteBuf");
  }

  @Test
  void eachJarTwice_works() throws Exception {
    Path another = Files.copy(BUFFER, folder.resolve("another.jar"));
    assertThat(load(BUFFER, another, COMMON, COMMON, OURS, OURS, CORE, CORE, BUFFER))
        .isEqualTo("PageByteBuf");
  }

  /** A jar put together of others has the version of the program in its manifest. */
  @Test
  void versionOfAnotherProgram_isNotTakenForNettys() throws Exception {
    Path program = withVersion(BUFFER, "orders", "1.4.2");
    assertThat(load(program, COMMON, OURS, CORE)).isEqualTo("PageByteBuf");
  }

  private static String message(String artifact, Path jar) throws IOException {
    return "Netty is too old: artifact="
        + artifact
        + ", version=4.1.119.Final, from="
        + jar.toUri().toURL()
        + " (expected 4.2, in all of Netty's jars and before any other on the class path;"
        + " tested with 4.2.9 to 4.2.20)";
  }

  /** Uses a class path of its own; returns the kind of a direct buffer. */
  private static String load(Path... classPath) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path path : classPath) {
      urls.add(path.toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> type = Class.forName(ArenalByteBufAllocator.class.getName(), true, loader);
      Object allocator = type.getField("DEFAULT").get(null);
      Object buffer = type.getMethod("directBuffer", int.class).invoke(allocator, 1000);
      Class<?> face = loader.loadClass(ByteBuf.class.getName());
      Object inner = face.getMethod("unwrap").invoke(buffer);
      boolean isReleased = (boolean) face.getMethod("release").invoke(buffer);
      assertThat(isReleased).isTrue();
      return (inner == null ? buffer : inner).getClass().getSimpleName();
    }
  }

  private static Path jarOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** A jar of Netty that says of itself that it is another version. */
  private Path withVersion(Path jar, String version) throws IOException {
    return withVersion(jar, "Netty/Any", version);
  }

  private Path withVersion(Path jar, String title, String version) throws IOException {
    Path copy = folder.resolve("old-" + jar.getFileName());
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_TITLE, title);
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    try (JarFile from = new JarFile(jar.toFile());
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
