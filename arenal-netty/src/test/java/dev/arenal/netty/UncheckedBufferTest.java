package dev.arenal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Netty's switches that turn checks off, as some do in production. */
final class UncheckedBufferTest {
  @Test
  void releasedBuffer_refusesAlsoWithoutNettysChecks() throws Exception {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dio.netty.buffer.checkBounds=false",
                "-Dio.netty.buffer.checkAccessible=false",
                "-cp",
                System.getProperty("java.class.path"),
                UncheckedProgram.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(program.waitFor()).isZero();
    assertThat(said.lines())
        .containsExactly("true", "refused", "refused", "refused", "refused", "refused", "refused");
  }
}
