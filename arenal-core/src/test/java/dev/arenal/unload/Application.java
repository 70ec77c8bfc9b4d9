package dev.arenal.unload;

import dev.arenal.confined.PooledArena;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.stats.recorder.StatisticsRecorder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An application that uses the library of its own class loader. */
public final class Application implements Runnable {
  /** One of the allocators, or what else keeps threads or is known to the JDK. */
  enum Part {
    PAGES,
    PRETOUCH,
    ELASTIC,
    ELASTIC_TOUCHED_AHEAD,
    ELASTIC_DELAYED,
    POOLED,
    POOLED_NESTED,
    POOLED_VIRTUAL,
    STATISTICS,
    LOST
  }

  private final List<Part> parts = new ArrayList<>();

  /** By reflection, since its own class is another one for each loader. */
  public Application(String parts) {
    for (String name : parts.split(",", -1)) {
      this.parts.add(Part.valueOf(name.toUpperCase(Locale.ROOT)));
    }
  }

  @Override
  public void run() {
    for (Part part : parts) {
      switch (part) {
        case PAGES -> pages(null);
        case PRETOUCH -> pages(Pretouch.upTo(8 << 20).threads(2));
        case ELASTIC -> elastic(64, Duration.ZERO);
        case ELASTIC_TOUCHED_AHEAD -> elastic(16 << 20, Duration.ZERO);
        case ELASTIC_DELAYED -> elastic(4 << 20, Duration.ofMinutes(5));
        case POOLED -> pooled(1);
        case POOLED_NESTED -> pooled(4);
        case POOLED_VIRTUAL -> onVirtualThread(() -> pooled(1));
        case STATISTICS -> statistics();
        case LOST -> lose();
      }
    }
  }

  private static void pages(@org.jspecify.annotations.Nullable Pretouch pretouch) {
    try (PageAllocator pages = PageAllocator.builder("pages").capacityBytes(64 << 20).build()) {
      if (pretouch != null) {
        var _ = pages.pretouch(pretouch);
      }
      try (PageBuffer small = pages.allocate(1000, PageAge.SHORT_LIVED);
          PageBuffer large = pages.allocate(3 << 20, PageAge.LONG_LIVED)) {
        large.segment().copyFrom(small.segment());
      }
      var _ = pages.statistics().toString();
    }
  }

  private static void elastic(long sizeBytes, Duration uncommitDelay) {
    Budget budget = Budget.limitedTo("unload", 1L << 30);
    try (ElasticSpace space =
            ElasticSpace.builder("unload").budget(budget).uncommitDelay(uncommitDelay).build();
        ElasticArena confined = space.openConfined("confined");
        ElasticArena shared = space.openShared("shared")) {
      for (long done = 0; done < sizeBytes; done += 4096) {
        shared.allocate(4096).copyFrom(confined.allocate(4096).fill((byte) 1));
      }
      var _ = space.statistics().toString();
    }
  }

  private static void pooled(int depth) {
    try (Arena arena = PooledArena.ofConfined()) {
      MemorySegment block = arena.allocate(100).fill((byte) 1);
      if (depth > 1) {
        pooled(depth - 1);
      }
      if (block.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 99) != 1) {
        throw new AssertionError("block is not what was written");
      }
    }
  }

  private static void onVirtualThread(Runnable body) {
    try {
      Thread.ofVirtual().start(body).join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Until the thread has registered the bean and has seen that a recording runs, if one does. */
  private static void statistics() {
    try (StatisticsRecorder recorder = StatisticsRecorder.open("Unload", "statistics")) {
      recorder.counter("Memory", "Count", dev.arenal.stats.StatisticsUnit.BYTES_PER_SECOND).add(1);
      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (ManagementFactory.getPlatformMBeanServer()
              .queryNames(javax.management.ObjectName.getInstance("dev.arenal:type=Unload,*"), null)
              .isEmpty()
          && System.nanoTime() < deadline) {
        Thread.sleep(5);
      }
    } catch (InterruptedException | javax.management.JMException e) {
      throw new AssertionError(e);
    }
  }

  /** Handles that are dropped without a close: a mistake, but no reason to stay for ever. */
  private static void lose() {
    var _ = PageAllocator.builder("pages").capacityBytes(64 << 20).build();
    var _ = ElasticSpace.builder("lost").build();
  }
}
