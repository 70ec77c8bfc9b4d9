package dev.arenal.lab.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.arenal.lab.process.Interrupts;
import dev.arenal.lab.process.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A control group goes with the program that has made it, whatever ends that. */
@Timeout(150)
final class ControlGroupTest {
  private static final long LIMIT_BYTES = 64 << 20;

  @Test
  void closedGroup_isGone() {
    Optional<ControlGroup> group = ControlGroup.create("arenal-test", LIMIT_BYTES);
    assumeTrue(group.isPresent(), "a control group can be made here");
    Path folder = group.get().folder();
    assertThat(folder).isDirectory();
    group.get().close();
    assertThat(folder).doesNotExist();
    group.get().close();
  }

  /** By a SIGINT, while a process is in it. */
  @Test
  void interruptedProgram_removesItsGroup() throws Exception {
    Interrupts.assumeHeard();
    Process process =
        Program.java(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Owner.class.getName()))
            .redirectErrorStream(true)
            .start();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      assertThat(line).isNotNull();
      assumeTrue(!line.equals("none"), "a control group can be made here");
      String[] words = line.split(" ", -1);
      Path folder = Path.of(words[0]);
      ProcessHandle inside = ProcessHandle.of(Long.parseLong(words[1])).orElseThrow();
      assertThat(Files.readString(folder.resolve("cgroup.procs"))).contains(words[1]);
      Interrupts.interrupt(process);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(Interrupts.EXIT_CODE);
      inside.onExit().get(60, TimeUnit.SECONDS);
      assertThat(folder).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Makes a group, starts a program in it, says which, and waits. */
  static final class Owner {
    private Owner() {}

    /** Without arguments. */
    public static void main(String[] args) throws IOException, InterruptedException {
      Optional<ControlGroup> group = ControlGroup.create("arenal-test", LIMIT_BYTES);
      if (group.isEmpty()) {
        System.out.println("none");
        return;
      }
      Path folder = group.get().folder();
      Program program =
          Program.start(
              new ProcessBuilder(
                  "sh",
                  "-c",
                  "echo $$ > \"$0\"/cgroup.procs && echo in && exec sleep 60",
                  folder.toString()));
      assertThat(program.lines().readLine()).isEqualTo("in");
      System.out.println(folder + " " + program.process().pid());
      Thread.sleep(TimeUnit.MINUTES.toMillis(1));
    }
  }
}
