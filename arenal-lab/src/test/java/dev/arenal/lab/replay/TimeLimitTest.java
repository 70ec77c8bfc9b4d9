package dev.arenal.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.trace.TraceSpace;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Experiments that are left out when time is short. */
final class TimeLimitTest {
  private static final int ARENA_COUNT = 100_000;

  private final ReplayProgram program =
      SyntheticTrace.program(trace -> {
        for (int i = 0; i < ARENA_COUNT; i++) {
          trace.death(trace.birth(TraceSpace.NON_CLASS, i));
        }
      });

  @Test
  void sharedArenas_areLeftOutOfATraceWithManyOfThem() {
    assertThat(new TimeLimit(16).leftOut(AllocatorKind.JDK_SHARED, program))
        .hasValue(
            "jdk-shared is left out of %1$s: to close its 100,000 arenas takes about 5 s, and"
                    .formatted(program.name())
                + " there are 16 s for all allocators (arenal replay %1$s --allocators jdk-shared"
                    .formatted(program.name())
                + " measures it)");
    assertThat(new TimeLimit(16).leftOut(AllocatorKind.JDK_CONFINED, program)).isEmpty();
    assertThat(new TimeLimit(40).leftOut(AllocatorKind.JDK_SHARED, program)).isEmpty();
    assertThat(
            new TimeLimit(ReplayOptions.NO_LIMIT_SECONDS)
                .leftOut(AllocatorKind.JDK_SHARED, program))
        .isEmpty();
  }

  @Test
  void heapsOfOwners_areLeftOutOfATraceWithManyOfThem() {
    assertThat(new TimeLimit(399).leftOut(AllocatorKind.MIMALLOC_OWNER, program))
        .hasValue(
            "mimalloc-owner is left out of %1$s: to destroy its 100,000 heaps takes about 100 s,"
                    .formatted(program.name())
                + " and there are 399 s for all allocators (arenal replay %1$s --allocators"
                    .formatted(program.name())
                + " mimalloc-owner measures it)");
    assertThat(new TimeLimit(400).leftOut(AllocatorKind.MIMALLOC_OWNER, program)).isEmpty();
    assertThat(
            new TimeLimit(ReplayOptions.NO_LIMIT_SECONDS)
                .leftOut(AllocatorKind.MIMALLOC_OWNER, program))
        .isEmpty();
  }

  @Test
  void furtherRuns_areForThoseThatAreComparedAndFit() {
    TimeLimit limit = new TimeLimit(60);
    limit.took(AllocatorKind.MALLOC, TimeUnit.SECONDS.toNanos(5));
    limit.took(AllocatorKind.JDK_SHARED, TimeUnit.SECONDS.toNanos(61));

    assertThat(limit.fits(AllocatorKind.MALLOC, 2)).isTrue();
    assertThat(limit.fits(AllocatorKind.JDK_SHARED, 1)).isTrue();
    assertThat(limit.fits(AllocatorKind.JDK_SHARED, 2)).isFalse();
    assertThat(limit.fits(AllocatorKind.ELASTIC, 3)).isTrue();
    assertThat(limit.fits(AllocatorKind.ELASTIC_OWNER, 1)).isTrue();
    assertThat(limit.fits(AllocatorKind.ELASTIC_OWNER, 2)).isFalse();
  }

  /** None has more runs than the others, and none has two. */
  @Test
  void furtherRuns_areTwoForAllOrNoneForAny() {
    TimeLimit limit = new TimeLimit(20);
    limit.took(AllocatorKind.ELASTIC, TimeUnit.SECONDS.toNanos(4));
    limit.took(AllocatorKind.MALLOC, TimeUnit.SECONDS.toNanos(4));
    limit.took(AllocatorKind.MIMALLOC, TimeUnit.SECONDS.toNanos(4));

    assertThat(limit.fits(AllocatorKind.ELASTIC, 2)).isFalse();
    assertThat(limit.fits(AllocatorKind.MALLOC, 2)).isFalse();
    assertThat(limit.fits(AllocatorKind.ELASTIC, 3)).isFalse();
  }

  @Test
  void withoutALimit_everythingRuns() {
    TimeLimit none = new TimeLimit(ReplayOptions.NO_LIMIT_SECONDS);
    none.took(AllocatorKind.ELASTIC_16K, TimeUnit.HOURS.toNanos(1));

    assertThat(none.fits(AllocatorKind.ELASTIC_16K, 99)).isTrue();
  }
}
