package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output that cannot be written is an error, of which the exit code tells. */
@Timeout(120)
final class StandardOutputTest {
  @ParameterizedTest
  @ValueSource(strings = {"--help", "scan --json -"})
  void fullDisk_isAnError(String words) throws Exception {
    File full = new File("/dev/full");
    assumeTrue(full.exists(), "no /dev/full here");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classes = System.getProperty("java.class.path");
    ProcessBuilder builder = new ProcessBuilder(java, "-cp", classes, Main.class.getName());
    builder.command().addAll(List.of(words.split(" ", -1)));
    if (words.startsWith("scan")) {
      builder
          .command()
          .add(
              Path.of(Main.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                  .toString());
    }
    Process process = builder.redirectOutput(full).start();
    String message = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(message).isEqualTo(1);
    assertThat(message).contains("standard output").contains("the disk full?)");
  }
}
