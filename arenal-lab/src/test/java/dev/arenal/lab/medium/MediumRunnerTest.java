package dev.arenal.lab.medium;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs from start to end, with a program that stands in for the load. */
final class MediumRunnerTest {
  private final List<String> steps = new ArrayList<>();

  @Test
  void variantsTakeTurns_eachInItsProcess() throws Exception {
    MediumMeasurement measurement = fake(FakeRun.WORKS);
    assertThat(measurement.failures()).isEmpty();
    assertThat(measurement.results())
        .containsExactly(Results.without(3), Results.with(0), Results.with(0), Results.without(3));
    assertThat(steps)
        .containsSubsequence(
            "run 1 of 4, unsynchronized",
            "run 2 of 4, synchronized",
            "run 3 of 4, synchronized",
            "run 4 of 4, unsynchronized");
  }

  @Test
  void runThatDies_isToldAndTheOthersGoOn() throws Exception {
    MediumMeasurement measurement = fake(FakeRun.DIES_SYNCHRONIZED);
    assertThat(measurement.results()).containsExactly(Results.without(3), Results.without(3));
    assertThat(measurement.failures())
        .containsExactly(
            "run 2 of 4, synchronized died: exitCode=6; its last lines:\n    last words",
            "run 3 of 4, synchronized died: exitCode=6; its last lines:\n    last words");
  }

  @Test
  void runWithoutResult_isTold() throws Exception {
    assertThat(fake(FakeRun.WRITES_NOTHING).failures())
        .hasSize(4)
        .first()
        .isEqualTo("run 1 of 4, unsynchronized died: exitCode=0 (it printed nothing)");
  }

  @Test
  void runsLeaveNoFiles() throws Exception {
    long before = countFiles();
    var _ = fake(FakeRun.DIES);
    assertThat(countFiles()).isLessThanOrEqualTo(before);
  }

  private MediumMeasurement fake(int behaviour) throws IOException, InterruptedException {
    MediumPlan plan = new MediumPlan(behaviour, 1, MediumPlan.LEAST_CAPACITY_BYTES);
    return MediumRunner.run(plan, FakeRun.class, (step, _) -> steps.add(step));
  }

  private static long countFiles() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try (var files = Files.list(temporary)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("arenal-medium"))
          .count();
    }
  }
}
