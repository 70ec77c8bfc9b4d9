package dev.arenal.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.heap.ResidentMemory;
import dev.arenal.lab.replay.ChildResult.Moment;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Times of a replay, with compilers that take a time that is known. */
final class SteppedReplayTest {
  private final ReplayProgram program = SyntheticTrace.program(SyntheticTrace.random(1, 2_000));

  @Test
  void timesAreWithoutCompilers_andNeverFall() throws IOException {
    List<Moment> idle = moments(() -> 0, 0);
    assertThat(idle.getLast().wallNanos()).isPositive();

    // An hour at every look: no step took as long, so nothing is left of any.
    AtomicLong hours = new AtomicLong();
    List<Moment> busy = moments(() -> hours.getAndIncrement() * 3_600_000, 3_600_000L);
    assertThat(busy).hasSameSizeAs(idle).allMatch(moment -> moment.wallNanos() == 0);
  }

  @Test
  void timeBeforeACompilation_stays() throws IOException {
    // Two looks at each step; compilers come once, in the last.
    AtomicLong looks = new AtomicLong();
    long stepCount = TracePlan.of(program).sampleOperations().length;
    List<Moment> moments =
        moments(() -> looks.incrementAndGet() < 2 * stepCount ? 0 : 3_600_000, -1);

    assertThat(moments).isSortedAccordingTo((a, b) -> Long.compare(a.wallNanos(), b.wallNanos()));
    assertThat(moments.getLast().wallNanos())
        .isPositive()
        .isEqualTo(moments.get(moments.size() - 2).wallNanos());
  }

  private List<Moment> moments(LongSupplier compilers, long millisPerStep) throws IOException {
    try (ResidentMemory resident = ResidentMemory.ofThisProcess();
        ReplayAllocator allocator = ReplayAllocator.open(AllocatorKind.ELASTIC, program)) {
      SteppedReplay replay = new SteppedReplay(program, false, resident, compilers);
      replay.run(allocator, 0);
      List<Moment> moments = replay.moments();
      if (millisPerStep >= 0) {
        assertThat(replay.compilerMillis()).isEqualTo(moments.size() * millisPerStep);
      }
      return moments;
    }
  }
}
