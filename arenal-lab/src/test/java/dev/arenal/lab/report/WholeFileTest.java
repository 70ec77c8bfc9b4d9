package dev.arenal.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are more than files: links and devices. */
final class WholeFileTest {
  @TempDir Path temp;

  @Test
  void link_staysALink() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "old");
    Path link = Files.createSymbolicLink(temp.resolve("link"), file);
    WholeFile.check(link);
    WholeFile.write(link, "new");

    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("new");
    assertThat(temp.toFile().list()).containsExactlyInAnyOrder("file", "link");
  }

  @Test
  void unfinishedFileOfAnotherProcess_isLeftToIt() throws IOException {
    Path others = Files.writeString(temp.resolve("file.part"), "not mine");
    WholeFile.write(temp.resolve("file"), "mine");

    assertThat(temp.resolve("file")).hasContent("mine");
    assertThat(others).hasContent("not mine");
  }

  /** As a jar may have it in the name of a class: what was measured is not lost for it. */
  @Test
  void halfACharacter_isWrittenAsAQuestionMark() throws IOException {
    Path file = temp.resolve("file");
    WholeFile.write(file, "a\ud800b \ud83d\ude00");

    assertThat(file).hasContent("a?b \ud83d\ude00");
  }

  /** A pipe stands for /dev/stdout and the like, which must not become a file. */
  @Test
  void device_isWrittenToAndNotReplaced() throws Exception {
    Path pipe = temp.resolve("pipe");
    assumeTrue(
        new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0,
        "no pipe can be made here");
    CompletableFuture<String> read =
        CompletableFuture.supplyAsync(() -> {
          try {
            return Files.readString(pipe);
          } catch (IOException e) {
            return e.toString();
          }
        });
    WholeFile.check(pipe);
    WholeFile.write(pipe, "text");

    assertThat(read.get(60, TimeUnit.SECONDS)).isEqualTo("text");
    assertThat(Files.isRegularFile(pipe)).isFalse();
    assertThat(temp.toFile().list()).containsExactly("pipe");
  }
}
