package dev.arenal.lab.replay;

import dev.arenal.lab.heap.HeapKind;
import dev.arenal.lab.heap.HeapUser;
import org.jspecify.annotations.Nullable;

/** The allocators a trace can be replayed with, by the names they have on the command line. */
public enum AllocatorKind implements HeapUser {
  /** The committed bytes of the recorded JVM itself; nothing is replayed. */
  HOTSPOT("HotSpot, as recorded"),
  /** An allocator that knows which arenas die together: a bound for all others; no replay. */
  CLAIRVOYANT("a clairvoyant allocator"),
  /** Elastic arenas with their defaults, class and non-class arenas in two spaces. */
  ELASTIC("Arenal"),
  /** The same with granules of 64 KiB. */
  ELASTIC_64K("Arenal, 64 KiB granules"),
  /** The same with granules of 16 KiB. */
  ELASTIC_16K("Arenal, 16 KiB granules"),
  /** The same, keeping free memory for the next growth, as the heaps do. */
  ELASTIC_KEPT("Arenal, free memory kept"),
  /** Elastic arenas as an application would use them: one arena per loader in one space. */
  ELASTIC_OWNER("Arenal, one arena per loader"),
  /** The C library's malloc and free. */
  MALLOC("malloc and free"),
  /** jemalloc, where it is installed. */
  JEMALLOC("jemalloc"),
  /** mimalloc, where it is installed. */
  MIMALLOC("mimalloc"),
  /** The same, with a heap for each loader that is destroyed as a whole. */
  MIMALLOC_OWNER("mimalloc, one heap per loader"),
  /** The JDK's own confined arenas. */
  JDK_CONFINED("Arena.ofConfined()"),
  /** The JDK's own shared arenas. */
  JDK_SHARED("Arena.ofShared()");

  private final String title;

  AllocatorKind(String title) {
    this.title = title;
  }

  /** The name in a sentence or a heading. */
  public String title() {
    return title;
  }

  @Override
  public @Nullable HeapKind heap() {
    return this == MIMALLOC_OWNER ? HeapKind.MIMALLOC : HeapUser.super.heap();
  }

  /** Whether a process replays the trace; if not, the figures follow from the trace alone. */
  public boolean isReplayed() {
    return this != HOTSPOT && this != CLAIRVOYANT;
  }

  /** Whether it is one of ours. */
  boolean isElastic() {
    return switch (this) {
      case ELASTIC, ELASTIC_64K, ELASTIC_16K, ELASTIC_KEPT, ELASTIC_OWNER -> true;
      default -> false;
    };
  }

  /** Whether it is a second form of {@link #ELASTIC}. */
  public boolean isVariant() {
    return isElastic() && this != ELASTIC;
  }

  /** Whether its blocks come from the C library's heap, which the JVM itself uses too. */
  boolean usesMalloc() {
    return this == MALLOC || isJdk();
  }

  /** Whether its arenas are the JDK's own. */
  public boolean isJdk() {
    return this == JDK_CONFINED || this == JDK_SHARED;
  }

  /** Whether its blocks come from a heap in the manner of malloc. */
  public boolean isHeap() {
    return heap() != null;
  }

  /** Whether it is what a program would use without us. */
  public boolean isRival() {
    return isHeap() || isJdk();
  }
}
