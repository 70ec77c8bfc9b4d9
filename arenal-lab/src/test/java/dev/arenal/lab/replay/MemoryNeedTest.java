package dev.arenal.lab.replay;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.trace.TraceSpace;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory that a replay needs, and the memory of the machine. */
final class MemoryNeedTest {
  @Test
  void traceThatDoesNotFit_isRefusedWithTheSum() {
    ReplayProgram program =
        SyntheticTrace.program(
            trace -> trace.allocate(trace.birth(TraceSpace.CLASS, 0), 1_000_000));
    ReplayOptions options = new ReplayOptions(List.of(AllocatorKind.MALLOC), 1, 60, false);

    assertThatThrownBy(() -> MemoryNeed.check(program, TracePlan.of(program), options, 100_000_000))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "not enough memory to replay the trace: trace=synthetic, usedBytes=8000000,"
                + " overheadBytes=32, javaHeapBytes=139460608, sumBytes=147460640,"
                + " availableBytes=100000000 (expected the sum to be available; stop other"
                + " programs or raise the limit of the container)");
  }
}
