package dev.arenal.lab.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.confined.ConfinedCell;
import dev.arenal.lab.confined.Factory;
import dev.arenal.lab.confined.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs from start to end: JMH itself for moments, and a program that misbehaves. */
final class JmhRunTest {
  private static final ConfinedCell ESCAPING =
      new ConfinedCell(Shape.ESCAPING, 20, false, Factory.JDK);
  private static final ConfinedCell VIRTUAL =
      new ConfinedCell(Shape.FOUR, 16, true, Factory.POOLED);
  private static final ConfinedCell STACK = new ConfinedCell(Shape.STRLEN, 5, false, Factory.LWJGL);
  private static final ConfinedCell TOO_LARGE =
      new ConfinedCell(Shape.ONE, 1_000_000, false, Factory.SLICING);

  @TempDir Path folder;

  private final List<String> steps = new ArrayList<>();

  @Test
  void jmh_measuresAndOneThatFailsIsTold() throws Exception {
    JmhPlan<ConfinedCell> plan =
        new JmhPlan<>(2, 0, 1, 20, 4, 10, List.of(ESCAPING, TOO_LARGE, VIRTUAL, STACK), List.of());
    JmhMeasurement<ConfinedCell> measurement =
        JmhRun.run("confined", plan, JmhRun.program(Map.of()), (_, step, _) -> steps.add(step));

    assertThat(measurement.results())
        .extracting(JmhResult::cell)
        .containsExactly(ESCAPING, VIRTUAL, STACK);
    for (JmhResult<ConfinedCell> result : measurement.results()) {
      assertThat(result.nanosPerOperation()).isPositive();
      // Two rounds of four iterations are enough.
      assertThat(result.errorNanos()).isPositive();
    }
    // The arena and the segment, of any factory.
    assertThat(measurement.result(ESCAPING).orElseThrow().bytesPerOperation()).isGreaterThan(64);
    assertThat(measurement.failures()).hasSize(1);
    assertThat(measurement.failures().getFirst())
        .startsWith(
            "fork failed: shape=one, sizeBytes=1000000, threads=platform, factory=slicing,"
                + " reason=Benchmark caught the exception; its last lines:\n")
        .contains("java.lang.IndexOutOfBoundsException: ")
        .doesNotContain("\tat ");
    assertThat(steps)
        .containsExactly(
            "1 of 4, round 1 of 2, escaping 20 jdk",
            "2 of 4, round 1 of 2, one 1000000 slicing",
            "3 of 4, round 1 of 2, four 16 pooled",
            "4 of 4, round 1 of 2, strlen 5 lwjgl",
            "1 of 4, round 2 of 2, escaping 20 jdk",
            "2 of 4, round 2 of 2, one 1000000 slicing",
            "3 of 4, round 2 of 2, four 16 pooled",
            "4 of 4, round 2 of 2, strlen 5 lwjgl");
  }

  @Test
  void noRound_isBegunThatWouldEndTooLate() throws Exception {
    JmhPlan<ConfinedCell> plan = new JmhPlan<>(9, 1, 1, 200, 2, 200, List.of(VIRTUAL), List.of());
    JmhMeasurement<ConfinedCell> measurement =
        JmhRun.run("confined", plan, JmhRun.program(Map.of()), (_, step, _) -> steps.add(step));
    assertThat(measurement.results()).hasSize(1);
    assertThat(measurement.failures()).isEmpty();
    assertThat(steps).containsExactly("1 of 1, round 1 of 9, four 16 pooled");
  }

  @Test
  void programThatDies_isTold() throws Exception {
    assertThat(fake("dies").failures())
        .containsExactly("the benchmarks died: exitCode=6; its last lines:\n    a line of JMH");
  }

  @Test
  void programThatEndsHalfWay_hasNoResults() throws Exception {
    JmhMeasurement<ConfinedCell> measurement = fake("endsHalfWay");
    assertThat(measurement.results()).isEmpty();
    assertThat(measurement.failures())
        .containsExactly("the benchmarks died: exitCode=0; its last lines:\n    a line of JMH");
  }

  @Test
  void resultThatIsMissing_isTold() throws Exception {
    assertThat(fake("losesACell").failures())
        .containsExactly(
            "no result: shape=escaping, sizeBytes=20, threads=platform, factory=jdk"
                + " (expected one of JMH)");
  }

  @Test
  void runsLeaveNoFiles() throws Exception {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Set<Path> before = files(temporary);
    var _ = fake("dies");
    var _ = fake("losesACell");
    Set<Path> added = files(temporary);
    added.removeAll(before);
    // Other tests run beside this one: theirs go, too.
    for (int i = 0; i < 600 && added.stream().anyMatch(Files::exists); i++) {
      Thread.sleep(100);
    }
    assertThat(added).noneMatch(Files::exists);
  }

  @Test
  void interruptedLab_takesTheBenchmarksWithIt() throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                FakeBenchmarks.Lab.class.getName()));
    command.addAll(program("sleeps"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    Path pidFile = folder.resolve("pid");
    for (int i = 0; i < 600 && (!Files.exists(pidFile) || Files.size(pidFile) == 0); i++) {
      Thread.sleep(100);
    }
    ProcessHandle child =
        ProcessHandle.of(Long.parseLong(Files.readString(pidFile).strip())).orElseThrow();
    process.destroy();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    child.onExit().get(60, TimeUnit.SECONDS);
  }

  private JmhMeasurement<ConfinedCell> fake(String behaviour)
      throws IOException, InterruptedException {
    JmhPlan<ConfinedCell> plan = new JmhPlan<>(1, 0, 1, 10, 1, 10, List.of(ESCAPING), List.of());
    return JmhRun.run("confined", plan, JmhRun.program(program(behaviour)), (_, _, _) -> {});
  }

  private List<String> program(String behaviour) {
    return List.of(
        "-cp",
        System.getProperty("java.class.path"),
        FakeBenchmarks.class.getName(),
        behaviour,
        folder.resolve("pid").toString());
  }

  private static Set<Path> files(Path temporary) throws IOException {
    try (var files = Files.list(temporary)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("arenal-confined"))
          .collect(Collectors.toCollection(HashSet::new));
    }
  }
}
