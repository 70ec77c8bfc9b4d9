package dev.arenal.lab.roundtrip;

import dev.arenal.lab.heap.HeapUser;

/** The allocators whose buffers are measured one at a time. */
public enum BufferAllocator implements HeapUser {
  /** Our page allocator; it does not zero, since hardly a peer does. */
  ARENAL("arenal", "PageAllocator", false),
  /** The same as it is by default: zeroed. */
  ARENAL_ZEROED("arenalZeroed", "PageAllocator, zeroed", true),
  /** Netty's default since 4.2. */
  NETTY_ADAPTIVE("nettyAdaptive", "Netty's AdaptiveByteBufAllocator, direct", false),
  /** Netty's default before. */
  NETTY_POOLED("nettyPooled", "Netty's PooledByteBufAllocator, direct", false),
  /** The C library's malloc and free. */
  MALLOC("mallocFree", "malloc and free", false),
  /** jemalloc, where it is installed. */
  JEMALLOC("jemalloc", "jemalloc, preloaded", false),
  /** mimalloc, where it is installed. */
  MIMALLOC("mimalloc", "mimalloc", false),
  /** A shared arena of the JDK for each buffer. */
  JDK_SHARED("jdkShared", "Arena.ofShared(), one for each buffer", true),
  /** No allocator at all. */
  CONTROL("control", "control: the touching alone", false);

  private final String method;
  private final String title;
  private final boolean isZeroing;

  BufferAllocator(String method, String title, boolean isZeroing) {
    this.method = method;
    this.title = title;
    this.isZeroing = isZeroing;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  /** Whether a buffer is zeroed before it is handed out. */
  public boolean isZeroing() {
    return isZeroing;
  }

  /** Whether it is a peer of ours: neither ours nor the control. */
  public boolean isPeer() {
    return this != ARENAL && this != ARENAL_ZEROED && this != CONTROL;
  }

  /** The name of its benchmarks. */
  String method() {
    return method;
  }
}
