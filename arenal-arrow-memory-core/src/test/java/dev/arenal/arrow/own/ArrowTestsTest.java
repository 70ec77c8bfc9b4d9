package dev.arenal.arrow.own;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.arrow.memory.DefaultAllocationManagerFactory;
import org.apache.arrow.memory.TestOpens;
import org.apache.arrow.vector.TestValueVector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Arrow's own tests with our manager as Arrow's default: all of {@code arrow-memory-core} and
 * {@code arrow-vector}, in processes with the flags that Arrow's own build gives them.
 */
@Execution(ExecutionMode.CONCURRENT)
final class ArrowTestsTest {
  private static final String OURS = "dev.arenal.arrow.PageFactory";

  /** More than that many are there; so none are missed. */
  private static final int LEAST_COUNT = 1200;

  /**
   * Tests that fail with Arrow's own manager as well, if each buffer has a history: the first one
   * asserts that there is none, and after the others Arrow's books do not agree with each other.
   */
  private static final Set<String> FAILING_WITH_HISTORY =
      Set.of(
          "TestArrowBuf.testEnabledAssertion",
          "TestComplexWriter.simpleUnion",
          "TestPromotableWriter.testPromoteToUnion");

  private static final List<String> FLAGS =
      List.of(
          "-ea",
          "-Xmx1g",
          "-Duser.timezone=UTC",
          "-Darrow.vector.max_allocation_bytes=2097151",
          "--enable-native-access=ALL-UNNAMED",
          "--illegal-native-access=deny",
          "--add-opens=java.base/java.nio=ALL-UNNAMED");
  private static final String HISTORY = "-Darrow.memory.debug.allocator=true";

  private static final Path MEMORY_TESTS = Paths.of(TestOpens.class);
  private static final Path VECTOR_TESTS = Paths.of(TestValueVector.class);

  /** Those that want gigabytes have names that begin otherwise, and other commands in Arrow. */
  private static final Pattern TEST = Pattern.compile("(?:.*/)?(?:Test[^/$]*|[^/$]*Test)\\.class");

  @TempDir private Path folder;

  /** Some tests read resources as files, and write to a folder of their build. */
  @BeforeEach
  void prepareFolder() throws IOException {
    Files.createDirectory(folder.resolve("target"));
    try (JarFile jar = new JarFile(VECTOR_TESTS.toFile())) {
      for (JarEntry entry : jar.stream().filter(e -> e.getName().endsWith(".json")).toList()) {
        try (InputStream in = jar.getInputStream(entry)) {
          Files.copy(in, folder.resolve(entry.getName()));
        }
      }
    }
  }

  @Test
  void allOfThem_pass() throws Exception {
    Outcome outcome = run(FLAGS, true, allButOpens());
    assertThat(outcome.manager()).isEqualTo(OURS);
    assertThat(outcome.failed()).isEmpty();
    assertThat(outcome.countRun()).isGreaterThan(LEAST_COUNT);
  }

  /** The one that must not have Arrow's flag. */
  @Test
  void withoutArrowsFlag_theOneForThat_passes() throws Exception {
    Outcome outcome = run(List.of("-ea"), true, List.of(TestOpens.class.getName()));
    assertThat(outcome).isEqualTo(new Outcome(OURS, 1, Set.of()));
  }

  /** Arrow then keeps books about all it has, and finds what a manager leaves behind. */
  @Test
  void withHistory_thoseThatPassWithArrowsOwn_pass() throws Exception {
    Outcome outcome = run(with(FLAGS, HISTORY), true, allButOpens());
    assertThat(outcome.manager()).isEqualTo(OURS);
    assertThat(outcome.failed()).isEqualTo(FAILING_WITH_HISTORY);
    assertThat(outcome.countRun()).isGreaterThan(LEAST_COUNT);
  }

  /** The control: the same names fail without anything of ours. */
  @Test
  void withHistory_theSameFailWithArrowsOwn() throws Exception {
    List<String> classes =
        allButOpens().stream()
            .filter(name ->
                FAILING_WITH_HISTORY.stream()
                    .anyMatch(test -> name.endsWith("." + test.replaceFirst("\\..*", ""))))
            .toList();
    Outcome outcome = run(with(FLAGS, HISTORY), false, classes);
    assertThat(outcome.manager()).startsWith("org.apache.arrow.memory.");
    assertThat(outcome.failed()).isEqualTo(FAILING_WITH_HISTORY);
    assertThat(outcome.countRun()).isGreaterThan(classes.size());
  }

  private static List<String> with(List<String> flags, String more) {
    return Stream.concat(flags.stream(), Stream.of(more)).toList();
  }

  private static List<String> allButOpens() throws IOException {
    List<String> classes = new ArrayList<>();
    for (Path path : List.of(MEMORY_TESTS, VECTOR_TESTS)) {
      try (JarFile jar = new JarFile(path.toFile())) {
        jar.stream()
            .map(JarEntry::getName)
            .filter(name -> TEST.matcher(name).matches())
            .map(name -> name.replaceFirst("\\.class$", "").replace('/', '.'))
            .filter(name -> !name.equals(TestOpens.class.getName()))
            .forEach(classes::add);
      }
    }
    return classes;
  }

  /** The outcome of some tests. */
  private record Outcome(String manager, int countRun, Set<String> failed) {}

  private Outcome run(List<String> flags, boolean isOurs, List<String> classes) throws Exception {
    Path file = folder.resolve("outcome");
    Path said = folder.resolve("said");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(compilerFlags());
    command.addAll(flags);
    command.addAll(
        List.of("-cp", classPath(isOurs), ArrowTestsProgram.class.getName(), file.toString()));
    command.addAll(classes);
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertThat(process.waitFor()).as(() -> read(said)).isZero();
    List<String> lines = Files.readAllLines(file);
    return new Outcome(
        lines.get(0),
        Integer.parseInt(lines.get(1)),
        new TreeSet<>(lines.subList(2, lines.size()).stream().filter(s -> !s.isEmpty()).toList()));
  }

  /** The process has the compilers of this JVM. */
  private static List<String> compilerFlags() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("-XX:TieredStopAtLevel="))
        .toList();
  }

  /**
   * That of this process, without Arrow's other managers or without ours. Among Arrow's test
   * classes is a default with the name of ours; the first one counts.
   */
  private String classPath(boolean isOurs) {
    String ours = Paths.of(DefaultAllocationManagerFactory.class).toString();
    List<String> path = new ArrayList<>();
    if (isOurs) {
      path.add(ours);
    }
    path.add(folder.toString());
    Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.equals(ours))
        .filter(entry -> !entry.contains("arrow-memory-netty"))
        .filter(entry -> !isOurs || !entry.contains("arrow-memory-unsafe"))
        .forEach(path::add);
    return String.join(File.pathSeparator, path);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
