package dev.arenal.lab.heap;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;
import java.util.Optional;

/** The C library's heap: {@code malloc}, {@code free}, and what glibc tells about them. */
final class GlibcHeap extends NativeHeap {
  /** Ten fields of {@code size_t}: {@code arena} is the first, {@code hblkhd} the fifth. */
  private static final StructLayout MALLINFO2 =
      MemoryLayout.structLayout(
          Collections.nCopies(10, ValueLayout.JAVA_LONG).toArray(MemoryLayout[]::new));

  private static final long ARENA_OFFSET_BYTES = 0;
  private static final long HBLKHD_OFFSET_BYTES = 4 * Long.BYTES;
  private static final long VERSION_BYTE_COUNT = 64;

  /** All three are glibc's own; another C library goes without. */
  private final Optional<MethodHandle> mallocTrim;

  private final Optional<MethodHandle> mallinfo;
  private final Optional<MethodHandle> version;

  private GlibcHeap(HeapSymbols symbols) throws IOException {
    super(HeapKind.MALLOC, symbols, "malloc", "free");
    this.mallocTrim = mallocTrim(symbols);
    this.mallinfo = symbols.find("mallinfo2", FunctionDescriptor.of(MALLINFO2));
    this.version = symbols.find("gnu_get_libc_version", FunctionDescriptor.of(ValueLayout.ADDRESS));
  }

  private static Optional<MethodHandle> mallocTrim(HeapSymbols symbols) {
    return symbols.find(
        "malloc_trim", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
  }

  /** Whether this C library has a call that gives back what is free. */
  static boolean canTrim() {
    return mallocTrim(HeapSymbols.ofCLibrary()).isPresent();
  }

  static GlibcHeap open() {
    try {
      return new GlibcHeap(HeapSymbols.ofCLibrary());
    } catch (IOException e) {
      throw new AssertionError("every C library has malloc and free", e);
    }
  }

  @Override
  @SuppressWarnings("restricted") // The C library's string ends where it says.
  public String library() {
    if (version.isEmpty()) {
      return "the C library";
    }
    try {
      MemorySegment text = (MemorySegment) version.get().invokeExact();
      return "glibc " + text.reinterpret(VERSION_BYTE_COUNT).getString(0);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  /** Nothing: the default lookup knows no other malloc. */
  @Override
  public void prove() {}

  @Override
  public void settle() {
    if (mallocTrim.isPresent()) {
      try {
        int _ = (int) mallocTrim.get().invokeExact(0L);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }

  /** The bytes of malloc in all its heaps and single mappings. */
  @Override
  public long heldBytes() {
    if (mallinfo.isEmpty()) {
      return UNKNOWN;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment info = (MemorySegment) mallinfo.get().invokeExact((SegmentAllocator) arena);
      return info.get(ValueLayout.JAVA_LONG, ARENA_OFFSET_BYTES)
          + info.get(ValueLayout.JAVA_LONG, HBLKHD_OFFSET_BYTES);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
