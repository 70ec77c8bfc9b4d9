package dev.arenal.agent.sites;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.eclipse.jdt.internal.compiler.tool.EclipseCompiler;

/** Compilers of Java that write different code for the same source. */
enum SourceCompiler {
  JAVAC,
  /** Class files of version 52, without names of variables. */
  JAVAC_8,
  ECLIPSE;

  private JavaCompiler compiler() {
    return this == ECLIPSE ? new EclipseCompiler() : ToolProvider.getSystemJavaCompiler();
  }

  private List<String> options() {
    return this == JAVAC_8
        ? List.of("-source", "8", "-target", "8", "-g:lines", "-nowarn", "-Xlint:-options")
        : List.of("--release", "25", "-g", "-nowarn");
  }

  /** Compiles one class, and returns its class file; others that belong to it are left out. */
  byte[] compile(String className, String source) {
    JavaCompiler compiler = compiler();
    StringWriter messages = new StringWriter();
    try {
      Path folder = Files.createTempDirectory("sites");
      Path file = Files.writeString(folder.resolve(className + ".java"), source);
      List<String> options = new ArrayList<>(options());
      options.addAll(List.of("-d", folder.toString()));
      try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
        boolean isCompiled =
            compiler
                .getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
                .call();
        if (!isCompiled) {
          throw new IllegalStateException("does not compile:\n" + messages + "\n" + source);
        }
      }
      byte[] classFile = Files.readAllBytes(folder.resolve(className + ".class"));
      try (Stream<Path> written = Files.list(folder)) {
        for (Path one : written.toList()) {
          Files.delete(one);
        }
      }
      Files.delete(folder);
      return classFile;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
