package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Programs of their own: with Netty's checks off, as some are in production, and settings. */
final class UncheckedBufferTest {
  @Test
  void releasedBuffer_refusesAlsoWithoutNettysChecks() throws Exception {
    assertThat(
            linesOf(
                UncheckedProgram.class,
                "-Dio.netty.buffer.checkBounds=false",
                "-Dio.netty.buffer.checkAccessible=false"))
        .containsExactly("true", "refused", "refused", "refused", "refused", "refused", "refused");
  }

  /** A class whose initializer has ended there could never be used again. */
  @Test
  void firstAccessAtTheEndOfAStack_doesNoHarm() throws Exception {
    assertThat(linesOf(DeepProgram.class)).containsExactly("the stack has ended", "42", "true");
  }

  @Test
  void delayOfAProperty_isThatOfTheDefault() throws Exception {
    assertThat(linesOf(DelayProgram.class, "-Darenal.netty.uncommitDelayMillis=100"))
        .containsExactly("true", "true", "0");
  }

  private static List<String> linesOf(Class<?> program, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return said.lines().toList();
  }
}
