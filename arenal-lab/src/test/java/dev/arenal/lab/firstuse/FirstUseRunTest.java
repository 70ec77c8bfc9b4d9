package dev.arenal.lab.firstuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.process.ChildFailedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs from start to end, on a bench that only notes them. */
final class FirstUseRunTest {
  private final FakeBench bench = new FakeBench();
  private final List<String> steps = new ArrayList<>();

  @Test
  void variantsTakeTurns() throws Exception {
    FirstUseMeasurement measurement = run(new FirstUsePlan(2, true));

    List<String> round =
        List.of(
            "jdk-confined",
            "jdk-confined, with an AOT cache",
            "pooled",
            "pooled, with an AOT cache",
            "elastic",
            "elastic, with an AOT cache",
            "page",
            "page, with an AOT cache",
            "netty",
            "netty, with an AOT cache");
    List<String> expected = new ArrayList<>(List.of("cache"));
    expected.addAll(round);
    expected.addAll(round);
    assertThat(bench.calls).containsExactlyElementsOf(expected);
    assertThat(steps)
        .startsWith("making the AOT cache", "round 1 of 2, jdk-confined")
        .endsWith("round 2 of 2, netty, with an AOT cache");
    // A run takes as many milliseconds as there were calls before.
    assertThat(measurement.results().getFirst())
        .isEqualTo(new FirstUseResult(FirstUseSubject.JDK_CONFINED, 2, 6, 1, 106, 7.0, 2.0, 107.0));
    assertThat(measurement.results()).hasSize(5);
    assertThat(measurement.notes()).isEmpty();
    assertThat(measurement.failures()).isEmpty();
  }

  @Test
  void cacheThatCannotBeMade_isLeftOutWithANote() throws Exception {
    bench.reason = "a reason";

    FirstUseMeasurement measurement = run(new FirstUsePlan(1, true));

    assertThat(measurement.notes()).containsExactly("no AOT cache: a reason");
    assertThat(measurement.failures()).isEmpty();
    assertThat(bench.calls)
        .containsExactly("cache", "jdk-confined", "pooled", "elastic", "page", "netty");
    assertThat(measurement.results())
        .hasSize(5)
        .allSatisfy(result -> assertThat(result.medianMillis(true)).isNull());
  }

  @Test
  void cacheThatIsNotWanted_isNotMade() throws Exception {
    FirstUseMeasurement measurement = run(new FirstUsePlan(1, false));

    assertThat(bench.calls).containsExactly("jdk-confined", "pooled", "elastic", "page", "netty");
    assertThat(measurement.notes()).isEmpty();
  }

  @Test
  void subjectThatDies_isToldOnceAndTheOthersGoOn() throws Exception {
    bench.failing = "netty";

    FirstUseMeasurement measurement = run(new FirstUsePlan(3, false));

    assertThat(measurement.failures()).containsExactly("died: netty");
    assertThat(bench.calls).containsOnlyOnce("netty");
    assertThat(measurement.results())
        .extracting(FirstUseResult::subject)
        .containsExactly(
            FirstUseSubject.JDK_CONFINED,
            FirstUseSubject.POOLED,
            FirstUseSubject.ELASTIC,
            FirstUseSubject.PAGE);
  }

  @Test
  void planThatCannotBeMeant_isRefused() {
    assertThatThrownBy(() -> new FirstUsePlan(0, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cannot run that often: runs=0 (expected 1 to 1000)");
    assertThat(FirstUsePlan.lab(true).runCount()).isLessThan(FirstUsePlan.lab(false).runCount());
  }

  private FirstUseMeasurement run(FirstUsePlan plan) throws Exception {
    return FirstUseRun.run(plan, bench, (_, step, _) -> steps.add(step));
  }

  /** Notes what it is asked for, and answers with figures made up. */
  private static final class FakeBench implements FirstUseBench {
    private final List<String> calls = new ArrayList<>();
    private @Nullable String reason;
    private String failing = "";

    @Override
    public @Nullable String makeAotCache() {
      calls.add("cache");
      return reason;
    }

    @Override
    public FirstUseSample run(FirstUsePlan.Variant variant) throws ChildFailedException {
      double millis = calls.size();
      calls.add(variant.label());
      if (variant.label().equals(failing)) {
        throw new ChildFailedException("died: " + variant.label());
      }
      return new FirstUseSample(millis, millis + 100);
    }
  }
}
