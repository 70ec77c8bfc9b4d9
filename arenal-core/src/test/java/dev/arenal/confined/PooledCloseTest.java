package dev.arenal.confined;

import static dev.arenal.confined.Bodies.onPlatformThread;
import static dev.arenal.confined.Bodies.thrownElsewhere;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.os.NativeMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Closes that are refused, that throw, and that meet others: where the slab is afterwards. */
@Timeout(60)
@SuppressWarnings("restricted") // cleanup actions and native calls
final class PooledCloseTest {
  private static final ThreadLocal<@Nullable Runnable> IN_UPCALL = new ThreadLocal<>();

  // ---- refused ----

  @Test
  void close_fromAnotherThread_changesNothing() throws Exception {
    onPlatformThread(() -> {
      Arena arena = PooledArena.ofConfined();
      MemorySegment block = arena.allocate(64).fill((byte) 1);
      Slab slab = Slabs.ofCurrentThread().getFirst();
      long state = slab.get();
      assertThat(thrownElsewhere(arena::close)).isInstanceOf(WrongThreadException.class);
      assertThat(slab.get()).isEqualTo(state).isEqualTo(-Thread.currentThread().threadId());
      assertThat(Contents.mismatch(block, (byte) 1)).isEqualTo(-1);
      assertThat(arena.allocate(8).address()).isEqualTo(block.address() + 64);
      arena.close();
      assertThat(slab.get()).isEqualTo(-state);
      assertThat(thrownElsewhere(arena::close)).isInstanceOf(WrongThreadException.class);
      assertThat(slab.get()).isEqualTo(-state);
    });
  }

  @Test
  void close_fromACleanerThread_changesNothing() throws Exception {
    Cleaner cleaner = Cleaner.create();
    onPlatformThread(() -> {
      Arena arena = PooledArena.ofConfined();
      MemorySegment block = arena.allocate(64).fill((byte) 1);
      AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
      var _ =
          cleaner.register(
              new Object(),
              () -> {
                try {
                  arena.close();
                } catch (Throwable e) {
                  thrown.set(e);
                }
              });
      Bodies.awaitCollected(() -> thrown.get() != null);
      assertThat(thrown.get()).isInstanceOf(WrongThreadException.class);
      assertThat(Contents.mismatch(block, (byte) 1)).isEqualTo(-1);
      arena.close();
      assertThat(Slabs.addressOfBlock(1)).isEqualTo(block.address());
    });
  }

  /**
   * A thread that is refused and then finds the arena dead, since the owner has closed it in the
   * meantime, must not take that for its own doing. The cleanup action makes the meantime long.
   */
  @Test
  void close_fromAnotherThread_whileTheOwnerCloses_changesNothing() throws Exception {
    onPlatformThread(() -> {
      for (int round = 0; round < 40; round++) {
        Arena arena = PooledArena.ofConfined();
        MemorySegment block = arena.allocate(64).fill((byte) 1);
        long address = block.address();
        Slab slab = Slabs.ofCurrentThread().getFirst();
        AtomicInteger refusedCount = new AtomicInteger();
        Bodies.Running other = Bodies.start(() -> closeUntilRefusedAfterDeath(arena, refusedCount));
        while (refusedCount.get() == 0) {
          Thread.onSpinWait();
        }
        atClose(
            arena,
            _ -> {
              int soFar = refusedCount.get();
              while (refusedCount.get() < soFar + 2 && other.thread().isAlive()) {
                Thread.onSpinWait();
              }
              assertThat(slab.get()).isEqualTo(-Thread.currentThread().threadId());
              assertThat(Contents.mismatch(NativeMemory.segment(address, 64), (byte) 1))
                  .isEqualTo(-1);
            });
        arena.close();
        other.join();
        assertThat(slab.get()).isEqualTo(Thread.currentThread().threadId());
      }
    });
  }

  private static void closeUntilRefusedAfterDeath(Arena arena, AtomicInteger refusedCount) {
    for (int deadCount = 0; deadCount < 3; ) {
      deadCount += arena.scope().isAlive() ? 0 : 1;
      assertThatThrownBy(arena::close).isInstanceOf(WrongThreadException.class);
      refusedCount.incrementAndGet();
    }
  }

  @Test
  void close_refusedDuringAnUpcall_leavesTheSlabUsable() throws Exception {
    onPlatformThread(() -> {
      Arena arena = PooledArena.ofConfined();
      MemorySegment numbers = arena.allocateFrom(JAVA_INT, 2, 1);
      Slab slab = Slabs.ofCurrentThread().getFirst();
      long state = slab.get();
      List<@Nullable Throwable> thrown = new ArrayList<>();
      sort(
          numbers,
          () -> {
            thrown.add(thrownBy(arena::close));
            assertThat(slab.get()).isEqualTo(state);
          });
      assertThat(thrown)
          .isNotEmpty()
          .allSatisfy(e -> assertThat(e).isInstanceOf(IllegalStateException.class));
      assertThat(numbers.toArray(JAVA_INT)).containsExactly(1, 2);
      assertThat(arena.allocate(8).address()).isEqualTo(numbers.address() + 16);
      arena.close();
      assertThat(slab.get()).isEqualTo(-state);
      assertThat(Slabs.mismatchZero(slab)).isEqualTo(-1);
      assertThat(Slabs.addressOfBlock(1)).isEqualTo(numbers.address());
    });
  }

  // ---- cleanup actions ----

  @Test
  void cleanupThatThrows_isPassedOn_andTheSlabIsReleased() throws Exception {
    for (Throwable thrown : List.of(new IllegalCallerException("e"), new AssertionError("e"))) {
      onPlatformThread(() -> {
        Arena arena = PooledArena.ofConfined();
        long address = arena.allocate(64).fill((byte) 1).address();
        atClose(arena, _ -> throwAny(thrown));
        assertThatThrownBy(arena::close).isSameAs(thrown);
        assertThat(arena.scope().isAlive()).isFalse();
        Slab slab = Slabs.ofCurrentThread().getFirst();
        assertThat(slab.isAvailablePlain(Thread.currentThread().threadId())).isTrue();
        assertThat(Slabs.mismatchZero(slab)).isEqualTo(-1);
        assertThatThrownBy(arena::close).hasMessage("Already closed");
        assertThat(Slabs.addressOfBlock(1)).isEqualTo(address);
      });
    }
  }

  @Test
  void cleanupThatClosesTheArenaAgain_isRefused_andTheSlabIsReleasedOnce() throws Exception {
    onPlatformThread(() -> {
      Arena arena = PooledArena.ofConfined();
      long address = arena.allocate(64).fill((byte) 1).address();
      List<String> seen = new ArrayList<>();
      atClose(
          arena,
          _ -> {
            seen.add(String.valueOf(thrownBy(arena::close)));
            seen.add(String.valueOf(thrownBy(() -> arena.allocate(8))));
            Slab slab = Slabs.ofCurrentThread().getFirst();
            assertThat(slab.get()).isEqualTo(-Thread.currentThread().threadId());
            assertThat(Contents.mismatch(NativeMemory.segment(address, 64), (byte) 1))
                .isEqualTo(-1);
          });
      arena.close();
      String refused = "java.lang.IllegalStateException: Already closed";
      assertThat(seen).containsExactly(refused, refused);
      assertThat(Slabs.mismatchZero(Slabs.ofCurrentThread().getFirst())).isEqualTo(-1);
      assertThat(Slabs.addressOfBlock(1)).isEqualTo(address);
    });
  }

  @Test
  void cleanupThatClosesTheArenaAgainAndLetsItThrow() throws Exception {
    onPlatformThread(() -> {
      Arena arena = PooledArena.ofConfined();
      long address = arena.allocate(64).fill((byte) 1).address();
      atClose(arena, _ -> arena.close());
      assertThatThrownBy(arena::close)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Already closed");
      assertThat(Slabs.mismatchZero(Slabs.ofCurrentThread().getFirst())).isEqualTo(-1);
      assertThat(Slabs.addressOfBlock(1)).isEqualTo(address);
    });
  }

  @Test
  void cleanupThatOpensAnArena_getsAnotherSlab() throws Exception {
    onPlatformThread(() -> {
      Arena arena = PooledArena.ofConfined();
      MemorySegment block = arena.allocate(64).fill((byte) 1);
      List<Long> addresses = new ArrayList<>();
      atClose(arena, _ -> addresses.add(Slabs.addressOfBlock(64)));
      arena.close();
      assertThat(addresses).doesNotContain(block.address()).hasSize(1);
      assertThat(Slabs.ofCurrentThread()).hasSize(2);
    });
  }

  /** Order of cleanup actions is that of the JDK, and the memory is whole for each. */
  @Test
  void cleanupActions_runInTheOrderOfTheJdk_beforeZeroing() throws Exception {
    onPlatformThread(() -> {
      List<String> pooled = orderOfCleanups(PooledArena.ofConfined());
      List<String> jdk = orderOfCleanups(Arena.ofConfined());
      assertThat(pooled).isEqualTo(jdk).hasSize(4).allMatch(text -> text.endsWith("=1"));
      assertThat(Slabs.mismatchZero(Slabs.ofCurrentThread().getFirst())).isEqualTo(-1);
    });
  }

  private static List<String> orderOfCleanups(Arena arena) {
    List<String> seen = new ArrayList<>();
    try (Arena bystander = Arena.ofConfined()) {
      MemorySegment other = bystander.allocate(8).fill((byte) 1);
      for (int i = 0; i < 4; i++) {
        String name = "cleanup " + i;
        MemorySegment block = arena instanceof SlabArena ? arena.allocate(8) : other;
        var _ = block.fill((byte) 1);
        var _ =
            MemorySegment.ofAddress(block.address())
                .reinterpret(8, arena, memory -> seen.add(name + "=" + memory.get(JAVA_BYTE, 7)));
      }
      arena.close();
    }
    return seen;
  }

  private static void atClose(Arena arena, Consumer<MemorySegment> action) {
    var _ = MemorySegment.NULL.reinterpret(1, arena, action);
  }

  private static @Nullable Throwable thrownBy(Runnable action) {
    try {
      action.run();
      return null;
    } catch (Throwable e) {
      return e;
    }
  }

  private static void throwAny(Throwable thrown) {
    if (thrown instanceof Error e) {
      throw e;
    }
    throw (RuntimeException) thrown;
  }

  /** Lets the C library sort two numbers and runs an action when it compares. */
  private static void sort(MemorySegment numbers, Runnable action) {
    Linker linker = Linker.nativeLinker();
    MethodHandle qsort =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("qsort"),
            FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
    FunctionDescriptor compare =
        FunctionDescriptor.of(
            JAVA_INT, ADDRESS.withTargetLayout(JAVA_INT), ADDRESS.withTargetLayout(JAVA_INT));
    IN_UPCALL.set(action);
    try (Arena ours = Arena.ofConfined()) {
      MethodHandle target =
          MethodHandles.lookup()
              .findStatic(
                  PooledCloseTest.class,
                  "compare",
                  MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
      qsort.invokeExact(numbers, 2L, 4L, linker.upcallStub(target, compare, ours));
    } catch (Throwable e) {
      throw new AssertionError(e);
    } finally {
      IN_UPCALL.remove();
    }
  }

  @SuppressWarnings("UnusedMethod") // called by native code
  private static int compare(MemorySegment first, MemorySegment second) {
    Runnable action = IN_UPCALL.get();
    if (action != null) {
      action.run();
    }
    return Integer.compare(first.get(JAVA_INT, 0), second.get(JAVA_INT, 0));
  }
}
