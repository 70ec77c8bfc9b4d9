package dev.arenal.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Broken libraries and kernels that the programs must catch: a test of the tests. */
@SuppressWarnings("restricted") // to break things
final class ProgramCanaryTest {
  private static final int PROGRAM_COUNT = 40;
  private static final int OP_COUNT = 1000;

  @Test
  void kernelThatKeepsContents_isCaught() {
    assertCaught("not zero", 12, SimulatedOperatingSystem::forgetToDiscard, ElasticArena::allocate);
  }

  @Test
  void blockThatOverlapsTheNext_isCaught() {
    assertCaught(
        "overlap",
        6,
        os -> {},
        (arena, size, alignment) -> {
          MemorySegment block = arena.allocate(size, alignment);
          return size % 32 != 9
              ? block
              : MemorySegment.ofAddress(block.address() + 8).reinterpret(size, arena, null);
        });
  }

  @Test
  void alignmentIgnored_isCaught() {
    assertCaught(
        "misalignment",
        3,
        os -> {},
        (arena, size, alignment) -> arena.allocate(size, Math.min(8, alignment)));
  }

  @Test
  void blockThatIsNotZero_isCaught() {
    assertCaught(
        "not zero",
        2,
        os -> {},
        (arena, size, alignment) -> {
          MemorySegment block = arena.allocate(size, alignment);
          if (size > 1000) {
            block.set(ValueLayout.JAVA_BYTE, size - 1, (byte) 1);
          }
          return block;
        });
  }

  @Test
  void writeBehindTheEndOfABlock_isCaught() {
    assertCaught(
        "",
        6,
        os -> {},
        (arena, size, alignment) -> {
          MemorySegment block = arena.allocate(size, alignment);
          if (size == 64) {
            block.reinterpret(size + 8).set(ValueLayout.JAVA_LONG, size, 1);
          }
          return block;
        });
  }

  @Test
  void usedBytesThatAreWrong_areCaught() {
    assertCaught(
        "used bytes",
        2,
        os -> {},
        (arena, size, alignment) -> {
          var _ = arena.allocate(8, 8);
          return arena.allocate(size, alignment);
        });
  }

  @Test
  void text_isTheProgram() {
    Program program = ProgramGenerator.draw(7, 300, CommitMode.PROTECT, true);
    assertThat(Program.parse(program.text())).isEqualTo(program);
  }

  private static void assertCaught(
      String message,
      int mostOps,
      Consumer<SimulatedOperatingSystem> kernel,
      ProgramRunner.Allocator allocator) {
    for (int i = 0; i < PROGRAM_COUNT; i++) {
      Program program = ProgramGenerator.draw(i, OP_COUNT, CommitMode.DISCARD, false);
      AssertionError failure = failure(program, kernel, allocator);
      if (failure != null) {
        assertThat(failure).hasMessageContaining(message);
        Predicate<Program> fails = p -> failure(p, kernel, allocator) != null;
        Program smallest = new ProgramShrinker(fails, Duration.ofMinutes(5)).shrink(program);
        assertThat(smallest.ops()).as(smallest.text()).hasSizeLessThanOrEqualTo(mostOps);
        return;
      }
    }
    throw new AssertionError("not caught in " + PROGRAM_COUNT + " programs");
  }

  private static @Nullable AssertionError failure(
      Program program,
      Consumer<SimulatedOperatingSystem> kernel,
      ProgramRunner.Allocator allocator) {
    SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    kernel.accept(os);
    try {
      new ProgramRunner(program, os, allocator, OP_COUNT, false).runAll(step -> false);
      return null;
    } catch (AssertionError e) {
      return e;
    }
  }
}
