package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a person types it. */
final class MediumCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void badInput_isRefusedBeforeAnythingIsMeasured() {
    assertThat(run("--json", folder.toString())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("arenal medium: cannot write: file=" + folder + ", reason=");
    assertThat(run("--threads", "0")).isEqualTo(2);
    assertThat(err.toString())
        .contains("cannot run with that many threads: threads=0 (expected 1 to 1024)");
    assertThat(run("--capacity", "100m")).isEqualTo(2);
    assertThat(err.toString())
        .contains("capacity is too small for medium pages: capacityBytes=104857600");
    assertThat(run("--capacity", "16777216g")).isEqualTo(1);
    assertThat(err.toString())
        .contains("this machine does not have the memory: capacityBytes=18014398509481984,");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void sizes_haveUnits() {
    ByteSize size = new ByteSize();
    assertThat(size.convert("0")).isZero();
    assertThat(size.convert("536870912")).isEqualTo(536870912);
    assertThat(size.convert("3k")).isEqualTo(3072);
    assertThat(size.convert("512M")).isEqualTo(536870912);
    assertThat(size.convert("2g")).isEqualTo(1L << 31);
    for (String wrong : new String[] {"", "m", "-1", "1.5g", "1t", "1 g", "9999999999g"}) {
      assertThat(run("--capacity", wrong)).isEqualTo(2);
      assertThat(err.toString())
          .contains(
              "Invalid value for option '--capacity': not a size: "
                  + wrong
                  + " (expected bytes, or a number with k, m or g such as 512m)");
    }
  }

  @Test
  void help_showsExamplesAndDefaults() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .contains(
            "Examples:",
            "arenal medium --threads 64 --capacity 2g --seconds 30",
            "(" + 4 * Runtime.getRuntime().availableProcessors() + ")");
  }

  private int run(String... words) {
    return Commands.run(out, err, List.of("medium"), words);
  }
}
