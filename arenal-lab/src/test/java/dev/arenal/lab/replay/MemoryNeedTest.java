package dev.arenal.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.trace.TraceSpace;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The memory that a replay needs, and the memory of the machine. */
final class MemoryNeedTest {
  /** Each may be live at once: its segment is an object then, and its slot keeps it. */
  @Test
  void blocksThatAreFreedEarly_needHeapWhereTheyAreObjects() {
    int count = 1_000_000;
    assertThat(
            moreThanMalloc(trace -> {
              int arena = trace.birth(TraceSpace.CLASS, 0);
              for (int block = 0; block < count; block++) {
                trace.allocate(arena, 1);
              }
              for (int block = 0; block < count; block++) {
                trace.deallocate(arena, block);
              }
            }))
        .isGreaterThan(90L * count);
  }

  /** So do arenas that have given a block back: the first one begins their books. */
  @Test
  void arenasWithFreedBlocks_needHeapForTheirBooks() {
    int count = 10_000;
    assertThat(
            moreThanMalloc(trace -> {
              for (int i = 0; i < count; i++) {
                int arena = trace.birth(TraceSpace.CLASS, i);
                trace.deallocate(arena, trace.allocate(arena, 1));
              }
            }))
        .isGreaterThan(4000L * count);
  }

  private static long moreThanMalloc(Consumer<SyntheticTrace> script) {
    ReplayProgram program = SyntheticTrace.program(script);
    TracePlan plan = TracePlan.of(program);
    return ReplayWork.heapBytes(AllocatorKind.ELASTIC, program, plan, false)
        - ReplayWork.heapBytes(AllocatorKind.MALLOC, program, plan, false);
  }

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

  @Test
  void heapsOfOwners_areLeftOutWhereTheirPagesDoNotFit() throws IOException {
    ReplayProgram program =
        SyntheticTrace.program(trace -> {
          for (int loader = 0; loader < 10_000; loader++) {
            trace.allocate(trace.birth(TraceSpace.CLASS, loader), 1);
          }
        });
    TracePlan plan = TracePlan.of(program);
    AllocatorKind kind = AllocatorKind.MIMALLOC_OWNER;
    long needed =
        10_000L * (2 * 8 + 32 + 32_768) + ReplayWork.heapBytes(kind, program, plan, false);

    assertThat(MemoryNeed.leftOut(kind, program, plan, false, needed - 1))
        .hasValue(
            "mimalloc-owner is left out of synthetic: it keeps pages for each owner, and needs %,d"
                    .formatted(needed)
                + " bytes, of which %,d are available".formatted(needed - 1));
    assertThat(MemoryNeed.leftOut(kind, program, plan, false, needed)).isEmpty();
    assertThat(MemoryNeed.leftOut(AllocatorKind.MIMALLOC, program, plan, false, 0)).isEmpty();
    MemoryNeed.check(program, plan, new ReplayOptions(List.of(kind), 1, 60, false), 0);
  }
}
