package dev.arenal.unload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.machine.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    List<String> all = new ArrayList<>(flags);
    all.add("--enable-native-access=ALL-UNNAMED");
    ChildJvm child = ChildJvm.run(all, UnloadProgram.class, parts.toArray(String[]::new));
    assertThat(child.out().lines().toList())
        .isEqualTo(parts.stream().map(part -> part + ": gone gone").toList());
  }
}
