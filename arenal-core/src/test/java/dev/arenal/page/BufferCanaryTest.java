package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.CommitMode;
import dev.arenal.os.SimulatedOperatingSystem;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Broken allocators and kernels that the programs of buffers must catch: a test of the tests. */
@SuppressWarnings("restricted") // to break things
final class BufferCanaryTest {
  private static final int PROGRAM_COUNT = 40;
  private static final int OP_COUNT = 60;

  @Test
  void kernelThatKeepsContents_isCaught() {
    assertCaught(
        "not zero", 6, SimulatedOperatingSystem::forgetToDiscard, new BufferRunner.Target() {});
  }

  @Test
  void bufferThatOverlapsTheNext_isCaught() {
    assertCaught(
        "",
        4,
        os -> {},
        new BufferRunner.Target() {
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
  void memoryThatTwoBuffersHave_isCaught() {
    BufferRunner.Target target =
        new BufferRunner.Target() {
          private @Nullable MemorySegment first;

          @Override
          public MemorySegment segment(PageBuffer buffer) {
            first = first == null ? buffer.segment() : first;
            return first;
          }
        };
    List<BufferOp> ops =
        List.of(BufferOp.parse("ALLOCATE 0 7 0"), BufferOp.parse("ALLOCATE 1 7 0"));
    BufferConfig usual = BufferConfig.usual(CommitMode.DISCARD);
    assertThat(failure(new BufferProgram(usual, 0, 0, false, ops), os -> {}, target))
        .hasMessageStartingWith("step 1, ALLOCATE 1 7 0: buffers overlap: buffer: allocator=test");
  }

  @Test
  void writeBehindTheEnd_isCaught() {
    assertCaught(
        "",
        4,
        os -> {},
        new BufferRunner.Target() {
          @Override
          public void close(PageBuffer buffer) {
            MemorySegment segment = buffer.segment();
            if (buffer.sizeBytes() == 4096) {
              segment.reinterpret(4097).set(ValueLayout.JAVA_BYTE, 4096, (byte) 1);
            }
            buffer.close();
          }
        });
  }

  @Test
  void bufferThatIsNotZero_isCaught() {
    assertCaught(
        "not zero",
        1,
        os -> {},
        new BufferRunner.Target() {
          @Override
          public MemorySegment segment(PageBuffer buffer) {
            MemorySegment segment = buffer.segment();
            if (segment.byteSize() > 300_000 && segment.byteSize() <= 1 << 20) {
              segment.set(ValueLayout.JAVA_BYTE, segment.byteSize() - 1, (byte) 1);
            }
            return segment;
          }
        });
  }

  @Test
  void bufferThatIsUsedAfterItsClose_isCaught() {
    BufferRunner.Target target =
        new BufferRunner.Target() {
          private final ConcurrentHashMap<PageBuffer, MemorySegment> segments =
              new ConcurrentHashMap<>();
          private volatile @Nullable MemorySegment closed;

          @Override
          public MemorySegment segment(PageBuffer buffer) {
            MemorySegment late = closed;
            if (late != null) {
              late.set(ValueLayout.JAVA_BYTE, 5000, (byte) 99);
            }
            MemorySegment segment = buffer.segment();
            segments.put(buffer, segment);
            return segment;
          }

          @Override
          public void close(PageBuffer buffer) {
            buffer.close();
            MemorySegment segment = segments.remove(buffer);
            if (segment != null && segment.byteSize() == 8193) {
              closed = segment;
            }
          }
        };
    assertCaught("", 4, os -> {}, target);
  }

  @Test
  void bufferThatIsFreedTwice_isCaught() {
    assertCaught(
        "",
        3,
        os -> {},
        new BufferRunner.Target() {
          @Override
          public void close(PageBuffer buffer) {
            buffer.close();
            if (buffer.sizeBytes() > 0 && buffer.sizeBytes() < 100_000) {
              LockedHeap.of(buffer.span()).free(buffer);
            }
          }
        });
  }

  @Test
  void secondCloseThatIsAccepted_isCaught() {
    assertCaught(
        "not refused: buffer is already closed",
        2,
        os -> {},
        new BufferRunner.Target() {
          @Override
          public void close(PageBuffer buffer) {
            try {
              buffer.close();
            } catch (IllegalStateException e) {
              assertThat(e).hasMessageStartingWith("buffer is already closed");
            }
          }
        });
  }

  @Test
  void closeThatBothOfTwoThreadsMayDo_isCaught() {
    BufferRunner.Target target =
        new BufferRunner.Target() {
          private final ConcurrentHashMap<PageBuffer, Thread> closing = new ConcurrentHashMap<>();

          @Override
          public void close(PageBuffer buffer) {
            // A check that is not one step with what it is for.
            Thread first = closing.putIfAbsent(buffer, Thread.currentThread());
            if (first == null || first.equals(Thread.currentThread())) {
              buffer.close();
            }
          }
        };
    assertCaught("closed by so many: 2", 2, os -> {}, target);
  }

  @Test
  void segmentThatIsGivenOutAfterTheClose_isCaught() {
    BufferRunner.Target target =
        new BufferRunner.Target() {
          private final ConcurrentHashMap<PageBuffer, MemorySegment> segments =
              new ConcurrentHashMap<>();

          @Override
          public MemorySegment segment(PageBuffer buffer) {
            return segments.computeIfAbsent(buffer, PageBuffer::segment);
          }
        };
    assertCaught("not refused: buffer is closed: ", 2, os -> {}, target);
  }

  @Test
  void bufferThatIsNotFreed_isCaught() {
    assertCaught(
        "used bytes differ",
        2,
        os -> {},
        new BufferRunner.Target() {
          @Override
          public void close(PageBuffer buffer) {
            if (buffer.sizeBytes() < 10_000 || buffer.sizeBytes() > 1 << 20) {
              buffer.close();
            }
          }
        });
  }

  @Test
  void refusalWithoutAReason_isCaught() {
    assertCaught(
        "refused for no reason",
        1,
        os -> {},
        new BufferRunner.Target() {
          @Override
          public @Nullable PageBuffer tryAllocate(
              PageAllocator pages, long sizeBytes, long alignmentBytes, PageAge age) {
            return sizeBytes == 4096 ? null : pages.tryAllocate(sizeBytes, alignmentBytes, age);
          }
        });
  }

  /** Where threads go on at the same time it is known only of small ones while little is in use. */
  @Test
  void refusalWithoutAReasonAmongThreads_isCaught() {
    BufferRunner.Target target =
        new BufferRunner.Target() {
          @Override
          public @Nullable PageBuffer tryAllocate(
              PageAllocator pages, long sizeBytes, long alignmentBytes, PageAge age) {
            return sizeBytes == 4096 ? null : pages.tryAllocate(sizeBytes, alignmentBytes, age);
          }
        };
    AssertionError caught = null;
    // In some programs another thread is always in the way of just these requests.
    for (int seed = 7; seed < 27 && caught == null; seed++) {
      List<BufferOp> ops = BufferOp.draw(new SplittableRandom(seed), 2000);
      BufferConfig usual = BufferConfig.usual(CommitMode.DISCARD);
      caught = failure(new BufferProgram(usual, 0, 0, true, ops), os -> {}, target);
    }
    assertThat(caught).hasMessageContaining("refused for no reason");
  }

  @Test
  void bufferOfAnotherSize_isCaught() {
    assertCaught(
        "size differs",
        1,
        os -> {},
        new BufferRunner.Target() {
          @Override
          public @Nullable PageBuffer tryAllocate(
              PageAllocator pages, long sizeBytes, long alignmentBytes, PageAge age) {
            return pages.tryAllocate(sizeBytes == 129 ? 128 : sizeBytes, alignmentBytes, age);
          }
        });
  }

  @Test
  void trimThatKeepsTheCache_isCaught() {
    assertCaught(
        "cached after trim",
        3,
        os -> {},
        new BufferRunner.Target() {
          @Override
          public long trim(PageAllocator pages) {
            return 0;
          }
        });
  }

  /** Threads that go on at the same time: one of them writes where another one's buffer is. */
  @Test
  void threadThatWritesIntoOthersBuffers_isCaught() {
    BufferRunner.Target target =
        new BufferRunner.Target() {
          private final ConcurrentHashMap<Long, Long> openByAddress = new ConcurrentHashMap<>();

          @Override
          public MemorySegment segment(PageBuffer buffer) {
            MemorySegment segment = buffer.segment();
            openByAddress.put(segment.address(), Thread.currentThread().threadId());
            return segment;
          }

          @Override
          public void close(PageBuffer buffer) {
            if (buffer.sizeBytes() == 8192) {
              MemorySegment segment = buffer.segment();
              long next = segment.address() + 8192;
              if (openByAddress.getOrDefault(next, 0L) != Thread.currentThread().threadId()) {
                segment.reinterpret(8193).set(ValueLayout.JAVA_BYTE, 8192, (byte) 1);
              }
            }
            buffer.close();
          }
        };
    AssertionError caught = null;
    for (int number = 0; caught == null && number < PROGRAM_COUNT; number++) { // threads may miss
      BufferProgram program =
          new BufferProgram(
              BufferConfig.usual(CommitMode.DISCARD),
              0,
              0,
              true,
              BufferOp.draw(new SplittableRandom(number), 2000));
      caught = failure(program, os -> {}, target);
    }
    assertThat(caught).isNotNull();
  }

  private static void assertCaught(
      String message,
      int mostOps,
      Consumer<SimulatedOperatingSystem> breaks,
      BufferRunner.Target target) {
    for (int number = 0; number < PROGRAM_COUNT; number++) {
      BufferProgram program =
          new BufferProgram(
              BufferConfig.usual(CommitMode.DISCARD),
              0,
              0,
              false,
              BufferOp.draw(new SplittableRandom(number), OP_COUNT));
      AssertionError failure = failure(program, breaks, target);
      if (failure != null) {
        assertThat(failure).hasMessageContaining(message);
        BufferProgram smallest =
            new BufferShrinker(
                    shorter -> failure(shorter, breaks, target) != null, Duration.ofMinutes(5))
                .shrink(program);
        assertThat(smallest.ops()).as(smallest.text()).hasSizeLessThanOrEqualTo(mostOps);
        return;
      }
    }
    throw new AssertionError("not found in " + PROGRAM_COUNT + " programs");
  }

  private static @Nullable AssertionError failure(
      BufferProgram program,
      Consumer<SimulatedOperatingSystem> breaks,
      BufferRunner.Target target) {
    Allocators allocators = new Allocators();
    breaks.accept(allocators.os);
    try {
      BufferRunner.run(program, allocators, target, 1);
      return null;
    } catch (AssertionError e) {
      return e;
    }
  }
}
