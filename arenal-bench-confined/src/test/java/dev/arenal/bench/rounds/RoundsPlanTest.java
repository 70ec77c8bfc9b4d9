package dev.arenal.bench.rounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.bench.rounds.RoundsPlan.Executor;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.ProfilerConfig;

final class RoundsPlanTest {
  @Test
  void plan_isReadFromItsLines() {
    RoundsPlan plan =
        RoundsPlan.parse(
            List.of(
                "rounds 2",
                "seconds 95",
                "warmup 3 150",
                "measure 4 80",
                "cell platform 1 a.B.none factory=jdk",
                "cell virtual 1 a.B.one factory=jdk sizeBytes=5",
                "cell netty 4 a.C.two preload=X sizeBytes=5"));
    assertThat(plan)
        .isEqualTo(
            new RoundsPlan(
                2,
                95,
                new RoundsPlan.Iterations(3, 150),
                new RoundsPlan.Iterations(4, 80),
                List.of(
                    new RoundsPlan.Cell(
                        "a.B.none", Executor.PLATFORM, 1, Map.of("factory", "jdk"), "", false),
                    new RoundsPlan.Cell(
                        "a.B.one",
                        Executor.VIRTUAL,
                        1,
                        Map.of("factory", "jdk", "sizeBytes", "5"),
                        "",
                        false),
                    new RoundsPlan.Cell(
                        "a.C.two", Executor.NETTY, 4, Map.of("sizeBytes", "5"), "X", false))));
    assertThat(plan.options(0, GCProfiler.class).getIncludes()).containsExactly("^a\\.B\\.none$");
    assertThat(plan.options(0, GCProfiler.class).getJvmArgsAppend().get())
        .doesNotContain("-Djmh.executor=VIRTUAL");
    assertThat(plan.options(1, GCProfiler.class).getJvmArgsAppend().get())
        .contains("-Djmh.executor=VIRTUAL");
    Options netty = plan.options(2, GCProfiler.class);
    assertThat(netty.getJvmArgsAppend().get())
        .contains(
            "-Djmh.executor=CUSTOM", "-Djmh.executor.class=dev.arenal.bench.buffers.NettyThreads");
    assertThat(netty.getThreads().get()).isEqualTo(4);
    assertThat(netty.getProfilers())
        .extracting(ProfilerConfig::getKlass)
        .containsExactly(GCProfiler.class.getName(), Preload.class.getName());
  }

  @Test
  void cellsThatShareAJvm_differInParametersOnly() {
    RoundsPlan plan =
        RoundsPlan.parse(
            List.of(
                "cell netty 1 a.B.c sizeBytes=5 jvm=shared",
                "cell netty 1 a.B.c sizeBytes=5",
                "cell netty 1 a.B.c sizeBytes=5",
                "cell netty 2 a.B.c sizeBytes=5 jvm=shared",
                "cell netty 1 a.B.d sizeBytes=5 jvm=shared",
                "cell netty 1 a.B.c sizeBytes=5 jvm=shared preload=X",
                "cell netty 1 a.B.c sizeBytes=6 jvm=shared"));
    assertThat(plan.groups())
        .containsExactly(List.of(0, 6), List.of(1), List.of(2), List.of(3), List.of(4), List.of(5));
    Options here = plan.optionsHere(6, GCProfiler.class);
    assertThat(here.getForkCount().get()).isZero();
    assertThat(here.getParameter("sizeBytes").get()).containsExactly("6");
    assertThat(here.getParameter("jvm").hasValue()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "round 2",
        "rounds two",
        "rounds",
        "warmup 3",
        "cell platform",
        "cell other 1 a.B.c",
        "cell netty 1 a.B.c jvm=own",
        ""
      })
  void lineThatCannotBeRead_isNamed(String line) {
    assertThatThrownBy(() -> RoundsPlan.parse(List.of("rounds 1", line)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "plan has a line that cannot be read: line="
                + line
                + " (expected rounds, seconds, warmup, measure or cell with what belongs to it)");
  }
}
