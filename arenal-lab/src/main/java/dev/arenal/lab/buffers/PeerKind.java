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
  ARENAL,
  /** The same, told to give back soon what is free. */
  ARENAL_SHORT,
  /** The same as it is by default: zeroed. */
  ARENAL_ZEROED,
  /** Netty's default since 4.2. */
  NETTY_ADAPTIVE,
  /** Netty's default before. */
  NETTY_POOLED,
  /** The C library's malloc and free. */
  MALLOC,
  /** The same where HotSpot calls glibc's malloc_trim again and again. */
  MALLOC_TRIM,
  /** jemalloc, where it is installed. */
  JEMALLOC,
  /** The same with a short decay and a thread of its own for it. */
  JEMALLOC_DECAY,
  /** mimalloc, where it is installed. */
  MIMALLOC,
  /** No allocator at all: what the harness itself costs. */
  NONE;

  /** Those that are compared unless others are asked for. */
  public static final List<PeerKind> USUAL =
      Arrays.stream(values()).filter(kind -> kind != ARENAL_ZEROED && kind != NONE).toList();

  /** Two of them may run on one heap, with other settings. */
  @Override
  public @Nullable HeapKind heap() {
    return switch (this) {
      case MALLOC_TRIM -> HeapKind.MALLOC;
      case JEMALLOC_DECAY -> HeapKind.JEMALLOC;
      default -> HeapUser.super.heap();
    };
  }

  @Override
  public @Nullable String missing() {
    return this == MALLOC_TRIM && !MeasuredHeap.canTrimMalloc()
        ? "the C library has no malloc_trim (expected glibc)"
        : null;
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
