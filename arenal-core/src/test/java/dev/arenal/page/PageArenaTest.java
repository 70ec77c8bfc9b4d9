package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.example.Program;
import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.guard.WatchMode;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.stats.Await;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arenas whose memory is buffers of a page allocator. */
@Timeout(120)
@SuppressWarnings("restricted") // cleanup actions are attached so
final class PageArenaTest {
  private static final int THREADS = 4;

  @RegisterExtension private final Allocators allocators = new Allocators();

  // ---- memory ----

  /** Bytes written before do not show, whatever the allocator hands out itself. */
  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void memoryIsZero(boolean isShared, boolean isZeroed) {
    allocators.isZeroed = isZeroed;
    allocators.hasMagazines = true;
    PageAllocator pages = allocators.open();
    SplittableRandom random = new SplittableRandom(5);
    for (int round = 0; round < 50; round++) {
      try (Arena arena = open(pages, isShared)) {
        for (int i = 0; i < 40; i++) {
          long sizeBytes = 1L + random.nextInt(1 << (1 + random.nextInt(16)));
          MemorySegment block = arena.allocate(sizeBytes, 1L << random.nextInt(14));
          assertThat(Noise.firstNonZero(block)).isEqualTo(-1);
          Noise.write(block, i);
        }
      }
    }
    assertThat(pages.usedBytes()).isZero();
  }

  /** Blocks side by side in buffers, which are in the report; large ones have one each. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void buffersAreUsedUntilTheClose(boolean isShared) {
    PageAllocator pages = allocators.open();
    Arena arena = open(pages, isShared);
    assertThat(pages.usedBytes()).isZero();
    MemorySegment first = arena.allocate(24, 8);
    MemorySegment second = arena.allocate(24, 8);
    assertThat(second.address()).isEqualTo(first.address() + 24);
    assertThat(pages.report().usedBytes()).isEqualTo(1024);
    var _ = arena.allocate(5000);
    assertThat(pages.report().usedBytes()).isEqualTo(6024);
    var _ = arena.allocate(1000);
    assertThat(pages.report().usedBytes()).isEqualTo(6024 + 2048);
    for (int i = 0; i < 300; i++) {
      var _ = arena.allocate(1000);
    }
    assertThat(pages.report().usedBytes()).isLessThan(2 * 307_000);
    assertThatThrownBy(pages::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("allocator has open buffers or arenas: allocator=test, usedBytes=");
    arena.close();
    assertThat(pages.report().usedBytes()).isZero();
    pages.assertNoOpenBuffers();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void alignments(boolean isShared) {
    PageAllocator pages = allocators.open();
    try (Arena arena = open(pages, isShared)) {
      for (int shift = 0; shift <= 24; shift++) {
        MemorySegment block = arena.allocate(100, 1L << shift);
        assertThat(block.address() & ((1L << shift) - 1)).isZero();
        assertThat(Noise.firstNonZero(block)).isEqualTo(-1);
        Noise.write(block, shift);
      }
    }
    assertThat(pages.usedBytes()).isZero();
  }

  /** Memory skipped for a large alignment stays untouched: only the block is written to. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void largeAlignment_touchesNoMoreThanTheBlock(boolean isShared) {
    try (PageAllocator pages =
            PageAllocator.builder("aligning").capacityBytes(256 * MIB).zeroed(false).build();
        Arena arena = open(pages, isShared)) {
      MemorySegment block = arena.allocate(100, 64 * MIB);
      assertThat(block.address() & (64 * MIB - 1)).isZero();
      assertThat(Noise.firstNonZero(block)).isEqualTo(-1);
      assertThat(pages.residentBytes()).isBetween(1L, MIB);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void inCheckedAllocator_segmentsHaveTheScopeOfTheArena(boolean isShared) {
    allocators.isChecked = true;
    PageAllocator pages = allocators.open();
    Arena arena = open(pages, isShared);
    MemorySegment block = arena.allocate(100);
    assertThat(block.scope()).isEqualTo(arena.scope());
    arena.close();
    assertThatThrownBy(() -> block.get(ValueLayout.JAVA_BYTE, 0)).hasMessage("Already closed");
    assertThat(pages.usedBytes()).isZero();
  }

  // ---- refusals ----

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void budgetAtItsEnd_refuses_andTheArenaGoesOn(boolean isShared) {
    allocators.budget = Budget.limitedTo("small", 4 * MIB);
    PageAllocator pages = allocators.open();
    Arena arena = open(pages, isShared);
    MemorySegment block = arena.allocate(100).fill((byte) 7);
    assertThatThrownBy(() -> arena.allocate(8 * MIB))
        .isExactlyInstanceOf(OutOfNativeMemoryError.class)
        .hasMessageStartingWith(
            "no room: allocator=test, requestedBytes=8388608, age=SHORT_LIVED, usedBytes=1024, ")
        .hasMessageContaining("budget=Budget[name=small, limitBytes=4194304");
    assertThat(pages.usedBytes()).isEqualTo(1024);
    assertThat(block.get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 7);
    assertThat(arena.allocate(100).address()).isEqualTo(block.address() + 104);
    arena.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void closedAllocator_opensNone_andAnArenaWithoutBlocksGetsNone(boolean isShared) {
    PageAllocator pages = allocators.open();
    Arena early = open(pages, isShared);
    pages.close();
    for (Runnable call : List.<Runnable>of(() -> open(pages, isShared), () -> early.allocate(8))) {
      assertThatThrownBy(call::run)
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage("allocator is closed: allocator=test");
    }
    early.close();
  }

  /** Each call of the kernel fails in turn: what is refused changes nothing, and all goes back. */
  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void everyCallRefusedInTurn(boolean isShared, boolean isStrict) {
    allocators.mode = isStrict ? CommitMode.PROTECT : CommitMode.DISCARD;
    int refusalCount = 0;
    for (int first = 1; first <= 40; first++) {
      allocators.os.succeed();
      PageAllocator pages = allocators.open();
      Arena arena = open(pages, isShared);
      allocators.os.failCalls(first, 3, Errno.ENOMEM);
      long usedBytes = 0;
      for (long sizeBytes : new long[] {8, 3000, 5000, 300_000, MIB, 3 * MIB, 100, 9 * MIB}) {
        try {
          MemorySegment block = arena.allocate(sizeBytes);
          assertThat(Noise.firstNonZero(block)).isEqualTo(-1);
          Noise.write(block, first);
          usedBytes += sizeBytes;
        } catch (OutOfMemoryError e) {
          refusalCount++;
        }
      }
      assertThat(pages.usedBytes()).isGreaterThanOrEqualTo(usedBytes);
      arena.close();
      assertThat(pages.usedBytes()).isZero();
      allocators.finish();
    }
    assertThat(refusalCount > 0).isEqualTo(isStrict); // else memory is there on first touch
  }

  // ---- close ----

  /** Buffers go back once, and after all actions, which may call what they like. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void cleanupActions_readTheirBytes_andCannotCloseAgain(boolean isShared) {
    allocators.hasMagazines = true;
    PageAllocator pages = allocators.open();
    Arena arena = open(pages, isShared);
    MemorySegment block = arena.allocate(600);
    Noise.write(block, 3);
    List<@Nullable Throwable> refusals = new ArrayList<>();
    List<Long> mismatches = new ArrayList<>();
    whenClosed(arena, block, bytes -> mismatches.add(Noise.mismatch(bytes, 3)));
    whenClosed(
        arena,
        block,
        _ -> {
          refusals.add(failureOf(arena::close));
          refusals.add(failureOf(() -> arena.allocate(8)));
          if (isShared) {
            refusals.add(inAnotherThread(arena::close));
          }
          List<PageBuffer> taken = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            taken.add(pages.allocate(1024));
            Noise.write(taken.getLast().segment(), 99);
          }
          taken.forEach(PageBuffer::close);
          throw new IllegalStateException("trouble");
        });
    whenClosed(arena, block, bytes -> mismatches.add(Noise.mismatch(bytes, 3)));
    assertThatThrownBy(arena::close)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("trouble");
    assertThat(mismatches).containsExactly(-1L, -1L);
    assertThat(refusals)
        .allSatisfy(refusal ->
            assertThat(refusal)
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("Already closed"))
        .hasSize(isShared ? 3 : 2);
    assertThat(pages.usedBytes()).isZero();
    assertThatThrownBy(arena::close).hasMessage("Already closed");
    pages.state().verify();
  }

  /** Of the budget: the arena that asks gives way, and the one that it closes is closed. */
  @ParameterizedTest
  @CsvSource({"true,true", "true,false", "false,true", "false,false"})
  void reclaimerThatCallsBack(boolean isShared, boolean closes) {
    allocators.budget = Budget.limitedTo("small", 16 * MIB);
    PageAllocator pages = allocators.open();
    Arena arena = open(pages, isShared);
    var _ = arena.allocate(100);
    PageBuffer large = pages.allocate(10 * MIB);
    int[] callCount = new int[1];
    try (var _ =
        allocators.budget.addReclaimer(_ -> {
          if (callCount[0]++ == 0) {
            large.close();
            if (closes) {
              arena.close();
            } else {
              Noise.write(arena.allocate(3000), 4);
            }
          }
          return pages.trim();
        })) {
      if (closes) {
        assertThatThrownBy(() -> arena.allocate(10 * MIB))
            .isExactlyInstanceOf(IllegalStateException.class)
            .hasMessage("Already closed");
      } else {
        assertThat(Noise.firstNonZero(arena.allocate(10 * MIB))).isEqualTo(-1);
        arena.close();
      }
    }
    assertThat(callCount[0]).isPositive();
    assertThat(pages.usedBytes()).isZero();
  }

  @Test
  void manyThreadsClose_oneEndsTheScope() throws Exception {
    PageAllocator pages = allocators.open();
    for (int round = 0; round < 100; round++) {
      Arena arena = pages.openSharedArena();
      var _ = arena.allocate(100);
      List<@Nullable Throwable> outcomes = new CopyOnWriteArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(Thread.ofPlatform().start(() -> outcomes.add(failureOf(arena::close))));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(outcomes).filteredOn(outcome -> outcome == null).hasSize(1);
      assertThat(outcomes)
          .filteredOn(outcome -> outcome != null)
          .allSatisfy(outcome -> assertThat(outcome).hasMessage("Already closed"));
      assertThat(pages.usedBytes()).isZero();
    }
  }

  // ---- threads that wait for memory ----

  /** It holds up neither those that allocate nor the close, after which it gets nothing. */
  @ParameterizedTest
  @ValueSource(longs = {6 * MIB, 4000})
  void stalledAllocation_holdsUpNoOtherThread(long sizeBytes) throws Exception {
    try (PageAllocator pages =
        PageAllocator.builder("stalling")
            .capacityBytes(8 * MIB)
            .maxWait(Duration.ofMinutes(1))
            .build()) {
      Arena arena = pages.openSharedArena();
      MemorySegment first = arena.allocate(100);
      List<PageBuffer> rest = fill(pages);
      List<@Nullable Throwable> outcomes = new CopyOnWriteArrayList<>();
      Thread stalled =
          Thread.ofPlatform().start(() -> outcomes.add(failureOf(() -> arena.allocate(sizeBytes))));
      Await.until(() -> pages.report().waitingThreadCount() == 1);
      assertThat(arena.allocate(100).address()).isEqualTo(first.address() + 104);
      assertThat(stalled.isAlive()).isTrue();
      arena.close();
      assertThat(first.scope().isAlive()).isFalse();
      assertThat(outcomes).isEmpty();
      rest.forEach(PageBuffer::close);
      stalled.join();
      assertThat(outcomes.getFirst())
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessage("Already closed");
      pages.assertNoOpenBuffers();
    }
  }

  private static List<PageBuffer> fill(PageAllocator pages) {
    List<PageBuffer> buffers = new ArrayList<>();
    for (long sizeBytes = 2 * MIB; sizeBytes >= 512; sizeBytes /= 2) {
      PageBuffer buffer = pages.tryAllocate(sizeBytes);
      while (buffer != null) {
        buffers.add(buffer);
        buffer = pages.tryAllocate(sizeBytes);
      }
    }
    return buffers;
  }

  /** Threads that come for a region at once use one, and the buffers of the others go back. */
  @Test
  void regionThatSeveralBring_isOne() throws Exception {
    PageAllocator pages = allocators.open();
    for (int round = 0; round < 200; round++) {
      Arena arena = pages.openSharedArena();
      CountDownLatch start = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      List<MemorySegment> blocks = new CopyOnWriteArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(() -> {
                  try {
                    start.await();
                    blocks.add(arena.allocate(40));
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                }));
      }
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(blocks.stream().map(MemorySegment::address).distinct()).hasSize(THREADS);
      assertThat(pages.usedBytes()).isBetween(1024L, 1024L * THREADS);
      arena.close();
      assertThat(pages.usedBytes()).isZero();
    }
  }

  // ---- threads that end ----

  /** No thread can close such an arena, and none can use its segments. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_endsConfinedArenas_ofThreadsThatHaveEnded(boolean isChecked) throws Exception {
    allocators.hasMagazines = true;
    allocators.isChecked = isChecked;
    allocators.watchMode = WatchMode.ALL;
    PageAllocator pages = allocators.open();
    Arena[] lost = new Arena[3];
    MemorySegment[] block = new MemorySegment[1];
    Thread platform =
        Thread.ofPlatform()
            .start(() -> {
              lost[0] = pages.openConfinedArena();
              block[0] = lost[0].allocate(100).fill((byte) 1);
              var _ = lost[0].allocate(MIB);
              lost[1] = pages.openConfinedArena(); // without a block
              open(pages, false).close();
            });
    Thread virtual =
        Thread.ofVirtual()
            .start(() -> {
              lost[2] = pages.openConfinedArena();
              var _ = lost[2].allocate(3 * MIB);
            });
    PageBuffer open = pages.allocate(100);
    platform.join();
    virtual.join();
    long usedBytes = 1024 + 4 * MIB + 100;
    assertThat(pages.usedBytes()).isEqualTo(usedBytes);
    assertThatThrownBy(pages::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith(
            "allocator has open buffers or arenas: allocator=test, usedBytes=" + usedBytes);
    assertThat(pages.usedBytes()).as("nothing has changed").isEqualTo(usedBytes);
    assertThat(pages.openBuffers())
        .extracting(OpenBuffers::sizeBytes, OpenBuffers::isEnded)
        .containsExactly(
            tuple(3 * MIB, true), tuple(MIB, true), tuple(1024L, true), tuple(100L, false));
    assertThat(pages.report().toString()).contains("open: 1 x 1024 B SHORT_LIVED ended, from ");
    open.close();
    pages.close();
    assertThat(pages.isClosed()).isTrue();
    assertThat(allocators.budget.committedBytes()).isZero();
    assertThat(allocators.os.mappedBytes()).isZero();
    assertThatThrownBy(() -> block[0].get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(WrongThreadException.class);
    for (Arena arena : lost) {
      assertThatThrownBy(arena::close).isInstanceOf(WrongThreadException.class);
    }
  }

  /** Of such threads, and of others, whose arenas keep the allocator open. */
  @Test
  void close_isRefused_whileAThreadLives_thatHasAConfinedArena() throws Exception {
    PageAllocator pages = allocators.open();
    Thread.ofPlatform().start(() -> pages.openConfinedArena().allocate(100)).join();
    try (Arena arena = pages.openConfinedArena()) {
      MemorySegment block = arena.allocate(100).fill((byte) 5);
      assertThatThrownBy(pages::close)
          .hasMessageStartingWith(
              "allocator has open buffers or arenas: allocator=test, usedBytes=2048");
      assertThat(block.get(ValueLayout.JAVA_BYTE, 99)).isEqualTo((byte) 5);
    }
    pages.close();
    assertThat(pages.isClosed()).isTrue();
  }

  @Test
  void lostAllocator_withALostArenaOfAThreadThatHasEnded_isUnmapped() throws Exception {
    loseAllocatorAndArena();
    Await.until(() -> {
      System.gc();
      return allocators.os.mappedBytes() == 0;
    });
  }

  private void loseAllocatorAndArena() throws InterruptedException {
    // An ended thread keeps its task: so the task takes the allocator.
    Queue<PageAllocator> handle = new ConcurrentLinkedQueue<>();
    handle.add(
        PageAllocator.builder("lost")
            .capacityBytes(64 * MIB)
            .operatingSystem(allocators.os)
            .build());
    Thread.ofPlatform().start(() -> handle.remove().openConfinedArena().allocate(100)).join();
  }

  // ---- lost arenas ----

  /** Its allocator keeps its buffers, and can be closed. */
  @Test
  void lostConfinedArena_isWarnedOf_asWell() throws Exception {
    allocators.watchMode = WatchMode.ALL;
    PageAllocator pages = allocators.open();
    Thread.ofPlatform().start(() -> pages.openConfinedArena().allocate(100)).join();
    Await.until(() -> {
      System.gc();
      List<OpenBuffers> open = pages.openBuffers();
      return open.size() == 1 && open.getFirst().isLost() && open.getFirst().isEnded();
    });
    assertThat(pages.usedBytes()).isEqualTo(1024);
    pages.close();
    assertThat(pages.isClosed()).isTrue();
  }

  /** Its memory stays, since segments may be used; its buffers are warned of as any others are. */
  @Test
  void lostArena_isWarnedOf_andItsMemoryStays() {
    allocators.watchMode = WatchMode.ALL;
    PageAllocator pages = allocators.open();
    MemorySegment block = Program.loseArena(pages);
    Await.until(() -> {
      System.gc();
      List<OpenBuffers> open = pages.openBuffers();
      return open.size() == 1 && open.getFirst().isLost();
    });
    assertThat(block.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 'l');
    assertThat(pages.usedBytes()).isEqualTo(1024);
    allocators.abandon();
  }

  /** Not a line of the JDK, which calls the arena for the program. */
  @Test
  void placeOfBirth_isThatOfTheProgram() {
    allocators.watchMode = WatchMode.ALL;
    PageAllocator pages = allocators.open();
    try (Arena arena = pages.openConfinedArena()) {
      assertThat(Program.takeText(arena).getString(0)).isEqualTo("text");
      assertThat(pages.openBuffers().getFirst().toString())
          .contains("com.example.Program.takeText(Program.java:");
    }
  }

  // ---- helpers ----

  private static Arena open(PageAllocator pages, boolean isShared) {
    return isShared ? pages.openSharedArena() : pages.openConfinedArena();
  }

  private static void whenClosed(Arena arena, MemorySegment block, Consumer<MemorySegment> action) {
    var _ = MemorySegment.ofAddress(block.address()).reinterpret(block.byteSize(), arena, action);
  }

  private static @Nullable Throwable failureOf(Runnable call) {
    try {
      call.run();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static @Nullable Throwable inAnotherThread(Runnable call) {
    @Nullable Throwable[] failure = new @Nullable Throwable[1];
    Thread thread = Thread.ofPlatform().daemon().start(() -> failure[0] = failureOf(call));
    try {
      thread.join(30_000);
    } catch (InterruptedException e) {
      return e;
    }
    return thread.isAlive() ? new AssertionError("the other thread hangs") : failure[0];
  }
}
