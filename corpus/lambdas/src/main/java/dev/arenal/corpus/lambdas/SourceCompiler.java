package dev.arenal.corpus.lambdas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The JDK's compiler from strings to bytes, as in a server that takes scripts in Java. */
final class SourceCompiler implements AutoCloseable {
  private static final List<String> OPTIONS =
      List.of("-proc:none", "-nowarn", "-Xlint:none", "-XDsuppressNotes", "-implicit:none");

  private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
  private final JavaFileManager files = compiler.getStandardFileManager(null, null, null);

  /** Class files by the names of their classes. */
  Map<String, byte[]> compile(Map<String, String> sources) {
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach((name, text) -> units.add(new Source(name, text)));
    Outputs outputs = new Outputs(files);
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    if (!compiler.getTask(null, outputs, problems, OPTIONS, null, units).call()) {
      throw new IllegalStateException("not compiled: " + problems.getDiagnostics().getFirst());
    }
    Map<String, byte[]> classes = new LinkedHashMap<>();
    outputs.streams.forEach((name, stream) -> classes.put(name, stream.toByteArray()));
    return classes;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  /** A source in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String className, String text) {
      super(URI.create("mem:///" + className.replace('.', '/') + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Takes the class files of one compilation. */
  private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
    private final Map<String, ByteArrayOutputStream> streams = new LinkedHashMap<>();

    Outputs(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("mem:///" + className + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          return streams.computeIfAbsent(className, name -> new ByteArrayOutputStream());
        }
      };
    }
  }
}
