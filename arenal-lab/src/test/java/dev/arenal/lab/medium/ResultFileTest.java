package dev.arenal.lab.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results on their way from one process to another. */
final class ResultFileTest {
  @TempDir Path folder;

  @Test
  void result_arrivesAsItWas() throws Exception {
    Path file = folder.resolve("result");
    MediumResult result = Results.without(3);
    ResultFile.write(file, result);
    assertThat(ResultFile.read(file)).isEqualTo(result);
  }

  @Test
  void somethingElse_isRefused() throws Exception {
    Path file = folder.resolve("result");
    Files.writeString(file, "{\"synchronized\":true}");
    assertThatThrownBy(() -> ResultFile.read(file))
        .isInstanceOf(IOException.class)
        .hasMessage("not the result of a run: file=" + file);
  }
}
