package dev.arenal.arch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code build-tools/Api.java}, which the build runs for each module, sees what it is for. */
final class ApiGuardTest {
  private static final Path TOOL = Path.of("..", "build-tools", "Api.java");

  private static final String MODULE = "module m { exports p; }";

  private static final String TYPES =
      """
      package p;
      public abstract class Shape {
        public static final int SIDES = 4;
        public static final String NAME = "a";
        protected Shape() {}
        public final void stay() {}
        public long area(int... sides) throws java.io.IOException { return 0; }
        public abstract <T extends Comparable<T>> java.util.List<? super T> sort(T[] all);
        Hidden hidden() { return null; }
        public record Point(long x, String label) {}
        public enum Color { RED, GREEN }
        public static non-sealed class Square extends Hidden implements Edge {}
        public sealed interface Edge permits Square, Hidden {}
      }
      sealed abstract class Hidden implements Shape.Edge permits Shape.Square {
        public int inherited() { return 0; }
        private void own() {}
      }
      """;

  @TempDir private Path folder = Path.of("");
  private int compiledCount;

  @Test
  void lines_haveAllThatAProgramCanUse() throws Exception {
    assertThat(lines(TYPES))
        .containsExactly(
            "module m",
            "  exports p",
            "",
            "public abstract class p.Shape",
            "  public static final String NAME = \"a\"",
            "  public static final int SIDES = 4",
            "  protected Shape()",
            "  public long area(int...) throws java.io.IOException",
            "  public abstract <T extends Comparable<T>> java.util.List<? super T> sort(T[])",
            "  public final void stay()",
            "",
            "public enum p.Shape.Color",
            "  constant RED",
            "  constant GREEN",
            "  public static p.Shape.Color valueOf(String)",
            "  public static p.Shape.Color[] values()",
            "",
            "public sealed interface p.Shape.Edge permits p.Shape.Square",
            "",
            "public record p.Shape.Point(long x, String label)",
            "  public Point(long, String)",
            "  public final boolean equals(Object)",
            "  public final int hashCode()",
            "  public String label()",
            "  public final String toString()",
            "  public long x()",
            "",
            "public static class p.Shape.Square implements p.Shape.Edge",
            "  public Square()",
            "  public int inherited()");
  }

  @Test
  void sameApi_isNotComplainedAbout() throws Exception {
    String moved =
        TYPES.replace("public final void stay() {}", "/* none */ public final void stay() {}");
    assertThat(change(moved.replace("private void own() {}", ""))).isEmpty();
  }

  @Test
  void removedMethod_isNamed() throws Exception {
    assertThat(change(TYPES.replace("public final void stay() {}", "")))
        .isEqualTo(
            """
            the API has changed: removedLines=1, addedLines=0 (expected none; where this is \
            intended: mvn -q -Papi process-classes, and a line in CHANGELOG.md, marked breaking \
            where a line was removed)
            - p.Shape: public final void stay()\
            """);
  }

  @Test
  void whatBreaksAProgram_isNamed() throws Exception {
    assertChange("public final void stay() {}", "public final int stay() { return 0; }")
        .containsExactly(
            "- p.Shape: public final void stay()", "+ p.Shape: public final int stay()");
    assertChange("throws java.io.IOException", "throws Exception")
        .containsExactly(
            "- p.Shape: public long area(int...) throws java.io.IOException",
            "+ p.Shape: public long area(int...) throws Exception");
    assertChange("protected Shape() {}", "protected Shape() {} public abstract void draw();")
        .containsExactly("+ p.Shape: public abstract void draw()");
    assertChange("SIDES = 4", "SIDES = 5")
        .containsExactly(
            "- p.Shape: public static final int SIDES = 4",
            "+ p.Shape: public static final int SIDES = 5");
    assertChange("public int inherited() { return 0; }", "")
        .containsExactly("- p.Shape.Square: public int inherited()");
    assertChange("RED, GREEN", "RED").containsExactly("- p.Shape.Color: constant GREEN");
    assertChange("long x, String label", "int x, String label")
        .contains(
            "- public record p.Shape.Point(long x, String label)",
            "+ public record p.Shape.Point(int x, String label)");
    assertChange("public abstract class Shape", "public abstract class Shape implements Runnable")
        .contains("+ public abstract class p.Shape implements Runnable");
  }

  @Test
  void guardedModules_haveTheirFile() throws IOException {
    List<String> guarded = new ArrayList<>();
    for (String module : List.of("core", "netty", "arrow", "micrometer")) {
      Path place = Path.of("..", "arenal-" + module);
      assertThat(Files.readString(place.resolve("pom.xml")))
          .contains("<phase>${api.phase}</phase>");
      guarded.addAll(Files.readAllLines(place.resolve("api.txt")));
    }
    assertThat(guarded)
        .contains(
            "module dev.arenal",
            "module dev.arenal.netty",
            "module dev.arenal.arrow",
            "module dev.arenal.micrometer");
  }

  private ListAssert<String> assertChange(String from, String to) throws Exception {
    List<String> said = change(TYPES.replace(from, to)).lines().skip(1).toList();
    return assertThat(said);
  }

  private String change(String types) throws Exception {
    return (String) call("compare", List.class, lines(TYPES), List.class, lines(types));
  }

  @SuppressWarnings("unchecked")
  private List<String> lines(String types) throws Exception {
    return (List<String>) call("lines", Path.class, module(types));
  }

  private Path module(String types) throws IOException {
    Path place = Files.createDirectory(folder.resolve("module" + compiledCount++));
    Path sources = Files.createDirectories(place.resolve("p"));
    Files.writeString(place.resolve("module-info.java"), MODULE);
    Files.writeString(sources.resolve("Shape.java"), types);
    compile(List.of(place.resolve("module-info.java"), sources.resolve("Shape.java")), place);
    return place;
  }

  /** Calls a method of the tool, whose class is on no class path. */
  private Object call(String name, Object... typesAndArguments) throws Exception {
    Path place = folder.resolve("tool");
    if (!Files.exists(place)) {
      compile(List.of(TOOL), Files.createDirectory(place));
    }
    List<Class<?>> types = new ArrayList<>();
    List<Object> arguments = new ArrayList<>();
    for (int i = 0; i < typesAndArguments.length; i += 2) {
      types.add((Class<?>) typesAndArguments[i]);
      arguments.add(typesAndArguments[i + 1]);
    }
    URL[] path = {place.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, null)) {
      Method method =
          loader.loadClass("Api").getDeclaredMethod(name, types.toArray(Class<?>[]::new));
      method.setAccessible(true);
      return requireNonNull(method.invoke(null, arguments.toArray()));
    }
  }

  private static void compile(List<Path> sources, Path place) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options = List.of("-d", place.toString(), "-proc:none");
      boolean isCompiled =
          compiler
              .getTask(said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertThat(isCompiled).as(said.toString()).isTrue();
    }
  }
}
