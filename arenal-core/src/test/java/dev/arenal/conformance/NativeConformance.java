package dev.arenal.conformance;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rest of {@link ArenaConformance}: arenas in the hands of native code and of the JDK. */
@SuppressWarnings("restricted") // what arenas are for
public abstract class NativeConformance extends ArenaConformance {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle STRLEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("strlen"), FunctionDescriptor.of(JAVA_LONG, ADDRESS));
  private static final FunctionDescriptor COMPARE =
      FunctionDescriptor.of(
          JAVA_INT, ADDRESS.withTargetLayout(JAVA_INT), ADDRESS.withTargetLayout(JAVA_INT));
  private static final MethodHandle QSORT =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("qsort"),
          FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));

  /** The action in the upcalls of this thread. */
  private static final ThreadLocal<@Nullable Runnable> IN_UPCALL = new ThreadLocal<>();

  @Test
  final void downcall_readsABlock() throws Throwable {
    try (Arena arena = open()) {
      assertThat((long) STRLEN.invokeExact(arena.allocateFrom("four"))).isEqualTo(4);
    }
  }

  @Test
  final void downcall_withABlockOfAClosedArena_isRefused() {
    Arena arena = open();
    MemorySegment text = arena.allocateFrom("four");
    arena.close();
    assertThatThrownBy(
            () -> {
              long _ = (long) STRLEN.invokeExact(text);
            })
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  final void upcallStub_livesAsLongAsTheArena() throws Throwable {
    Arena arena = open();
    MemorySegment stub = LINKER.upcallStub(compare(), COMPARE, arena);
    assertThat(stub.scope()).isEqualTo(arena.scope());
    MemorySegment numbers = arena.allocateFrom(JAVA_INT, 3, 1, 2);
    QSORT.invokeExact(numbers, 3L, 4L, stub);
    assertThat(numbers.toArray(JAVA_INT)).containsExactly(1, 2, 3);
    arena.close();
    assertThat(stub.scope().isAlive()).isFalse();
  }

  @Test
  final void close_duringADowncall_isRefusedAndChangesNothing() throws Throwable {
    Arena arena = open();
    try (Arena ours = Arena.ofConfined()) {
      MemorySegment stub = LINKER.upcallStub(compare(), COMPARE, ours);
      MemorySegment numbers = arena.allocateFrom(JAVA_INT, 2, 1);
      MemorySegment other = arena.allocateFrom("other");
      List<Throwable> thrown = new ArrayList<>();
      IN_UPCALL.set(() -> {
        try {
          arena.close();
        } catch (Throwable e) {
          thrown.add(e);
        }
        var _ = arena.allocate(100).fill((byte) 1); // goes on
      });
      QSORT.invokeExact(numbers, 2L, 4L, stub);
      IN_UPCALL.remove();
      assertThat(thrown)
          .isNotEmpty()
          .allSatisfy(e -> assertThat(e).isInstanceOf(IllegalStateException.class));
      assertThat(arena.scope().isAlive()).isTrue();
      assertThat(numbers.toArray(JAVA_INT)).containsExactly(1, 2);
      assertThat(other.getString(0)).isEqualTo("other");
    }
    arena.close();
    assertThat(arena.scope().isAlive()).isFalse();
  }

  @Test
  final void cleanupActions_runAtClose_andMayThrow() {
    Arena arena = open();
    List<String> done = new ArrayList<>();
    MemorySegment block = arena.allocate(64).fill((byte) 5);
    MemorySegment byAddress = MemorySegment.ofAddress(block.address());
    var _ = byAddress.reinterpret(64, arena, segment -> done.add("first"));
    var _ =
        byAddress.reinterpret(
            64,
            arena,
            segment -> {
              done.add("second");
              throw new IllegalCallerException("by a cleanup");
            });
    assertThatThrownBy(arena::close)
        .isInstanceOf(IllegalCallerException.class)
        .hasMessage("by a cleanup");
    assertThat(done).containsExactlyInAnyOrder("first", "second");
    assertThat(arena.scope().isAlive()).isFalse();
    assertThatThrownBy(arena::close).isInstanceOf(IllegalStateException.class);
  }

  @Test
  final void cleanupAction_stillSeesTheMemory() {
    Arena arena = open();
    MemorySegment block = arena.allocate(64).fill((byte) 5);
    List<Byte> seen = new ArrayList<>();
    var _ =
        MemorySegment.ofAddress(block.address())
            .reinterpret(64, arena, segment -> seen.add(segment.get(JAVA_BYTE, 63)));
    arena.close();
    // The JDK runs the youngest action first and frees the block last; we free after all actions.
    assertThat(seen).containsExactly((byte) 5);
  }

  @Test
  final void mappedFile_livesAsLongAsTheArena(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("text"), "mapped");
    Arena arena = open();
    MemorySegment mapped;
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, 6, arena);
    }
    assertThat(mapped.get(JAVA_BYTE, 0)).isEqualTo((byte) 'm');
    assertThat(mapped.scope()).isEqualTo(arena.scope());
    arena.close();
    assertThatThrownBy(() -> mapped.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  final void library_livesAsLongAsTheArena() throws Throwable {
    Arena arena = open();
    SymbolLookup library = SymbolLookup.libraryLookup("libc.so.6", arena);
    MemorySegment symbol = library.findOrThrow("strlen");
    assertThat(symbol.scope()).isEqualTo(arena.scope());
    MethodHandle strlen = LINKER.downcallHandle(symbol, FunctionDescriptor.of(JAVA_LONG, ADDRESS));
    assertThat((long) strlen.invokeExact(arena.allocateFrom("four"))).isEqualTo(4);
    arena.close();
    assertThat(symbol.scope().isAlive()).isFalse();
  }

  @Test
  final void reinterpret_withTheArena_getsItsLife() {
    Arena arena = open();
    try (Arena other = Arena.ofConfined()) {
      MemorySegment elsewhere = other.allocate(8);
      MemorySegment view = MemorySegment.ofAddress(elsewhere.address()).reinterpret(8, arena, null);
      assertThat(view.scope()).isEqualTo(arena.scope());
      arena.close();
      assertThatThrownBy(() -> view.get(JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }
  }

  private static MethodHandle compare() throws ReflectiveOperationException {
    return MethodHandles.lookup()
        .findStatic(
            NativeConformance.class,
            "compare",
            MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
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
