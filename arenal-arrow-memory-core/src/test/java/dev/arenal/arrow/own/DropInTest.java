package dev.arenal.arrow.own;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.DefaultAllocationManagerFactory;
import org.apache.arrow.memory.TestOpens;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

/** The jar on class paths and module paths, with a program that knows nothing of it. */
final class DropInTest {
  private static final String OURS = "dev.arenal.arrow.PageFactory";
  private static final List<String> FLAGS =
      List.of("--enable-native-access=ALL-UNNAMED", "--illegal-native-access=deny");
  private static final List<String> WITH_OURS =
      List.of("vector: 42", "empty: 0", "manager: " + OURS);

  private static final Path DROP_IN = Paths.of(DefaultAllocationManagerFactory.class);

  @TempDir private Path folder;

  /** Arrow's own managers are there, Netty's too: with that one alone, this does not start. */
  @Test
  void jar_isTakenBeforeArrowsOwn_whereverItStands() throws Exception {
    List<String> path = classPath();
    assertThat(path.toString()).contains("arrow-memory-netty-", "arrow-memory-unsafe-");
    assertThat(start(FLAGS, path)).containsExactlyElementsOf(WITH_OURS);
    List<String> reversed = new ArrayList<>(path);
    Collections.reverse(reversed);
    assertThat(start(FLAGS, reversed)).containsExactlyElementsOf(WITH_OURS);
  }

  /** Arrow asks for the default while its own classes are initialized, and ours come in between. */
  @Test
  void managerMayBeInitializedFirst() throws Exception {
    assertThat(start(FLAGS, classPath(), "dev.arenal.arrow.ArenalAllocationManager"))
        .containsExactlyElementsOf(WITH_OURS);
  }

  @Test
  void jarTwice_works() throws Exception {
    Path copy = copyTo("memory-core-copy");
    List<String> path = new ArrayList<>(classPath());
    path.add(copy.toString());
    path.add(DROP_IN.toString());
    assertThat(start(FLAGS, path)).containsExactlyElementsOf(WITH_OURS);
  }

  /** As in a jar put together of others: Arrow looks at its name. */
  @Test
  void placeWithAnotherName_isRefusedByArrow() throws Exception {
    List<String> path = new ArrayList<>(classPath());
    path.remove(DROP_IN.toString());
    path.addFirst(copyTo("program").toString());
    assertThat(start(FLAGS, path))
        .anySatisfy(line ->
            assertThat(line)
                .contains("IllegalStateException: Unknown allocation manager type to infer."));
  }

  @Test
  void property_isStrongerThanTheJar() throws Exception {
    List<String> flags =
        Stream.concat(FLAGS.stream(), Stream.of("-Darrow.allocation.manager.type=Unsafe")).toList();
    assertThat(start(flags, classPath()))
        .containsExactly(
            "vector: 42",
            "empty: 0",
            "manager: org.apache.arrow.memory.unsafe.UnsafeAllocationManager$1");
  }

  // ---- on the module path ----

  @Test
  void asPatchOfArrowsModule_itIsTaken() throws Exception {
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--enable-native-access=dev.arenal",
                "--illegal-native-access=deny",
                "--add-modules=dev.arenal.arrow",
                "--patch-module=org.apache.arrow.memory.core=" + DROP_IN,
                "--add-reads=org.apache.arrow.memory.core=dev.arenal.arrow",
                "--add-opens=org.apache.arrow.memory.core/org.apache.arrow.memory=ALL-UNNAMED"));
    List<String> modules = modules();
    flags.add("--module-path=" + String.join(File.pathSeparator, modules));
    List<String> others = new ArrayList<>(classPath());
    others.removeAll(modules);
    others.remove(DROP_IN.toString());
    assertThat(start(flags, others)).containsExactlyElementsOf(WITH_OURS);
  }

  /** The package is the module's, so the class behind it is found by Arrow and cannot be loaded. */
  @Test
  void onTheClassPathBesideArrowsModule_itIsRefusedByArrow() throws Exception {
    List<String> flags =
        List.of(
            "--enable-native-access=dev.arenal",
            "--add-modules=dev.arenal.arrow",
            "--module-path=" + String.join(File.pathSeparator, modules()));
    List<String> others = new ArrayList<>(classPath());
    others.removeAll(modules());
    assertThat(start(flags, others))
        .anySatisfy(line ->
            assertThat(line)
                .contains(
                    "Unable to instantiate Allocation Manager for"
                        + " org.apache.arrow.memory.DefaultAllocationManagerFactory"));
  }

  private static List<String> modules() throws ClassNotFoundException {
    return Stream.of(
            Class.forName("dev.arenal.arrow.ArenalAllocationManager"),
            Class.forName("dev.arenal.page.PageAllocator"),
            AllocationManager.class,
            Logger.class)
        .map(type -> Paths.of(type).toString())
        .toList();
  }

  /** That of this process, but for Arrow's test classes, which have a default of that name, too. */
  private static List<String> classPath() {
    String tests = Paths.of(TestOpens.class).toString();
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.equals(tests))
        .toList();
  }

  private Path copyTo(String name) throws Exception {
    Path target = folder.resolve(name);
    if (Files.isRegularFile(DROP_IN)) {
      return Files.copy(DROP_IN, target);
    }
    try (Stream<Path> files = Files.walk(DROP_IN)) {
      for (Path file : files.toList()) {
        Path copy = target.resolve(DROP_IN.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(file, copy);
        }
      }
    }
    return target;
  }

  /** The output of the program: all of it, or its errors if it fails. */
  private List<String> start(List<String> flags, List<String> classPath, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(
        List.of("-cp", String.join(File.pathSeparator, classPath), DefaultProgram.class.getName()));
    command.addAll(List.of(arguments));
    Path errors = folder.resolve("errors");
    Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0
        ? out.lines().filter(line -> line.matches("(vector|empty|manager): .*")).toList()
        : Files.readAllLines(errors);
  }
}
