package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher script in a repository of its own, with a JDK and a Maven that only say how they
 * were called.
 */
final class LauncherTest {
  private static final List<String> MODULES =
      List.of(
          "arenal-core",
          "arenal-agent",
          "arenal-netty",
          "arenal-workload",
          "arenal-bench-confined",
          "arenal-lab");

  private static final Instant BUILT = Instant.parse("2026-01-02T00:00:00Z");
  private static final Instant BEFORE = BUILT.minusSeconds(60);
  private static final Instant AFTER = BUILT.plusSeconds(60);

  @TempDir Path temp;
  private Path root = Path.of("");
  private Path jdk = Path.of("");
  private Path tools = Path.of("");

  /** A repository with spaces in its path, built and up to date. */
  @BeforeEach
  void createRepository() throws IOException {
    assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "the launcher is a shell script");
    root = Files.createDirectories(temp.resolve("my repository")).toRealPath();
    Files.copy(Path.of("..", "arenal"), root.resolve("arenal"));
    assertThat(root.resolve("arenal").toFile().setExecutable(true)).isTrue();
    for (String module : MODULES) {
      write(root.resolve(module).resolve("src/main/A.java"), "");
      write(root.resolve(module).resolve("pom.xml"), "");
    }
    write(root.resolve("pom.xml"), "");
    try (var files = Files.walk(root)) {
      for (Path file : files.toList()) {
        setTime(file, BEFORE);
      }
    }
    write(lab("arenal-lab.jar"), "");
    write(lab("launcher.stamp"), "");
    setTime(lab("launcher.stamp"), BUILT);
    jdk = createJdk(temp.resolve("jdks/jdk 25"), "25.0.1");
    tools = createTools();
  }

  @Test
  void upToDate_startsTheLabWithItsArguments() throws Exception {
    Result result = run(Map.of(), "replay", "a b", "*");
    assertThat(result.error()).isEmpty();
    assertThat(result.exitCode()).isEqualTo(7);
    assertThat(result.output().lines())
        .containsExactly(
            "--enable-native-access=dev.arenal,dev.arenal.lab",
            "--illegal-native-access=deny",
            "-Darenal.home=" + root,
            "-p",
            lab("arenal-lab.jar") + ":" + lab("lib"),
            "-m",
            "dev.arenal.lab/dev.arenal.lab.Main",
            "replay",
            "a b",
            "*");
  }

  @Test
  void optionsOfAJvmInVariables_areSetAside() throws Exception {
    createProgram(
        jdk.resolve("bin/java"),
        "for name in JAVA_TOOL_OPTIONS ARENAL_SET_ASIDE_JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS"
            + " ARENAL_SET_ASIDE_JDK_JAVA_OPTIONS OTHER; do"
            + " eval \"printf '%s\\n' \\\"\\${$name-unset}\\\"\"; done");
    Result result =
        run(Map.of("JAVA_TOOL_OPTIONS", "-Da='b c' $d", "JDK_JAVA_OPTIONS", "", "OTHER", "kept"));
    assertThat(result.error()).isEmpty();
    assertThat(result.output().lines())
        .containsExactly("unset", "-Da='b c' $d", "", "unset", "kept");
  }

  @Test
  void symbolicLink_leadsToTheRepository() throws Exception {
    Path bin = Files.createDirectories(temp.resolve("bin"));
    Files.createSymbolicLink(bin.resolve("second"), Path.of("../my repository/arenal"));
    Files.createSymbolicLink(bin.resolve("first"), Path.of("second"));
    Result result = run(bin.resolve("first"), Map.of());
    assertThat(result.error()).isEmpty();
    assertThat(result.output()).contains("-Darenal.home=" + root + "\n");
  }

  @Test
  void changedSource_isBuiltOnce() throws Exception {
    setTime(root.resolve("arenal-core/src/main/A.java"), AFTER);
    assertThat(run(Map.of()).error().lines())
        .containsExactly(
            "arenal: building, once: half a minute, and longer where Maven has to fetch"
                + " libraries...");
    assertThat(Files.readString(lab("build.log")))
        .isEqualTo(
            "mvn -B -q -Dstyle.color=never -f "
                + root.resolve("pom.xml")
                + " -Prun -pl arenal-lab -am -Dmaven.test.skip=true package\n");
    assertThat(run(Map.of()).error()).isEmpty();
  }

  @Test
  void twoAtOnce_buildOnce() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/flock")), "the system has flock there");
    createProgram(tools.resolve("flock"), "exec /usr/bin/flock \"$@\"");
    Path builds = temp.resolve("builds");
    createProgram(
        tools.resolve("mvn"), "echo begin >>" + builds + "; /bin/sleep 2; echo end >>" + builds);
    setTime(root.resolve("arenal-core/src/main/A.java"), AFTER);
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ProcessBuilder builder = new ProcessBuilder(root.resolve("arenal").toString());
      builder.environment().put("PATH", tools.toString());
      builder.environment().put("ARENAL_JAVA_HOME", jdk.toString());
      processes.add(builder.redirectErrorStream(true).start());
    }
    for (Process process : processes) {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the launcher ended").isTrue();
      assertThat(process.exitValue()).isEqualTo(7);
    }
    assertThat(Files.readAllLines(builds)).containsExactly("begin", "end");
  }

  @Test
  void removedSource_isBuilt() throws Exception {
    Files.delete(root.resolve("arenal-lab/src/main/A.java"));
    assertThat(run(Map.of()).error())
        .startsWith(
            "arenal: building, once: half a minute, and longer where Maven has to fetch"
                + " libraries...\n");
  }

  @Test
  void failedBuild_saysHowToRepeatIt() throws Exception {
    Files.delete(lab("arenal-lab.jar"));
    createProgram(tools.resolve("mvn"), "exit 1");
    Result result = run(Map.of());
    assertThat(result.error())
        .isEqualTo(
            """
            arenal: building, once: half a minute, and longer where Maven has to fetch libraries...
            arenal: the build failed, see above and %1$s. To repeat it: JAVA_HOME='%2$s' \
            JAVA25_HOME='%2$s' mvn -B -f '%3$s/pom.xml' -Prun -pl arenal-lab -am \
            -Dmaven.test.skip=true package
            """
                .formatted(lab("build.log"), jdk, root));
    assertThat(result.exitCode()).isEqualTo(4);
    assertThat(result.output()).isEmpty();
  }

  @Test
  void missingMaven_isNamed() throws Exception {
    Files.delete(lab("arenal-lab.jar"));
    Files.delete(tools.resolve("mvn"));
    Result result = run(Map.of());
    assertThat(result.error())
        .isEqualTo(
            """
            arenal: Maven is needed to build, and there is no mvn on the PATH.
            arenal: Install Apache Maven 3.8.7 or later.
            """);
    assertThat(result.exitCode()).isEqualTo(3);
  }

  @Test
  void missingJdk_isNamed() throws Exception {
    createJdk(temp.resolve("jdks/jdk 25"), "24.0.2");
    Result result = run(Map.of("ARENAL_JDK_FOLDERS", temp.resolve("jdks").toString()));
    assertThat(result.error())
        .isEqualTo(
            """
            arenal: no JDK 25 or later found. Install one, such as Eclipse Temurin 25,
            arenal: or set ARENAL_JAVA_HOME to the folder where you have it.
            """);
    assertThat(result.exitCode()).isEqualTo(3);
  }

  @Test
  void wrongJavaHome_isNotReplacedSilently() throws Exception {
    Result result = run(Map.of("ARENAL_JAVA_HOME", "/nowhere"));
    assertThat(result.error())
        .isEqualTo("arenal: ARENAL_JAVA_HOME is not a JDK 25 or later: /nowhere\n");
    assertThat(result.exitCode()).isEqualTo(3);
  }

  @Test
  void jdk_isFoundInAFolderOfJdks() throws Exception {
    createJdk(temp.resolve("jdks/an older one"), "17.0.1");
    Path other = Files.createDirectories(temp.resolve("empty"));
    Result result = run(Map.of("ARENAL_JDK_FOLDERS", other + ":" + temp.resolve("jdks")));
    assertThat(result.error()).isEmpty();
    assertThat(result.exitCode()).isEqualTo(7);
  }

  private record Result(int exitCode, String output, String error) {}

  private Result run(Map<String, String> variables, String... arguments) throws Exception {
    return run(root.resolve("arenal"), variables, arguments);
  }

  private Result run(Path launcher, Map<String, String> variables, String... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(temp.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    if (!variables.containsKey("ARENAL_JDK_FOLDERS")) {
      builder.environment().put("ARENAL_JAVA_HOME", jdk.toString());
    }
    builder.environment().putAll(variables);
    Path output = temp.resolve("output");
    Path error = temp.resolve("error");
    Process process = builder.redirectOutput(output.toFile()).redirectError(error.toFile()).start();
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("the launcher ended").isTrue();
    return new Result(process.exitValue(), Files.readString(output), Files.readString(error));
  }

  /** A JDK whose java prints its arguments, one a line, and ends with 7. */
  private static Path createJdk(Path home, String version) throws IOException {
    createProgram(home.resolve("bin/java"), "printf '%s\\n' \"$@\"; exit 7");
    createProgram(home.resolve("bin/javac"), "exit 1");
    write(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  /** A PATH with what the launcher may use, and a Maven that prints its arguments. */
  private Path createTools() throws IOException {
    Path folder = Files.createDirectories(temp.resolve("tools"));
    for (String name :
        List.of("cat", "dirname", "find", "head", "mkdir", "readlink", "sed", "touch")) {
      Path tool = Path.of("/usr/bin", name);
      Path there = Files.exists(tool) ? tool : Path.of("/bin", name);
      createProgram(folder.resolve(name), "exec " + there + " \"$@\"");
    }
    createProgram(folder.resolve("mvn"), "echo mvn \"$@\"");
    return folder;
  }

  private Path lab(String name) {
    return root.resolve("arenal-lab/target").resolve(name);
  }

  private static void createProgram(Path file, String script) throws IOException {
    write(file, "#!/bin/sh\n" + script + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void setTime(Path file, Instant time) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }
}
