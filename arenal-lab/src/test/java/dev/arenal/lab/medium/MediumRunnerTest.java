package dev.arenal.lab.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
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
            "medium run died: run=2 of 4, refill=synchronized, exitCode=6; its last lines:\n"
                + "    last words",
            "medium run died: run=3 of 4, refill=synchronized, exitCode=6; its last lines:\n"
                + "    last words");
  }

  @Test
  void runWithoutResult_isTold() {
    assertThatThrownBy(() -> fake(FakeRun.WRITES_NOTHING))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("not the result of a run: file=");
  }

  private MediumMeasurement fake(int behaviour) throws IOException, InterruptedException {
    MediumPlan plan = new MediumPlan(behaviour, 1, MediumPlan.LEAST_CAPACITY_BYTES);
    return MediumRunner.run(plan, FakeRun::new, (_, step, _) -> steps.add(step));
  }
}
