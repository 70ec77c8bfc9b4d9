package dev.arenal.unload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.page.PageAllocator;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The class loader of the library goes when all is closed, although its threads, the thread that
 * used it, MXBeans and recordings live on in the JVM.
 */
@Timeout(180)
final class UnloadTest {
  private static final List<String> PARTS =
      List.of(
          "pages",
          "pretouch",
          "elastic",
          "elastic_touched_ahead",
          "elastic_delayed",
          "pooled",
          "pooled_nested",
          "pooled_virtual",
          "statistics",
          "lost",
          "pages,elastic,pooled,pages");

  @Test
  void loader_goes_whenAllIsClosed() throws IOException, InterruptedException {
    assertGone(List.of(), PARTS);
  }

  @Test
  void loader_goes_whenAllIsClosed_whileARecordingRuns() throws IOException, InterruptedException {
    Path file = Files.createTempFile("unload", ".jfr");
    try {
      assertGone(
          List.of("-XX:StartFlightRecording:filename=" + file, "-Xlog:disable"),
          List.of("statistics", "pages,elastic,pooled,pages"));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static void assertGone(List<String> flags, List<String> parts)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    line.add("--enable-native-access=ALL-UNNAMED");
    line.addAll(flags);
    String classPath = codeOf(PageAllocator.class) + File.pathSeparator + codeOf(UnloadTest.class);
    line.addAll(List.of("-cp", classPath, UnloadProgram.class.getName()));
    line.addAll(parts);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(out.lines().toList())
        .isEqualTo(parts.stream().map(part -> part + ": gone gone").toList());
  }

  private static Path codeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
