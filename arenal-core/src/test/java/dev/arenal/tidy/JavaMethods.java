package dev.arenal.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The methods of a source file with their lengths, as javac's parser sees them. */
final class JavaMethods {
  private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();

  private JavaMethods() {}

  /** A method or constructor, from its first annotation or modifier to its last brace. */
  record Method(String name, long line, long countLines) {}

  static List<Method> of(String text) {
    List<Method> methods = new ArrayList<>();
    try {
      JavacTask task =
          (JavacTask)
              JAVAC.getTask(null, null, diagnostic -> {}, null, null, List.of(new Source(text)));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Scanner(unit, positions, methods).scan(unit, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return methods;
  }

  private static final class Scanner extends TreeScanner<@Nullable Void, @Nullable Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<Method> methods;

    Scanner(CompilationUnitTree unit, SourcePositions positions, List<Method> methods) {
      this.unit = unit;
      this.positions = positions;
      this.methods = methods;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
      LineMap lines = unit.getLineMap();
      long first = lines.getLineNumber(positions.getStartPosition(unit, method));
      long last = lines.getLineNumber(positions.getEndPosition(unit, method));
      methods.add(new Method(method.getName().toString(), first, last - first + 1));
      return super.visitMethod(method, null);
    }
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String text) {
      super(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
