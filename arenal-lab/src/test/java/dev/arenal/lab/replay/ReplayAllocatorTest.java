package dev.arenal.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.heap.MeasuredHeap;
import dev.arenal.lab.heap.RawMemory;
import dev.arenal.lab.trace.TraceSpace;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Duties of every allocator of the replay, and that the check notices a breach. */
final class ReplayAllocatorTest {
  private static final int STEP_COUNT = 40_000;

  static Stream<AllocatorKind> replayedKinds() {
    return Stream.of(AllocatorKind.values()).filter(kind -> kind.isReplayed() && !kind.isLibrary());
  }

  @ParameterizedTest
  @MethodSource("replayedKinds")
  void randomProgram_keepsAllContents(AllocatorKind kind) {
    long seed = seed();
    try {
      verify(kind, SyntheticTrace.random(seed, STEP_COUNT));
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError("seed=" + seed, e);
    }
  }

  @ParameterizedTest
  @MethodSource("replayedKinds")
  void generations_keepAllContents(AllocatorKind kind) {
    verify(kind, SyntheticTrace.generations(20, 10, 3));
  }

  @ParameterizedTest
  @MethodSource("replayedKinds")
  void unusualTraces_areReplayed(AllocatorKind kind) {
    verify(kind, _ -> {});
    verify(kind, trace -> trace.birth(TraceSpace.CLASS, 0));
    verify(
        kind,
        trace -> {
          // The class arena alone, then the other one of the same loader after it died.
          int classArena = trace.birth(TraceSpace.CLASS, 0);
          trace.allocate(classArena, 1);
          trace.death(classArena);
          int nonClassArena = trace.birth(TraceSpace.NON_CLASS, 0);
          trace.allocate(nonClassArena, 400_000);
        });
    verify(
        kind,
        trace -> {
          for (int loader = 0; loader < 3_000; loader++) {
            int arena = trace.birth(TraceSpace.NON_CLASS, loader);
            trace.allocate(arena, 1);
            trace.death(arena);
          }
        });
  }

  @ParameterizedTest
  @MethodSource("replayedKinds")
  void fastDriver_andVerifyingDriver_doTheSame(AllocatorKind kind) {
    ReplayProgram program = SyntheticTrace.program(SyntheticTrace.random(5, STEP_COUNT));
    try (ReplayAllocator allocator = ReplayAllocator.open(kind, program)) {
      ReplayDriver driver = new ReplayDriver(program, allocator);
      long middle = program.operationCount() / 2;
      driver.run(0, middle);
      driver.run(middle, program.operationCount());
    }
  }

  @Test
  void blocksThatOverlap_areFound() {
    ReplayProgram program =
        SyntheticTrace.program(trace -> {
          int arena = trace.birth(TraceSpace.NON_CLASS, 0);
          trace.allocate(arena, 2);
          trace.allocate(arena, 2);
          trace.death(arena);
        });
    try (ReplayAllocator allocator = new FaultyAllocator(false)) {
      VerifyingDriver driver = new VerifyingDriver(program, allocator);

      assertThatThrownBy(() -> driver.run(0, program.operationCount()))
          .hasMessage(
              "block does not hold what was written: arena=0, block=0, sizeWords=2, word=0,"
                  + " found=0x3c6ef372fe94f82a (expected 0x9e3779b97f4a7c15)");
    }
  }

  @Test
  void freshBlockThatIsNotZero_isFound() {
    ReplayProgram program =
        SyntheticTrace.program(trace -> {
          int arena = trace.birth(TraceSpace.NON_CLASS, 0);
          trace.allocate(arena, 1);
          trace.allocate(arena, 1);
        });
    try (ReplayAllocator allocator = new FaultyAllocator(true)) {
      VerifyingDriver driver = new VerifyingDriver(program, allocator);

      assertThatThrownBy(() -> driver.run(0, program.operationCount()))
          .hasMessage(
              "fresh block is not zero: arena=0, block=1, sizeWords=1, word=0,"
                  + " found=0x9e3779b97f4a7c15 (expected 0x0)");
    }
  }

  @Test
  void malloc_tellsItsHeaders() {
    ReplayProgram program = SyntheticTrace.program(_ -> {});
    try (ReplayAllocator allocator = ReplayAllocator.open(AllocatorKind.MALLOC, program)) {
      assertThat(allocator.headerBytesPerBlock()).isEqualTo(16);
      assertThat(allocator.committedBytes()).isNotNegative();
    }
  }

  private static void verify(AllocatorKind kind, Consumer<SyntheticTrace> script) {
    ReplayProgram program = SyntheticTrace.program(script);
    try (ReplayAllocator allocator = ReplayAllocator.open(kind, program)) {
      VerifyingDriver driver = new VerifyingDriver(program, allocator);
      driver.run(0, program.operationCount());
      driver.finish();
    }
  }

  private static long seed() {
    String given = System.getProperty("test.seed", "");
    return given.isBlank() ? new Random().nextLong() : Long.parseLong(given);
  }

  /** Hands out the same block again and again. */
  private static final class FaultyAllocator implements ReplayAllocator {
    private static final long SIZE_BYTES = 1024;

    private final boolean isZeroing;
    private final long address = MeasuredHeap.malloc(SIZE_BYTES);

    FaultyAllocator(boolean isZeroing) {
      this.isZeroing = isZeroing;
      RawMemory.fill(address, (int) (SIZE_BYTES / Long.BYTES), 0);
    }

    @Override
    public void birth(int arena) {}

    @Override
    public long allocate(int arena, long sizeBytes) {
      return address;
    }

    @Override
    public long allocateKept(int arena, long sizeBytes, int slot) {
      return address;
    }

    @Override
    public void deallocate(int arena, int slot) {}

    @Override
    public void death(int arena) {}

    @Override
    public long committedBytes() {
      return UNKNOWN;
    }

    @Override
    public boolean isZeroing() {
      return isZeroing;
    }

    @Override
    public void close() {
      MeasuredHeap.free(address);
    }
  }
}
