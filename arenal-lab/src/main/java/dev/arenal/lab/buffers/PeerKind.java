package dev.arenal.lab.buffers;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.arenal.lab.heap.HeapUser;
import java.util.Arrays;
import java.util.List;

/** The allocators of buffers that are compared, by the names they have on the command line. */
public enum PeerKind implements HeapUser {
  /** Our page allocator; it does not zero, since no peer does. */
  ARENAL("arenal", "PageAllocator"),
  /** The same as it is by default: zeroed. */
  ARENAL_ZEROED("arenal-zeroed", "PageAllocator, zeroed"),
  /** Netty's default since 4.2. */
  NETTY_ADAPTIVE("netty-adaptive", "Netty's AdaptiveByteBufAllocator, direct"),
  /** Netty's default before. */
  NETTY_POOLED("netty-pooled", "Netty's PooledByteBufAllocator, direct"),
  /** The C library's malloc and free. */
  MALLOC("malloc", "malloc and free"),
  /** jemalloc, where it is installed. */
  JEMALLOC("jemalloc", "jemalloc"),
  /** mimalloc, where it is installed. */
  MIMALLOC("mimalloc", "mimalloc"),
  /** No allocator at all: what the harness itself costs. */
  NONE("none", "no allocator: the harness alone");

  private final String label;
  private final String title;

  PeerKind(String label, String title) {
    this.label = label;
    this.title = title;
  }

  @Override
  @JsonValue
  public String label() {
    return label;
  }

  /** What it is, in a few words. */
  public String title() {
    return title;
  }

  /** Whether it is one of Netty's. */
  public boolean isNetty() {
    return this == NETTY_ADAPTIVE || this == NETTY_POOLED;
  }

  /** Whether it is ours. */
  public boolean isArenal() {
    return this == ARENAL || this == ARENAL_ZEROED;
  }

  /** Those that are compared unless others are asked for. */
  public static List<PeerKind> usual() {
    return Arrays.stream(values()).filter(kind -> kind != ARENAL_ZEROED && kind != NONE).toList();
  }
}
