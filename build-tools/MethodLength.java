import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Names each method and constructor below a folder that is longer than the house allows: the lines
 * of its body, with those of both braces. The exit code is 3 then, so that a canary can tell it
 * from any other failure.
 *
 * <p>Checkstyle can do the same, but its parser takes 22 seconds for all sources, and javac's takes
 * three.
 */
final class MethodLength {
  private static final int MOST_LINES = 70;
  private static final int TOO_LONG = 3;

  /** Its frame is to be large, and so it has many locals. */
  private static final String ALLOWED = "StackReserve.descend";

  private final SourcePositions positions;
  private final List<String> complaints = new ArrayList<>();

  private MethodLength(JavacTask task) {
    positions = Trees.instance(task).getSourcePositions();
  }

  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("usage: java MethodLength.java FOLDER");
      System.exit(2);
    }
    List<String> complaints = complaints(Sources.below(Path.of(args[0])));
    complaints.forEach(System.out::println);
    System.exit(complaints.isEmpty() ? 0 : TOO_LONG);
  }

  private static List<String> complaints(List<Path> files) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      var sources = manager.getJavaFileObjectsFromPaths(files);
      JavacTask task =
          (JavacTask) compiler.getTask(null, manager, diagnostics, List.of(), null, sources);
      MethodLength lengths = new MethodLength(task);
      for (CompilationUnitTree file : task.parse()) {
        lengths.scan(file);
      }
      for (var found : diagnostics.getDiagnostics()) {
        if (found.getKind() == Diagnostic.Kind.ERROR) { // the file has not been looked at
          throw new IOException("cannot be parsed: " + found);
        }
      }
      return lengths.complaints;
    }
  }

  private void scan(CompilationUnitTree file) {
    new TreePathScanner<Void, String>() {
      @Override
      public Void visitClass(ClassTree type, String around) {
        return super.visitClass(type, type.getSimpleName().toString());
      }

      @Override
      public Void visitMethod(MethodTree method, String type) {
        if (method.getBody() != null) {
          look(file, type, method);
        }
        return super.visitMethod(method, type);
      }
    }.scan(file, "");
  }

  private void look(CompilationUnitTree file, String type, MethodTree method) {
    long first = lineOf(file, positions.getStartPosition(file, method.getBody()));
    long last = lineOf(file, positions.getEndPosition(file, method.getBody()));
    long lines = last - first + 1;
    String name = type + "." + method.getName();
    if (lines > MOST_LINES && !name.equals(ALLOWED)) {
      complaints.add(
          "%s:%d: method too long: name=%s, lines=%d (at most %d; extract what has a name)"
              .formatted(file.getSourceFile().getName(), first, name, lines, MOST_LINES));
    }
  }

  private static long lineOf(CompilationUnitTree file, long position) {
    return file.getLineMap().getLineNumber(position);
  }
}
