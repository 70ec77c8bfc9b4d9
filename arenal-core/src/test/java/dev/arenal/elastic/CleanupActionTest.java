package dev.arenal.elastic;

import static dev.arenal.callbacks.PretouchCallback.failureOf;
import static dev.arenal.callbacks.PretouchCallback.inAnotherThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cleanup actions of an arena that call back into the library: the memory of the arena goes back
 * once, by the call that ended the scope, after all of them have run.
 */
@Timeout(60)
@SuppressWarnings("restricted") // cleanup actions are attached so
final class CleanupActionTest {
  private static final int BLOCK_BYTES = 16_000;
  private static final byte STAMP = 7;

  @RegisterExtension final TestSpaces spaces = new TestSpaces();

  private final List<String> damages = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void closesAgain_andTheNextActionStillReadsItsOwnBytes(boolean shared, boolean ofSegment) {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, shared);
    MemorySegment block = stamped(arena);
    List<Throwable> refusals = new ArrayList<>();
    whenClosed(arena, block, ofSegment, _ -> checkStamp(block.address()));
    whenClosed(
        arena,
        block,
        ofSegment,
        _ -> {
          refusals.add(failureOf(arena::close));
          takeMemory(space);
        });
    whenClosed(arena, block, ofSegment, _ -> checkStamp(block.address()));

    arena.close();

    assertThat(refusals).hasSize(1);
    assertThat(refusals.getFirst())
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
    assertThat(damages).isEmpty();
    assertGivenBackOnce(space, arena);
  }

  @Test
  void anotherThreadCloses_isRefusedAtOnce_andTheNextActionStillReadsItsOwnBytes() {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, true);
    MemorySegment block = stamped(arena);
    List<Throwable> refusals = new ArrayList<>();
    whenClosed(arena, block, false, _ -> checkStamp(block.address()));
    whenClosed(
        arena,
        block,
        false,
        _ -> {
          // The action waits for the other thread: it must not have to wait for the action.
          refusals.add(inAnotherThread(() -> refusals.add(failureOf(arena::close))));
          takeMemory(space);
        });

    arena.close();

    assertThat(refusals).hasSize(2);
    assertThat(refusals.getFirst())
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
    assertThat(refusals.getLast()).isNull();
    assertThat(damages).isEmpty();
    assertGivenBackOnce(space, arena);
  }

  @Test
  void anotherThreadClosesConfinedArena_whileItCloses_isTheWrongThread() {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, false);
    MemorySegment block = stamped(arena);
    List<Throwable> refusals = new ArrayList<>();
    whenClosed(arena, block, false, _ -> checkStamp(block.address()));
    whenClosed(
        arena,
        block,
        false,
        _ -> {
          refusals.add(inAnotherThread(() -> refusals.add(failureOf(arena::close))));
          takeMemory(space);
        });

    arena.close();

    assertThat(refusals.getFirst()).isInstanceOf(WrongThreadException.class);
    assertThat(damages).isEmpty();
    assertGivenBackOnce(space, arena);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void throwing_doesNotKeepTheOthersFromRunning_norTheMemory(boolean shared) {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, shared);
    MemorySegment block = stamped(arena);
    IllegalStateException trouble = new IllegalStateException("trouble");
    AtomicInteger runCount = new AtomicInteger();
    whenClosed(
        arena,
        block,
        false,
        _ -> {
          runCount.incrementAndGet();
          checkStamp(block.address());
        });
    whenClosed(
        arena,
        block,
        false,
        _ -> {
          takeMemory(space);
          throw trouble;
        });

    assertThatThrownBy(arena::close).isSameAs(trouble);

    assertThat(runCount).hasValue(1);
    assertThat(damages).isEmpty();
    assertGivenBackOnce(space, arena);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void usesTheLibraryInEveryWay(boolean shared) {
    ElasticSpace space = spaces.space();
    ElasticArena arena = open(space, shared);
    ElasticArena other = open(space, !shared);
    MemorySegment block = stamped(arena);
    MemorySegment ofOther = stamped(other);
    List<Throwable> refusals = new ArrayList<>();
    whenClosed(arena, block, true, _ -> checkStamp(block.address()));
    whenClosed(
        arena,
        block,
        true,
        _ -> {
          refusals.add(failureOf(() -> arena.allocate(8)));
          refusals.add(failureOf(() -> arena.deallocate(block)));
          refusals.add(failureOf(space::close));
          assertThat(arena.usedBytes()).isZero();
          space.verify();
          var _ = space.trim();
          var _ = space.report(ReportDetail.values());
          other.deallocate(ofOther);
          var _ = stamped(other);
          other.close();
          takeMemory(space);
        });

    arena.close();

    assertThat(refusals)
        .extracting(Throwable::getMessage)
        .containsExactly(
            "Already closed",
            "Already closed",
            "space has open arenas: space=test, openArenas=2, names=[closing, closing]"
                + " (expected all arenas to be closed before their space)");
    assertThat(damages).isEmpty();
    assertGivenBackOnce(space, arena);
  }

  @Test
  void manyThreadsClose_oneEndsTheScope() throws Exception {
    ElasticSpace space = spaces.space();
    for (int round = 0; round < 200; round++) {
      ElasticArena arena = open(space, true);
      MemorySegment block = stamped(arena);
      AtomicInteger runCount = new AtomicInteger();
      whenClosed(arena, block, false, _ -> runCount.incrementAndGet());
      AtomicInteger closedCount = new AtomicInteger();
      CountDownLatch start = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    start.await();
                    arena.close();
                    closedCount.incrementAndGet();
                  } catch (IllegalStateException | InterruptedException e) {
                    assertThat(e).hasMessage("Already closed");
                  }
                }));
      }
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(closedCount).hasValue(1);
      assertThat(runCount).hasValue(1);
      assertThat(space.arenaCount()).isZero();
    }
    space.verify();
  }

  // ---- helpers ----

  private static ElasticArena open(ElasticSpace space, boolean shared) {
    return shared ? space.openShared("closing") : space.openConfined("closing");
  }

  private static MemorySegment stamped(ElasticArena arena) {
    MemorySegment block = arena.allocate(BLOCK_BYTES);
    Contents.write(block, STAMP);
    return block;
  }

  private static void whenClosed(
      Arena arena, MemorySegment block, boolean ofSegment, Consumer<MemorySegment> action) {
    MemorySegment segment = ofSegment ? block : MemorySegment.ofAddress(block.address());
    var _ = segment.reinterpret(BLOCK_BYTES, arena, action);
  }

  private void checkStamp(long address) {
    MemorySegment bytes = MemorySegment.ofAddress(address).reinterpret(BLOCK_BYTES);
    long at = Contents.mismatch(bytes, STAMP);
    if (at >= 0) {
      damages.add("a foreign byte at " + at);
    }
  }

  /** Allocates and writes what would be the memory of the closing arena, had it gone back. */
  private static void takeMemory(ElasticSpace space) {
    for (int i = 0; i < 3; i++) {
      try (ElasticArena taker = space.openConfined("taker")) {
        for (int n = 0; n < 20; n++) {
          Contents.write(taker.allocate(BLOCK_BYTES), (byte) 99);
        }
      }
    }
  }

  private void assertGivenBackOnce(ElasticSpace space, ElasticArena arena) {
    assertThat(failureOf(arena::close))
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("Already closed");
    space.verify();
    assertThat(space.arenaCount()).isZero();
    assertThat(space.report().statistics()).containsEntry("num_arena_deaths", deaths(space));
    assertThat(space.usedBytes()).isZero();
  }

  private static long deaths(ElasticSpace space) {
    return space.report().statistics().getOrDefault("num_arena_births", -1L);
  }
}
