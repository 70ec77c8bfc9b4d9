package com.example;

import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Asks for memory, from places that tests know by their methods. */
public final class Program {
  private Program() {}

  /** Some short-lived ones. */
  public static List<PageBuffer> takeMany(PageAllocator pages, int count, long sizeBytes) {
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(pages.allocate(sizeBytes, PageAge.SHORT_LIVED));
    }
    return buffers;
  }

  /** One. */
  public static PageBuffer take(PageAllocator pages, long sizeBytes, PageAge age) {
    return pages.allocate(sizeBytes, age);
  }

  /** A method of the JDK allocates for the program. */
  public static MemorySegment takeText(Arena arena) {
    return arena.allocateFrom("text");
  }

  /** Drops an arena and keeps a block. */
  public static MemorySegment loseArena(PageAllocator pages) {
    return pages.openSharedArena().allocateFrom("lost");
  }

  /** Drops the handle and keeps the memory. */
  public static MemorySegment lose(PageAllocator pages, long sizeBytes) {
    MemorySegment segment = pages.allocate(sizeBytes, PageAge.SHORT_LIVED).segment();
    segment.set(ValueLayout.JAVA_BYTE, sizeBytes - 1, (byte) 7);
    return segment;
  }

  /** Drops the handle of reserved memory. */
  public static MemorySegment loseReserved(String name, Budget budget) {
    ReservedMemory memory = ReservedMemory.reserve(name, 1 << 20, budget);
    var _ = memory.commit(0, 4096);
    memory.segment().set(ValueLayout.JAVA_BYTE, 4095, (byte) 7);
    return memory.segment();
  }

  /** Drops an allocator. */
  public static void loseAllocator(String name) {
    PageAllocator.builder(name)
        .capacityBytes(16 << 20)
        .build()
        .allocate(1000, PageAge.SHORT_LIVED)
        .close();
  }

  /** Drops a space. */
  public static void loseSpace(String name) {
    ElasticSpace.builder(name).build().openConfined().close();
  }
}
