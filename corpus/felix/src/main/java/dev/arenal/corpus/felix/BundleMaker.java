package dev.arenal.corpus.felix;

import dev.arenal.corpus.common.ClassPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** Makes the jar of a bundle in memory, as bnd does at build time. */
final class BundleMaker {
  private static final long TIME_MILLIS = 1_700_000_000_000L; // the same in each run

  private final Manifest manifest = new Manifest();
  private final Map<String, byte[]> entries = new LinkedHashMap<>();

  BundleMaker(String name, int version) {
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    header("Bundle-ManifestVersion", "2");
    header("Bundle-SymbolicName", name);
    header("Bundle-Version", "1." + version + ".0");
  }

  void header(String name, String value) {
    manifest.getMainAttributes().putValue(name, value);
  }

  void addClass(String name, byte[] bytes) {
    entries.put(name.replace('.', '/') + ".class", bytes);
  }

  /** Adds a class of our own with its nested classes. */
  void addOurs(String name) {
    String path = name.replace('.', '/');
    try (JarFile jar = new JarFile(ClassPath.find("felix").toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        String found = entry.getName();
        if (found.equals(path + ".class") || found.startsWith(path + '$')) {
          try (InputStream in = jar.getInputStream(entry)) {
            entries.put(found, in.readAllBytes());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a library as a jar in the jar; the bundle's class path has to name it. */
  String embed(String artifact) {
    Path jar = ClassPath.find(artifact);
    String name = "lib/" + jar.getFileName();
    try {
      entries.put(name, Files.readAllBytes(jar));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return name;
  }

  byte[] make() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes)) {
      out.setLevel(1); // it is read from a file again at once
      put(out, JarFile.MANIFEST_NAME, manifest);
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        next(out, entry.getKey());
        out.write(entry.getValue());
        out.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void put(JarOutputStream out, String name, Manifest manifest) throws IOException {
    next(out, name);
    manifest.write(out);
    out.closeEntry();
  }

  private static void next(JarOutputStream out, String name) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(TIME_MILLIS);
    out.putNextEntry(entry);
  }
}
