package dev.arenal.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Sources of a program that is compiled in a test. */
final class Sources {
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final List<String> options = new ArrayList<>(List.of("-proc:none"));

  /** Adds a file, such as {@code app/Main.java}. */
  Sources file(String path, String text) {
    texts.put(path, text);
    return this;
  }

  /** Adds arguments for javac. */
  Sources options(String... more) {
    options.addAll(List.of(more));
    return this;
  }

  /** Compiles into that folder. */
  Path compileInto(Path folder) {
    try {
      Path sources = Files.createTempDirectory(Files.createDirectories(folder), "sources");
      List<Path> files = new ArrayList<>();
      for (Map.Entry<String, String> entry : texts.entrySet()) {
        Path file = sources.resolve(entry.getKey());
        var _ = Files.createDirectories(Objects.requireNonNull(file.getParent()));
        files.add(Files.writeString(file, entry.getValue()));
      }
      compile(files, folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compile(List<Path> files, Path folder) throws IOException {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    StringWriter output = new StringWriter();
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of("-d", folder.toString()));
    try (StandardJavaFileManager manager = javac.getStandardFileManager(null, null, null)) {
      Iterable<? extends JavaFileObject> objects = manager.getJavaFileObjectsFromPaths(files);
      if (!javac.getTask(output, manager, null, all, null, objects).call()) {
        throw new IllegalStateException("does not compile: " + output);
      }
    }
  }

  /** A jar of that folder's class files, with lines for its manifest. */
  static Path jar(Path jar, Path folder, String manifest) {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> files = Files.walk(folder)) {
      out.putNextEntry(new JarEntry("META-INF/MANIFEST.MF"));
      out.write(("Manifest-Version: 1.0\n" + manifest).getBytes(UTF_8));
      for (Path each : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        out.putNextEntry(new JarEntry(folder.relativize(each).toString().replace('\\', '/')));
        var _ = Files.copy(each, out);
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
