package dev.arenal.lab.pretouch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.pretouch.PretouchSubject.Kind;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Runs from start to end, on a bench that only notes them. */
final class PretouchRunTest {
  private final FakeBench bench = new FakeBench();
  private final List<String> steps = new ArrayList<>();

  @Test
  void subjectsTakeTurns_eachRightAfterAWarmUp() throws Exception {
    bench.isAbsent = subject -> subject.kind() != Kind.KERNEL || subject.threadCount() == null;
    PretouchPlan plan = new PretouchPlan(List.of(PretouchPlan.GIB), List.of(), 1, 2, 2);

    PretouchMeasurement measurement = run(plan);

    List<String> round =
        List.of(
            "warm-up 1", "C, populate, 1 thread",
            "warm-up 1", "C, populate, huge pages, 1 thread",
            "warm-up 1", "C, clear, 1 thread");
    List<String> expected = new ArrayList<>(round);
    expected.addAll(round);
    for (int more = 0; more < 4; more++) { // a claim is about it: six runs
      expected.addAll(List.of("warm-up 1", "C, populate, huge pages, 1 thread"));
    }
    assertThat(bench.calls).containsExactlyElementsOf(expected);
    assertThat(steps)
        .contains("looking what there is", "1 GiB, round 2 of 6, C, clear, 1 thread")
        .endsWith("more memory than there is");
    assertThat(measurement.results())
        .hasSize(3)
        .allSatisfy(result ->
            assertThat(result.runCount()).isEqualTo(result.subject().hugePages() ? 6 : 2));
    assertThat(measurement.notes()).containsExactly("not here", "the kernel says: x");
    assertThat(measurement.failures()).isEmpty();
    assertThat(Objects.requireNonNull(measurement.refusal()).askedBytes())
        .isEqualTo(16 * PretouchPlan.GIB);
  }

  @Test
  void whatClaimsAreAbout_runsMoreOften() throws Exception {
    PretouchMeasurement measurement = run(Pretouches.plan());

    for (long sizeBytes : List.of(PretouchPlan.GIB, 4 * PretouchPlan.GIB)) {
      // Two JVMs' starts, and all threads: two ways of Arenal, three of the kernel.
      assertThat(measurement.of(sizeBytes))
          .hasSize(16 + 6 + 6)
          .filteredOn(result -> result.runCount() == 3)
          .extracting(result -> result.subject().label())
          .containsExactly(
              "JDK 25 G1",
              "JDK 25 G1, AlwaysPreTouch",
              "Arenal, populate, 2 threads",
              "C, populate, 2 threads",
              "C, clear, 2 threads");
      assertThat(measurement.of(sizeBytes))
          .filteredOn(result -> result.runCount() == 9)
          .extracting(result -> result.subject().label())
          .containsExactly(
              "JDK 25 G1, huge pages",
              "JDK 25 G1, AlwaysPreTouch, huge pages",
              "Arenal, populate, huge pages, 2 threads",
              "C, populate, huge pages, 2 threads");
    }
  }

  @Test
  void subjectThatDies_isToldOnceAndTheOthersGoOn() throws Exception {
    PretouchSubject arenal = PretouchSubject.arenal(Method.POPULATE, false, 2);
    bench.isFailing = arenal::equals;

    PretouchMeasurement measurement = run(Pretouches.plan());

    assertThat(measurement.failures())
        .containsExactly("died: Arenal, populate, 2 threads", "died: Arenal, populate, 2 threads");
    assertThat(Collections.frequency(bench.calls, arenal.label())).isEqualTo(2);
    assertThat(measurement.of(PretouchPlan.GIB)).hasSize(27);
  }

  @Test
  void sizeThatDoesNotFit_isLeftOutWithALine() throws Exception {
    bench.availableBytes = 2 * PretouchPlan.GIB;

    PretouchMeasurement measurement = run(Pretouches.plan());

    assertThat(measurement.largestBytes()).isEqualTo(PretouchPlan.GIB);
    assertThat(measurement.notes())
        .startsWith(
            "4 GiB is left out: it does not fit: neededBytes=5368709120,"
                + " availableBytes=2147483648");
    assertThat(measurement.failures()).isEmpty();
  }

  @Test
  void nothingThatFits_isNoFailure() throws Exception {
    bench.availableBytes = 0;

    PretouchMeasurement measurement = run(Pretouches.plan());

    assertThat(measurement.results()).isEmpty();
    assertThat(measurement.notes()).hasSize(3);
    assertThat(bench.calls).isEmpty();
  }

  /** No process is to be ended for a benchmark. */
  @Test
  void memoryThatOthersTakeMeanwhile_endsTheSubjects() throws Exception {
    bench.callCountUntilFull = 10;

    PretouchMeasurement measurement = run(Pretouches.plan());

    assertThat(bench.calls).hasSize(10);
    assertThat(measurement.results()).hasSize(5);
    assertThat(measurement.failures())
        .contains(
            "JDK 25 Parallel, AlwaysPreTouch, 1 GiB is left out: it does not fit:"
                + " neededBytes=1744830464, availableBytes=0");
  }

  @Test
  void warmUpOrRefusalThatDies_isTold() throws Exception {
    bench.isWarmUpFailing = true;
    bench.isRefusalFailing = true;

    PretouchMeasurement measurement =
        run(new PretouchPlan(List.of(PretouchPlan.GIB), List.of(), 1, 3, 0));

    assertThat(measurement.results()).isEmpty();
    assertThat(measurement.refusal()).isNull();
    assertThat(measurement.failures()).contains("warm-up died").endsWith("refusal died");
  }

  private PretouchMeasurement run(PretouchPlan plan) throws IOException, InterruptedException {
    return PretouchRun.run(plan, bench, (_, step, _) -> steps.add(step));
  }
}
