package dev.arenal.lab.replay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.trace.TraceInfo;
import dev.arenal.lab.trace.TraceSpace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Decoding a trace, and what is derived from it before any allocator runs. */
final class ReplayProgramTest {
  @Test
  void operation_keepsItsParts() {
    int lastArena = (1 << 29) - 1;
    long operation = Operation.pack(Operation.DEATH, lastArena, Integer.MAX_VALUE);

    assertThat(Operation.code(operation)).isEqualTo(Operation.DEATH);
    assertThat(Operation.arena(operation)).isEqualTo(lastArena);
    assertThat(Operation.sizeWords(operation)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void operationList_growsAcrossChunks() {
    OperationList list = new OperationList();
    int count = 2 * OperationList.COUNT_PER_CHUNK + 3;
    for (int i = 0; i < count; i++) {
      list.add(i);
    }
    List<Long> seen = new ArrayList<>();
    list.forEachRun(
        OperationList.COUNT_PER_CHUNK - 2,
        OperationList.COUNT_PER_CHUNK + 2,
        (chunk, first, last) -> {
          for (int i = first; i < last; i++) {
            seen.add(chunk[i]);
          }
        });

    assertThat(list.count()).isEqualTo(count);
    assertThat(list.get(count - 1)).isEqualTo(count - 1);
    long edge = OperationList.COUNT_PER_CHUNK;
    assertThat(seen).containsExactly(edge - 2, edge - 1, edge, edge + 1);
  }

  /** Before the events are read, which would end by an error of the JVM. */
  @Test
  void traceThatFillsTheHeap_isRefused() throws IOException {
    TraceInfo info =
        new TraceInfo("app", "25", 65_536, 0, 0, 30_000_000, 20_000_000, 1_000_000, 9, 0, 1, 99);
    ProgramBuilder.checkHeap(info, 512 << 20);
    assertThatThrownBy(() -> ProgramBuilder.checkHeap(info, 256 << 20))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage(
            "not enough Java heap to read the trace: trace=app, events=30000000,"
                + " neededBytes=285554432, maxHeapBytes=268435456 (expected a larger heap: set"
                + " ARENAL_JAVA_OPTS=-Xmx307m)");
    TraceInfo ofArenas =
        new TraceInfo("app", "25", 65_536, 0, 0, 8_000_000, 0, 0, 4_000_000, 4_000_000, 9, 0);
    assertThatThrownBy(() -> ProgramBuilder.checkHeap(ofArenas, 256 << 20))
        .hasMessageContaining("neededBytes=320000000");
  }

  @Test
  void deallocatedBlocks_getSlotsInOrderOfAllocation() {
    ReplayProgram program =
        SyntheticTrace.program(trace -> {
          int arena = trace.birth(TraceSpace.NON_CLASS, 0);
          int first = trace.allocate(arena, 1);
          trace.allocate(arena, 2);
          int third = trace.allocate(arena, 3);
          trace.deallocate(arena, third);
          trace.deallocate(arena, first);
        });

    assertThat(operations(program))
        .containsExactly(
            Operation.pack(Operation.BIRTH, 0, 0),
            Operation.pack(Operation.ALLOCATE_KEPT, 0, 1),
            Operation.pack(Operation.ALLOCATE, 0, 2),
            Operation.pack(Operation.ALLOCATE_KEPT, 0, 3),
            Operation.pack(Operation.DEALLOCATE, 0, 1),
            Operation.pack(Operation.DEALLOCATE, 0, 0));
    assertThat(program.keptCount()).isEqualTo(2);
    assertThat(program.allocationCount()).isEqualTo(3);
  }

  @Test
  void usedCurve_followsAllocationDeallocationAndDeath() {
    ReplayProgram program =
        SyntheticTrace.program(trace -> {
          int arena = trace.birth(TraceSpace.NON_CLASS, 0);
          int other = trace.birth(TraceSpace.CLASS, 0);
          int block = trace.allocate(arena, 10);
          trace.allocate(arena, 5);
          trace.allocate(other, 1);
          trace.deallocate(arena, block);
          trace.death(arena);
          trace.death(other);
        });
    List<Long> used = new ArrayList<>();
    List<Long> blocks = new ArrayList<>();
    UsedCurve curve = new UsedCurve(program);
    for (long operation : operations(program)) {
      curve.apply(operation);
      used.add(curve.usedBytes());
      blocks.add(curve.blockCount());
    }

    assertThat(used).containsExactly(0L, 0L, 80L, 120L, 128L, 48L, 8L, 0L);
    assertThat(blocks).containsExactly(0L, 0L, 1L, 2L, 3L, 2L, 1L, 0L);
  }

  @Test
  void plan_spreadsItsPointsEvenlyAndAddsThePhases() {
    ReplayProgram program = SyntheticTrace.program(SyntheticTrace.generations(25, 2, 2));
    TracePlan plan = TracePlan.of(program);

    assertThat(plan.timeline()).hasSize(TracePlan.TIMELINE_STEP_COUNT + 1);
    assertThat(plan.timeline().getFirst().operation()).isZero();
    assertThat(plan.timeline().getLast().operation()).isEqualTo(program.operationCount());
    assertThat(plan.sampleOperations())
        .isSorted()
        .doesNotHaveDuplicates()
        .contains(
            plan.phases().peak().operation(),
            requireNonNull(plan.phases().valley()).operation(),
            requireNonNull(plan.phases().secondPeak()).operation(),
            plan.phases().end().operation());
    assertThat(plan.most().usedBytes())
        .isEqualTo(requireNonNull(plan.phases().secondPeak()).usedBytes());
  }

  @Test
  void plan_ofAnEmptyTrace_samplesOnce() {
    TracePlan plan = TracePlan.of(SyntheticTrace.program(_ -> {}));

    assertThat(plan.sampleOperations()).containsExactly(0);
    assertThat(plan.most().usedBytes()).isZero();
  }

  @Test
  void hotspotCurve_addsBothSpacesAndCountsWhatHappensBetweenOperations() {
    HotspotCurve curve = new HotspotCurve();
    curve.add(0, TraceSpace.NON_CLASS, 100);
    curve.add(0, TraceSpace.CLASS, 10);
    curve.add(5, TraceSpace.NON_CLASS, 30);

    assertThat(curve.committedBytesAfter(0)).isEqualTo(110);
    assertThat(curve.committedBytesAfter(4)).isEqualTo(110);
    assertThat(curve.committedBytesAfter(5)).isEqualTo(40);
    assertThat(curve.committedBytesAfter(99)).isEqualTo(40);
    assertThat(new HotspotCurve().committedBytesAfter(7)).isZero();
  }

  @Test
  void thinnedProgram_isSmallSoundAndOfTheSameKind() {
    ReplayProgram program = SyntheticTrace.program(SyntheticTrace.random(3, 60_000));
    ReplayProgram thinned = ThinnedProgram.of(program, 5_000);

    assertThat(thinned.allocationCount()).isBetween(2_000L, 6_000L);
    assertThat(thinned.keptCount()).isPositive();
    verify(thinned);
  }

  @Test
  void thinnedProgram_ofOneLargeLoader_isCutShort() {
    ReplayProgram program =
        SyntheticTrace.program(trace -> {
          int arena = trace.birth(TraceSpace.NON_CLASS, 0);
          for (int i = 0; i < 10_000; i++) {
            int block = trace.allocate(arena, 1 + i % 9);
            if (i % 3 == 0) {
              trace.deallocate(arena, block);
            }
          }
          trace.death(arena);
        });
    ReplayProgram thinned = ThinnedProgram.of(program, 1_000);

    assertThat(thinned.allocationCount()).isEqualTo(100);
    assertThat(thinned.keptCount()).isEqualTo(34);
    verify(thinned);
  }

  private static void verify(ReplayProgram program) {
    try (ReplayAllocator allocator = ReplayAllocator.open(AllocatorKind.MALLOC, program)) {
      VerifyingDriver driver = new VerifyingDriver(program, allocator);
      driver.run(0, program.operationCount());
      driver.finish();
    }
  }

  private static List<Long> operations(ReplayProgram program) {
    List<Long> operations = new ArrayList<>();
    for (long i = 0; i < program.operationCount(); i++) {
      operations.add(program.operations().get(i));
    }
    return operations;
  }
}
