package dev.arenal.lab.heap;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * jemalloc. The process has it preloaded, since it cannot be opened late, and so the JVM's own
 * blocks come from it too.
 *
 * <p>The measured thread therefore gets an arena of jemalloc's to itself. Figures are of that arena
 * alone, and the arenas that the JVM shares keep what they have: the memory a compiler gives back
 * seconds later would otherwise leave in the middle of a replay.
 */
final class JemallocHeap extends NativeHeap {
  private static final long PROOF_BYTES = 3 * 1024 * 1024;

  /** Stands for all arenas at once. */
  private static final int ALL_ARENAS = 4096;

  private static final long NEVER = -1;
  private static final long VERSION_BYTE_COUNT = 256;
  private static final String NO_NAME = "";

  private final Path file;
  private final MethodHandle mallctl;
  private final String library;

  /** Made once: what is made at each sample would have to be compiled, with memory from here. */
  private String residentName = NO_NAME;

  private JemallocHeap(Path file, HeapSymbols symbols) throws IOException {
    super(HeapKind.JEMALLOC, symbols, "malloc", "free");
    this.file = file;
    this.mallctl =
        symbols.function(
            "mallctl",
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG);
    this.library = "jemalloc " + readVersion();
  }

  /** The library of that file, which must be loaded already. */
  static JemallocHeap open(Path file) throws IOException {
    return new JemallocHeap(file, HeapSymbols.ofFile(file));
  }

  @Override
  public String library() {
    return library;
  }

  /** A block moves jemalloc's count of what this thread was given, by its size and no more. */
  @Override
  public void prove() throws IOException {
    long beforeBytes = readLong("thread.allocated");
    MeasuredHeap.free(MeasuredHeap.malloc(PROOF_BYTES));
    checkProof(file, PROOF_BYTES, readLong("thread.allocated") - beforeBytes);
  }

  static void checkProof(Path file, long askedBytes, long countedBytes) throws IOException {
    if (countedBytes < askedBytes || countedBytes >= 2 * askedBytes) {
      throw new IOException(
          ("another heap answered: allocator=jemalloc, library=%s, askedBytes=%d, countedBytes=%d"
                  + " (expected thread.allocated of the library to grow by what was asked for)")
              .formatted(file, askedBytes, countedBytes));
    }
  }

  @Override
  public void enterThread() {
    int sharedCount = readInt("arenas.narenas");
    int ownArena = readInt("arenas.create");
    residentName = "stats.arenas." + ownArena + ".resident"; // in the digits of every locale
    writeInt("thread.arena", ownArena);
    keepPages("arenas");
    for (int arena = 0; arena < sharedCount; arena++) {
      keepPages("arena." + arena);
    }
  }

  /** That of arenas to come; releases before 5 count otherwise. */
  @Override
  public @Nullable Duration decay() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment millis = arena.allocate(ValueLayout.JAVA_LONG);
      boolean isKnown = control(arena, "arenas.dirty_decay_ms", millis, MemorySegment.NULL) == 0;
      long decayMillis = millis.get(ValueLayout.JAVA_LONG, 0);
      return isKnown && decayMillis >= 0 ? Duration.ofMillis(decayMillis) : null;
    }
  }

  @Override
  public boolean hasThread() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment isOn = arena.allocate(ValueLayout.JAVA_BOOLEAN);
      return control(arena, "background_thread", isOn, MemorySegment.NULL) == 0
          && isOn.get(ValueLayout.JAVA_BOOLEAN, 0);
    }
  }

  @Override
  public void settle() {
    call("thread.tcache.flush");
    call("arena." + ALL_ARENAS + ".purge");
  }

  /** Active and dirty pages and metadata: all that it counts as backed by memory. */
  @Override
  public long heldBytes() {
    if (residentName.isEmpty()) {
      return UNKNOWN;
    }
    try (Arena arena = Arena.ofConfined()) {
      // Figures are as old as the epoch, which any write moves.
      MemorySegment epoch = arena.allocateFrom(ValueLayout.JAVA_LONG, 1L);
      MemorySegment resident = arena.allocate(ValueLayout.JAVA_LONG);
      int result = control(arena, "epoch", MemorySegment.NULL, epoch);
      // A build without statistics has no such figure.
      return result == 0 && control(arena, residentName, resident, MemorySegment.NULL) == 0
          ? resident.get(ValueLayout.JAVA_LONG, 0)
          : UNKNOWN;
    }
  }

  @SuppressWarnings("restricted") // A constant string of the library.
  private String readVersion() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocate(ValueLayout.ADDRESS);
      if (control(arena, "version", text, MemorySegment.NULL) != 0) {
        throw new IOException(
            "not the library it should be: library=%s (expected mallctl to know its version)"
                .formatted(file));
      }
      return text.get(ValueLayout.ADDRESS, 0).reinterpret(VERSION_BYTE_COUNT).getString(0);
    }
  }

  private long readLong(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_LONG);
      check(name, control(arena, name, value, MemorySegment.NULL));
      return value.get(ValueLayout.JAVA_LONG, 0);
    }
  }

  private int readInt(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(ValueLayout.JAVA_INT);
      check(name, control(arena, name, value, MemorySegment.NULL));
      return value.get(ValueLayout.JAVA_INT, 0);
    }
  }

  private void writeInt(String name, int number) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_INT, number);
      check(name, control(arena, name, MemorySegment.NULL, value));
    }
  }

  /** Refused for an arena that no thread has used yet: it will do what new arenas do. */
  private void keepPages(String arenas) {
    boolean _ = tryWriteLong(arenas + ".dirty_decay_ms", NEVER);
    boolean _ = tryWriteLong(arenas + ".muzzy_decay_ms", NEVER);
  }

  private boolean tryWriteLong(String name, long number) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_LONG, number);
      return control(arena, name, MemorySegment.NULL, value) == 0;
    }
  }

  private void call(String name) {
    try (Arena arena = Arena.ofConfined()) {
      check(name, control(arena, name, MemorySegment.NULL, MemorySegment.NULL));
    }
  }

  /** Reads into one segment or writes another; returns 0 or an error number. */
  private int control(Arena arena, String name, MemorySegment read, MemorySegment written) {
    MemorySegment sizeRead =
        read.equals(MemorySegment.NULL)
            ? MemorySegment.NULL
            : arena.allocateFrom(ValueLayout.JAVA_LONG, read.byteSize());
    try {
      return (int)
          mallctl.invokeExact(
              arena.allocateFrom(name), read, sizeRead, written, written.byteSize());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private void check(String name, int result) {
    if (result != 0) {
      throw new IllegalStateException(
          "jemalloc refused: library=%s, mallctl=%s, errno=%d".formatted(file, name, result));
    }
  }
}
