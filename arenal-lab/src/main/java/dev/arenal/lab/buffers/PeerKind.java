package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.HeapUser;
import dev.arenal.lab.heap.MeasuredHeap;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The allocators of buffers that are compared, by the names they have on the command line. */
public enum PeerKind implements HeapUser {
  /** Our page allocator with its default delay; it does not zero, since no peer does. */
  ARENAL("PageAllocator"),
  /** The same, told to give back soon what is free. */
  ARENAL_SHORT("PageAllocator, short uncommit delay"),
  /** The same as it is by default: zeroed. */
  ARENAL_ZEROED("PageAllocator, zeroed"),
  /** Netty's default since 4.2. */
  NETTY_ADAPTIVE("Netty's AdaptiveByteBufAllocator, direct"),
  /** Netty's default before. */
  NETTY_POOLED("Netty's PooledByteBufAllocator, direct"),
  /** The C library's malloc and free. */
  MALLOC("malloc and free", HeapKind.MALLOC),
  /** The same where HotSpot calls glibc's malloc_trim again and again. */
  MALLOC_TRIM("malloc and free, trimmed by HotSpot", HeapKind.MALLOC),
  /** jemalloc, where it is installed. */
  JEMALLOC("jemalloc", HeapKind.JEMALLOC),
  /** The same with a short decay and a thread of its own for it. */
  JEMALLOC_DECAY("jemalloc, short decay by its own thread", HeapKind.JEMALLOC),
  /** mimalloc, where it is installed. */
  MIMALLOC("mimalloc", HeapKind.MIMALLOC),
  /** No allocator at all: what the harness itself costs. */
  NONE("no allocator: the harness alone");

  /** Those that are compared unless others are asked for. */
  public static final List<PeerKind> USUAL =
      Arrays.stream(values()).filter(kind -> kind != ARENAL_ZEROED && kind != NONE).toList();

  private final String title;
  private final @Nullable HeapKind heap;

  PeerKind(String title) {
    this(title, null);
  }

  PeerKind(String title, @Nullable HeapKind heap) {
    this.title = title;
    this.heap = heap;
  }

  /** Two of them may run on one heap, with other settings. */
  @Override
  public @Nullable HeapKind heap() {
    return heap;
  }

  @Override
  public @Nullable String missing() {
    return this == MALLOC_TRIM && !MeasuredHeap.canTrimMalloc()
        ? "the C library has no malloc_trim (expected glibc)"
        : null;
  }

  /** A description in a few words. */
  public String title() {
    return title;
  }

  /** Whether it is one of Netty's. */
  public boolean isNetty() {
    return this == NETTY_ADAPTIVE || this == NETTY_POOLED;
  }

  /** Whether it is ours. */
  public boolean isArenal() {
    return this == ARENAL || this == ARENAL_SHORT || this == ARENAL_ZEROED;
  }

  /** Whether it is what a program would use without us. */
  public boolean isRival() {
    return !isArenal() && this != NONE;
  }

  /** Whether it zeroes what it hands out. */
  public boolean isZeroed() {
    return this == ARENAL_ZEROED;
  }
}
