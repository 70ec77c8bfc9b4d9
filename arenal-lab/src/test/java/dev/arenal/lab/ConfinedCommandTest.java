package dev.arenal.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import dev.arenal.lab.jmh.JmhPlan;
import dev.arenal.lab.jmh.JmhRun;
import dev.arenal.lab.report.Section;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command as a person types it; what it measures takes too long here, a moment of it does not.
 */
final class ConfinedCommandTest {
  @TempDir Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void experiment_printsItsTablesAndHasASection() throws Exception {
    JmhPlan<ConfinedCell> plan =
        new JmhPlan<>(
            1,
            0,
            1,
            20,
            3,
            10,
            List.of(
                new ConfinedCell(Shape.ONE, 20, false, Factory.JDK),
                new ConfinedCell(Shape.ONE, 20, false, Factory.POOLED)),
            List.of());
    Section section;
    try (Progress progress = Progress.onStandardError()) {
      section =
          new ConfinedCommand()
              .measure(plan, JmhRun.program(Map.of()), progress, new PrintWriter(out, true));
    }
    assertThat(section.failures()).isEmpty();
    assertThat(section.name()).isEqualTo("confined");
    assertThat(section.json().path("results")).hasSize(2);
    assertThat(out.toString())
        .startsWith("confined: an arena from open to close, by its use\n")
        .contains("\none       20  platform  ", "\n20 bytes ");
  }

  @Test
  void badInput_isRefusedBeforeAnythingIsMeasured() {
    assertThat(run("--quick", "--json", folder.toString())).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("arenal confined: cannot write: file=" + folder + ", reason=");
    assertThat(run("--quick", "--thorough")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--quick, --thorough are mutually exclusive (specify only one)");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void help_showsExamplesAndTimes() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString())
        .contains("Examples:", "arenal confined --quick --json -", "less than two minutes", "99 %");
  }

  private int run(String... words) {
    return Commands.run(out, err, List.of("confined"), words);
  }
}
