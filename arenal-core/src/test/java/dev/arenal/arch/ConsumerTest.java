package dev.arenal.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that is a module, compiled and started with the library and nothing else. */
final class ConsumerTest {
  private static final Path LIBRARY = Path.of("target", "classes").toAbsolutePath();

  private static final String DENIED =
      """
      Exception in thread "main" java.lang.IllegalCallerException: native access is denied: \
      module=dev.arenal (add --enable-native-access=dev.arenal to the java command)
      """;

  @TempDir private Path folder = Path.of("");

  @Test
  void module_needsNothingButTheLibrary() throws Exception {
    assertThat(compile("requires dev.arenal;")).isEmpty();
    assertThat(start("--enable-native-access=dev.arenal", "--illegal-native-access=deny"))
        .isEqualTo("42\n");
  }

  /** A canary for the compiler's lint, which is to complain above if there is anything. */
  @Test
  void missingRequires_isNoticed() throws Exception {
    assertThat(compile("")).contains("package dev.arenal.elastic is not visible");
  }

  @Test
  void withoutNativeAccess_eachWayIn_saysWhichFlagIsMissing() throws Exception {
    assertThat(compile("requires dev.arenal;")).isEmpty();
    for (String way : List.of("space", "pages", "memory")) {
      assertThat(start("--illegal-native-access=deny", "-Dway=" + way))
          .as(way)
          .startsWith(DENIED)
          .contains("at example/example.Main.main(Main.java:"); // where the program asked
    }
  }

  /** As javac's lint for exports, which wants the annotations of null exported as well. */
  @Test
  void exportedTypes_showOnlyExportedTypes() {
    Set<String> exported =
        ModuleFinder.of(LIBRARY).find("dev.arenal").orElseThrow().descriptor().exports().stream()
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());
    Set<String> hidden = new TreeSet<>();
    for (JavaClass type : new ClassFileImporter().importPath(LIBRARY)) {
      if (isVisible(type, exported)) {
        type.getMembers().stream()
            .filter(ConsumerTest::isVisible)
            .flatMap(ConsumerTest::typesOf)
            .map(JavaClass::getBaseComponentType)
            .filter(shown -> shown.getPackageName().startsWith("dev.arenal"))
            .filter(shown -> !isVisible(shown, exported))
            .forEach(shown -> hidden.add(type.getName() + " shows " + shown.getName()));
      }
    }
    assertThat(hidden).isEmpty();
  }

  private static boolean isVisible(JavaClass type, Set<String> exported) {
    return exported.contains(type.getPackageName())
        && isOpen(type.getModifiers())
        && type.getEnclosingClass().stream().allMatch(outer -> isOpen(outer.getModifiers()));
  }

  private static boolean isVisible(JavaMember member) {
    return isOpen(member.getModifiers());
  }

  private static boolean isOpen(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static Stream<JavaClass> typesOf(JavaMember member) {
    return switch (member) {
      case JavaField field -> field.getType().getAllInvolvedRawTypes().stream();
      case JavaCodeUnit unit ->
          Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
              .flatMap(shown -> shown.getAllInvolvedRawTypes().stream());
      default -> Stream.of();
    };
  }

  /** The output of the compiler, with all of its lint. */
  private String compile(String requires) throws Exception {
    Path module = Files.writeString(folder.resolve("module-info.java"), module(requires));
    Path program = folder.resolve("Main.java");
    Files.writeString(
        program,
        """
        package example;
        import dev.arenal.elastic.ElasticSpace;
        import dev.arenal.memory.Budget;
        import dev.arenal.memory.ReservedMemory;
        import dev.arenal.page.PageAllocator;
        import java.lang.foreign.ValueLayout;
        public final class Main {
          private Main() {}
          public static void main(String[] args) {
            switch (System.getProperty("way", "space")) {
              case "pages" -> PageAllocator.builder("network").build().close();
              case "memory" ->
                  ReservedMemory.reserve("table", 4096, Budget.unlimited("table")).close();
              default -> {
                try (var space = ElasticSpace.builder("tenants").build();
                    var arena = space.openConfined("tenant-7")) {
                  var row = arena.allocate(48);
                  row.set(ValueLayout.JAVA_LONG, 0, 42);
                  System.out.println(row.get(ValueLayout.JAVA_LONG, 0));
                }
              }
            }
          }
        }
        """);
    StringWriter said = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      var _ =
          compiler
              .getTask(
                  said,
                  files,
                  null,
                  List.of("-Xlint:all", "-p", LIBRARY.toString(), "-d", classes().toString()),
                  null,
                  files.getJavaFileObjects(module, program))
              .call();
    }
    return said.toString();
  }

  private static String module(String requires) {
    return "module example { " + requires + " }";
  }

  private Path classes() {
    return folder.resolve("classes");
  }

  private String start(String... flags) throws Exception {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(Arrays.asList(flags));
    line.addAll(List.of("-p", LIBRARY + ":" + classes(), "-m", "example/example.Main"));
    Path out = folder.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    Process process = builder.start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("a JVM has not ended: " + line);
    }
    return Files.readString(out);
  }
}
