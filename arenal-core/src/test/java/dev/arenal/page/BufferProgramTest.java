package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.elastic.Seeds;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Programs of buffers against an oracle: drawn ones, with and without a kernel that refuses now and
 * then; a failure is shrunk and printed to be replayed. And allocators broken on purpose, which
 * they must find.
 */
final class BufferProgramTest {
  private static final int COUNT_OPS = 300;
  private static final int COUNT_CANARY_PROGRAMS = 40;

  @Test
  void drawnPrograms_agreeWithOracle() {
    runAll("BufferProgram", 60, false);
  }

  @Test
  void drawnPrograms_surviveRefusals() {
    runAll("BufferRefusals", 60, true);
  }

  @Tag("soak")
  @Test
  void drawnPrograms_forLong() {
    runAll("BufferProgram", 5000, false);
    runAll("BufferRefusals", 5000, true);
  }

  private static void runAll(String test, int countPrograms, boolean mayFail) {
    for (int number = 0; number < countPrograms; number++) {
      long seed = Seeds.derive(test, number);
      SplittableRandom random = new SplittableRandom(seed);
      BufferConfig config = BufferConfig.draw(random);
      List<BufferOp> ops = BufferOp.draw(random, COUNT_OPS);
      AssertionError failure = failure(config, ops, mayFail, seed, 8);
      if (failure != null) {
        List<BufferOp> smallest =
            new BufferShrinker(
                    shorter -> failure(config, shorter, mayFail, seed, 1) != null,
                    Duration.ofSeconds(20))
                .shrink(ops);
        throw new AssertionError(
            failure.getMessage()
                + "\n"
                + Seeds.hint()
                + ", program "
                + number
                + ", "
                + config
                + ", smallest:\n"
                + BufferOp.text(smallest),
            failure);
      }
    }
  }

  private static @Nullable AssertionError failure(
      BufferConfig config, List<BufferOp> ops, boolean mayFail, long seed, int stepsPerVerify) {
    Allocators allocators = new Allocators();
    return failure(allocators, () -> {
      BufferRunner runner =
          new BufferRunner(
              allocators, config, mayFail, new BufferRunner.Target() {}, stepsPerVerify);
      if (mayFail) {
        SplittableRandom random = new SplittableRandom(seed);
        int first = 1 + random.nextInt(60);
        allocators.os.failCalls(first, 1 + random.nextInt(20), Errno.ENOMEM);
      }
      runner.run(ops);
      allocators.os.succeed();
      runner.finish();
      allocators.finish();
    });
  }

  private static @Nullable AssertionError failure(Allocators allocators, Runnable program) {
    try {
      program.run();
      return null;
    } catch (AssertionError | RuntimeException e) {
      try {
        allocators.os.assertNothingMapped();
      } catch (AssertionError _) {
        // As it must be after a failure.
      }
      return e instanceof AssertionError known ? known : new AssertionError(e.toString(), e);
    }
  }

  @Test
  void text_isTheProgram() {
    List<BufferOp> ops = BufferOp.draw(new SplittableRandom(7), 300);
    assertThat(BufferOp.parse(BufferOp.text(ops))).isEqualTo(ops);
  }

  // ---- canaries ----

  @Test
  void kernelThatKeepsContents_isFound() {
    assertFound(
        "not zero", 6, allocators -> allocators.os.forgetToDiscard(), new BufferRunner.Target() {});
  }

  @Test
  void bufferThatOverlapsTheNext_isFound() {
    assertFound("overlap", 4, allocators -> {}, new BufferRunner.Target() {
      @Override
      public MemorySegment segment(PageBuffer buffer) {
        MemorySegment segment = buffer.segment();
        long sizeBytes = segment.byteSize();
        return sizeBytes < 100 || sizeBytes > 8000
            ? segment
            : MemorySegment.ofAddress(segment.address() + 16).reinterpret(sizeBytes);
      }
    });
  }

  @Test
  void writeBehindTheEnd_isFound() {
    assertFound("", 4, allocators -> {}, new BufferRunner.Target() {
      @Override
      public void close(PageBuffer buffer) {
        MemorySegment segment = buffer.segment();
        if (buffer.sizeBytes() == 4096) {
          segment.reinterpret(4097).set(java.lang.foreign.ValueLayout.JAVA_BYTE, 4096, (byte) 1);
        }
        buffer.close();
      }
    });
  }

  @Test
  void bufferThatIsNotZero_isFound() {
    assertFound("not zero", 1, allocators -> {}, new BufferRunner.Target() {
      @Override
      public MemorySegment segment(PageBuffer buffer) {
        MemorySegment segment = buffer.segment();
        if (segment.byteSize() > 300_000) {
          segment.asSlice(segment.byteSize() - 1).fill((byte) 1);
        }
        return segment;
      }
    });
  }

  @Test
  void bufferThatIsUsedAfterItsClose_isFound() {
    assertFound("", 6, allocators -> {}, new BufferRunner.Target() {
      @Override
      public void close(PageBuffer buffer) {
        MemorySegment segment = buffer.segment();
        buffer.close();
        if (segment.byteSize() > 0 && segment.byteSize() <= 8192) {
          segment.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) 99); // pinned by nothing
        }
      }
    });
  }

  @Test
  void bufferThatIsFreedTwice_isFound() {
    assertFound("", 3, allocators -> {}, new BufferRunner.Target() {
      @Override
      public void close(PageBuffer buffer) {
        buffer.close();
        if (buffer.sizeBytes() > 0 && buffer.sizeBytes() < 100_000) {
          buffer.page.heap.free(buffer);
        }
      }
    });
  }

  @Test
  void bufferThatIsNotFreed_isFound() {
    assertFound("used bytes differ", 2, allocators -> {}, new BufferRunner.Target() {
      @Override
      public void close(PageBuffer buffer) {
        if (buffer.sizeBytes() < 10_000) {
          buffer.close();
        }
      }
    });
  }

  @Test
  void refusalWithoutAReason_isFound() {
    assertFound("refused for no reason", 1, allocators -> {}, new BufferRunner.Target() {
      @Override
      public @Nullable PageBuffer tryAllocate(PageAllocator pages, long sizeBytes, PageAge age) {
        return sizeBytes == 4096 ? null : pages.tryAllocate(sizeBytes, age);
      }
    });
  }

  private static void assertFound(
      String message, int mostOps, Consumer<Allocators> breaks, BufferRunner.Target target) {
    BufferConfig config = BufferConfig.usual(CommitMode.DISCARD);
    for (int number = 0; number < COUNT_CANARY_PROGRAMS; number++) {
      List<BufferOp> ops = BufferOp.draw(new SplittableRandom(number), 200);
      AssertionError failure = brokenFailure(config, ops, breaks, target);
      if (failure != null) {
        assertThat(failure).hasMessageContaining(message);
        List<BufferOp> smallest =
            new BufferShrinker(
                    shorter -> brokenFailure(config, shorter, breaks, target) != null,
                    Duration.ofSeconds(20))
                .shrink(ops);
        assertThat(smallest).as(BufferOp.text(smallest)).hasSizeLessThanOrEqualTo(mostOps);
        return;
      }
    }
    throw new AssertionError("not found in " + COUNT_CANARY_PROGRAMS + " programs");
  }

  private static @Nullable AssertionError brokenFailure(
      BufferConfig config,
      List<BufferOp> ops,
      Consumer<Allocators> breaks,
      BufferRunner.Target target) {
    Allocators allocators = new Allocators();
    breaks.accept(allocators);
    return failure(allocators, () -> {
      BufferRunner runner = new BufferRunner(allocators, config, false, target, 1);
      runner.run(ops);
      runner.finish();
      allocators.finish();
    });
  }
}
