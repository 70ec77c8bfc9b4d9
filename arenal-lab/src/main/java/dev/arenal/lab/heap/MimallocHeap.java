package dev.arenal.lab.heap;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/** mimalloc, by the names that only it has: {@code mi_malloc} and {@code mi_free}. */
final class MimallocHeap extends NativeHeap {
  private static final long PROOF_BYTES = 1000;
  private static final int FIGURE_COUNT = 8;
  private static final int COMMIT_FIGURE = 5;

  /** 209 is 2.0.9, and 30105 is 3.1.5. */
  private static final int FIRST_OF_FIVE_DIGITS = 10_000;

  /** A heap for one owner; what {@link OwnerHeaps} calls. */
  final MethodHandle openOwner;

  final MethodHandle ownerMalloc;
  final MethodHandle destroyOwner;

  private final Path file;
  private final MethodHandle usableSize;
  private final MethodHandle isInHeap;
  private final MethodHandle collect;
  private final MethodHandle processInfo;
  private final String library;

  /** An address that is in no heap. */
  private final long codeAddress;

  private MimallocHeap(Path file, HeapSymbols symbols) throws IOException {
    super(HeapKind.MIMALLOC, symbols, "mi_malloc", "mi_free");
    this.openOwner = symbols.measured("mi_heap_new", 0);
    this.ownerMalloc = symbols.measured("mi_heap_malloc", 2);
    this.destroyOwner = symbols.measuredFree("mi_heap_destroy");
    this.file = file;
    this.usableSize =
        symbols.function("mi_usable_size", ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    this.isInHeap =
        symbols.function("mi_is_in_heap_region", ValueLayout.JAVA_BOOLEAN, ValueLayout.JAVA_LONG);
    this.collect = symbols.procedure("mi_collect", ValueLayout.JAVA_BOOLEAN);
    this.processInfo =
        symbols.procedure(
            "mi_process_info",
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS,
            ValueLayout.ADDRESS);
    this.codeAddress = symbols.addressOf("mi_malloc");
    this.library = "mimalloc " + readVersion(symbols);
  }

  static MimallocHeap open(Path file) throws IOException {
    return new MimallocHeap(file, HeapSymbols.ofFile(file));
  }

  @Override
  public String library() {
    return library;
  }

  /** It knows a block as its own, with a size that holds what was asked for, and nothing else. */
  @Override
  public void prove() throws IOException {
    long address = MeasuredHeap.malloc(PROOF_BYTES);
    boolean isOwn;
    boolean isCodeOwn;
    long usableBytes;
    try {
      isOwn = (boolean) isInHeap.invokeExact(address);
      isCodeOwn = (boolean) isInHeap.invokeExact(codeAddress);
      usableBytes = isOwn ? (long) usableSize.invokeExact(address) : 0;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    checkProof(file, isOwn, isCodeOwn, usableBytes);
    MeasuredHeap.free(address);
  }

  static void checkProof(Path file, boolean isOwn, boolean isCodeOwn, long usableBytes)
      throws IOException {
    if (!isOwn || isCodeOwn || usableBytes < PROOF_BYTES) {
      throw new IOException(
          ("another heap answered: allocator=mimalloc, library=%s, isInHeap=%b,"
                  + " isCodeInHeap=%b, askedBytes=%d, usableBytes=%d (expected"
                  + " mi_is_in_heap_region to know its own blocks and nothing else)")
              .formatted(file, isOwn, isCodeOwn, PROOF_BYTES, usableBytes));
    }
  }

  @Override
  public void settle() {
    try {
      collect.invokeExact(true);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** The committed bytes of this process by its own count. */
  @Override
  public long heldBytes() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment figures = arena.allocate(ValueLayout.JAVA_LONG, FIGURE_COUNT);
      processInfo.invokeExact(
          at(figures, 0),
          at(figures, 1),
          at(figures, 2),
          at(figures, 3),
          at(figures, 4),
          at(figures, COMMIT_FIGURE),
          at(figures, 6),
          at(figures, 7));
      return figures.getAtIndex(ValueLayout.JAVA_LONG, COMMIT_FIGURE);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MemorySegment at(MemorySegment figures, int index) {
    return figures.asSlice((long) index * Long.BYTES, Long.BYTES);
  }

  private static String readVersion(HeapSymbols symbols) throws IOException {
    MethodHandle version = symbols.function("mi_version", ValueLayout.JAVA_INT);
    try {
      return versionText((int) version.invokeExact());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  static String versionText(int version) {
    return version < FIRST_OF_FIVE_DIGITS
        ? "%d.%d.%d".formatted(version / 100, version / 10 % 10, version % 10)
        : "%d.%d.%d".formatted(version / 10_000, version / 100 % 100, version % 100);
  }
}
