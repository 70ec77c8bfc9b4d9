package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WorkloadCommandTest {
  private final StringWriter err = new StringWriter();
  private final StringWriter out = new StringWriter();

  @Test
  void unknownName_isNamed() {
    assertThat(run("workload", "by-magic", "--loaders", "3")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualTo("unknown workload: name=by-magic (expected interleaved-loaders)\n");
  }

  @Test
  void launcherThatIsNotThere_isNamed() {
    assertThat(run("workload", "--java", "nowhere/java", "interleaved-loaders")).isEqualTo(125);
    assertThat(err.toString()).startsWith("cannot start the workload: java=nowhere/java, cause=");
  }

  @Test
  void help_showsHowToRecordIt() {
    assertThat(run("workload", "--help")).isZero();
    assertThat(out.toString()).contains("arenal record -o my.trace -- java");
  }

  private int run(String... args) {
    return Commands.run(out, err, List.of(), args);
  }
}
