package dev.arenal.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of this machine, and what becomes of them. */
final class ProgramTest {
  @TempDir Path folder;

  @Test
  void end_hasExitCodeAndLinesOfBothOutputs() throws Exception {
    Program.End end = run("echo one; echo two >&2; exit 3", 60);
    assertThat(end.lines()).containsExactly("one", "two");
    assertThat(end.exitCode()).isEqualTo(3);
    assertThat(end.isGood()).isFalse();
    assertThat(end.lastLines()).isEqualTo("; its last lines:\n    one\n    two");
    assertThat(run("true", 60).isGood()).isTrue();
    assertThat(run("true", 60).lastLines()).isEqualTo(" (it printed nothing)");
  }

  @Test
  void lastLines_areTheLastTwelve() throws Exception {
    assertThat(run("seq 20", 60).lastLines())
        .startsWith("; its last lines:\n    9\n")
        .endsWith("    20");
  }

  @Test
  void programThatTakesTooLong_isEndedWithWhatItHasStarted() throws Exception {
    Path pid = folder.resolve("pid");
    Program.End end;
    int seconds = 1;
    do { // until it comes so far in its time
      end = run("sleep 300 & echo $! >" + pid + "; wait", seconds);
      seconds *= 3;
    } while (seconds < 60 && !(Files.exists(pid) && Files.size(pid) > 0));
    assertThat(end.isLate()).isTrue();
    assertThat(end.isGood()).isFalse();
    Optional<ProcessHandle> started =
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
    if (started.isPresent()) {
      var _ = started.get().onExit().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void programThatIsNotThere_isAnError() {
    assertThatThrownBy(() -> Program.run(new ProcessBuilder("/no/such/program"), 1))
        .isInstanceOf(IOException.class);
  }

  @Test
  void jvm_seesNoOptionsInVariables() {
    assertThat(Program.java(List.of("java")).environment())
        .doesNotContainKeys("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");
  }

  @Test
  void temporaryFolder_goesWithAllThatIsInIt() throws Exception {
    Path path;
    try (TemporaryFolder temporary = TemporaryFolder.in(folder, "x")) {
      path = temporary.write("file", file -> Files.writeString(file, "text"));
      Files.createDirectories(temporary.file("a/b"));
      Files.writeString(temporary.file("a/b/c"), "text");
      assertThat(path).isRegularFile();
      assertThatThrownBy(() -> temporary.write("no/such", file -> Files.writeString(file, "")))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("cannot write a temporary file: file=" + temporary.file("no"));
    }
    assertThat(path.getParent()).doesNotExist();
  }

  @Test
  void missingJar_isNamed() throws Exception {
    assertThatThrownBy(() -> OurProgram.words(folder, "Main", "a/b.jar", true))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "a program of ours is missing: jar=%s (expected after mvn -B package)"
                .formatted(folder.resolve("a/b.jar")));
    Path jar = Files.createDirectories(folder.resolve("a")).resolve("b.jar");
    Files.writeString(jar, "");
    assertThat(OurProgram.words(folder, "Main", "a/b.jar", true))
        .containsExactly("-cp", folder.resolve("a/*").toString(), "Main");
    assertThat(OurProgram.words(folder, "Main", "a/b.jar", false))
        .containsExactly("-cp", jar.toString(), "Main");
  }

  private static Program.End run(String script, long mostSeconds) throws Exception {
    return Program.run(new ProcessBuilder("sh", "-c", script), mostSeconds);
  }
}
