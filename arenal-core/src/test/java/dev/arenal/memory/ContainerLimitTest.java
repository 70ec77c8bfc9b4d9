package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A real container's limit, where this machine allows a new control group: a process that asks for
 * more than it gives is refused, and neither he nor his neighbours are killed.
 */
final class ContainerLimitTest {
  private static final long MIB = 1 << 20;
  private static final long LIMIT_BYTES = 400 * MIB;

  private Path group = Path.of("");

  @BeforeEach
  void makeGroup() {
    String name = "arenal-test-" + ProcessHandle.current().pid();
    for (Path parent : parents()) {
      Path folder = parent.resolve(name);
      try {
        Files.createDirectory(folder);
        group = folder;
        // Version 2 has the file only where the parent hands the controller down.
        Path limit = folder.resolve("memory.max");
        Path limitOne = folder.resolve("memory.limit_in_bytes");
        Files.writeString(Files.exists(limit) ? limit : limitOne, Long.toString(LIMIT_BYTES));
        return;
      } catch (IOException e) {
        removeGroup();
      }
    }
    abort("no control group can be made here");
  }

  private static List<Path> parents() {
    List<Path> parents = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
        String[] fields = line.split(":", 3);
        String mount = fields[1].isEmpty() ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
        if (fields[1].isEmpty() || List.of(fields[1].split(",", -1)).contains("memory")) {
          parents.add(Path.of(mount + fields[2]));
          parents.add(Path.of(mount));
        }
      }
    } catch (IOException e) {
      return List.of();
    }
    return parents.stream().filter(path -> Files.exists(path.resolve("cgroup.procs"))).toList();
  }

  @AfterEach
  void removeGroup() {
    for (int attempt = 0; attempt < 50 && Files.exists(group) && !group.toString().isEmpty(); ) {
      attempt += group.toFile().delete() ? 50 : 1; // the kernel needs a moment after the last exit
      sleep();
    }
  }

  @Test
  void moreThanTheContainerHas_isRefusedAndTheProcessLives() throws Exception {
    Process process = start(LIMIT_BYTES, 64 * MIB);
    List<String> lines = linesOf(process);
    assertThat(lines).hasSize(3).last().isEqualTo("alive");
    assertThat(lines.getFirst())
        .matches(
            "after \\d+ ms: pretouch refused, limited by memory \\(control group .*"
                + group.getFileName()
                + "\\): memory=m, wantedBytes=419430400, marginBytes=\\d+, availableBytes=\\d+,.*"
                + " controlGroup=\\S*"
                + group.getFileName()
                + ", groupLimitBytes=419430400, groupUsageBytes=\\d+,.*");
    assertThat(lines.get(1)).startsWith("pretouched: memory=m, touchedBytes=67108864,");
  }

  /** Each would fit alone: they find out on the way, or before, that both do not. */
  @Test
  void neighboursThatTakeAtTheSameTime_bothLive() throws Exception {
    Process one = start(200 * MIB);
    Process two = start(200 * MIB);
    for (Process process : List.of(one, two)) {
      List<String> lines = linesOf(process);
      assertThat(lines).hasSize(2).last().isEqualTo("alive");
      assertThat(lines.getFirst()).containsPattern("^(pretouched: |after \\d+ ms: pretouch )");
    }
  }

  private Process start(long... sizesBytes) throws IOException, URISyntaxException {
    List<String> command = new ArrayList<>();
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    command.addAll(List.of("sh", "-c", "echo $$ > \"$0\"/cgroup.procs && exec \"$@\""));
    command.addAll(List.of(group.toString(), java.toString(), "-Xmx32m", "-Xss512k"));
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-XX:ReservedCodeCacheSize=16m", "-cp"));
    command.add(codeOf(Budget.class) + ":" + codeOf(ContainerProgram.class));
    command.add(ContainerProgram.class.getName());
    for (long sizeBytes : sizesBytes) {
      command.add(Long.toString(sizeBytes));
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().remove("JDK_JAVA_OPTIONS");
    return builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static List<String> linesOf(Process process) throws Exception {
    try (var output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("137 is killed: %s", text).isZero();
      return text.lines().toList();
    }
  }

  private static Path codeOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void sleep() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
