package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import dev.arenal.pretouch.Pretouch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reclaimer of the program learns how much the refused request needs. */
final class WantedBytesTest {
  private static final long MIB = 1 << 20;

  private final Budget budget = Budget.limitedTo("b", 8 * MIB);
  private final List<Long> asked = new ArrayList<>();

  private long note(long wantedBytes) {
    asked.add(wantedBytes);
    return 0;
  }

  @Test
  void everyKindOfRequest_saysHowMuchItNeeds() {
    try (Budget.Registration _ = budget.addReclaimer(this::note);
        ReservedMemory all = ReservedMemory.reserve("all", 8 * MIB, budget);
        ReservedMemory memory = ReservedMemory.reserve("memory", 8 * MIB, budget);
        ElasticSpace space = ElasticSpace.builder("space").budget(budget).build();
        ElasticArena arena = space.openConfined();
        PageAllocator pages =
            PageAllocator.builder("pages").capacityBytes(8 * MIB).budget(budget).build()) {
      assertThat(all.commit(0, 8 * MIB)).isEqualTo(8 * MIB);

      assertAsked(() -> memory.commit(0, MIB), MIB);
      assertAsked(() -> memory.pretouch(Pretouch.upTo(2 * MIB)), 2 * MIB);
      assertAsked(() -> arena.allocate(100), space.granuleBytes());
      assertAsked(() -> arena.allocate(3 * MIB), 3 * MIB);
      assertAsked(() -> space.pretouch(Pretouch.upTo(4 * MIB)), 4 * MIB);
      // A page for it may be nearly twice as large.
      assertAsked(() -> pages.allocate(3 * MIB), 6 * MIB);
      assertAsked(() -> pages.pretouch(Pretouch.upTo(4 * MIB)), 4 * MIB);
    }
    assertThat(budget.reclaim()).isZero();
  }

  /** Committed bytes do not count again, and a granule counts as a whole. */
  @Test
  void wantedBytes_areThoseThatAreMissing_inWholeGranules() {
    Budget small = Budget.limitedTo("small", MIB);
    try (Budget.Registration _ = small.addReclaimer(this::note);
        ReservedMemory memory = ReservedMemory.reserve("memory", 8 * MIB, small);
        ElasticSpace space =
            ElasticSpace.builder("space").budget(small).granuleBytes(64 << 10).build();
        ElasticArena arena = space.openConfined()) {
      assertThat(memory.commit(0, MIB)).isEqualTo(MIB);

      assertAsked(() -> memory.commit(0, 3 * MIB), 2 * MIB);
      assertAsked(() -> arena.allocate(70_000), 2 * (64 << 10));
    }
  }

  private void assertAsked(Runnable request, long wantedBytes) {
    asked.clear();
    assertThatThrownBy(request::run).isInstanceOf(OutOfNativeMemoryError.class);
    assertThat(asked).isNotEmpty().allSatisfy(bytes -> assertThat(bytes).isEqualTo(wantedBytes));
  }

  @Test
  void callOfTheProgram_wantsAllThatCanBeSpared() {
    try (Budget.Registration _ = budget.addReclaimer(this::note)) {
      assertThat(budget.reclaim()).isZero();
    }
    assertThat(asked).containsExactly(Long.MAX_VALUE);
  }

  /** Half of a cache is enough, so the other half stays. */
  @Test
  void cache_givesUpNoMoreThanIsWanted() {
    Deque<PageBuffer> cache = new ArrayDeque<>();
    try (PageAllocator pages =
            PageAllocator.builder("pages").capacityBytes(16 * MIB).budget(budget).build();
        ElasticSpace space = ElasticSpace.builder("space").budget(budget).build();
        Budget.Registration _ = budget.addReclaimer(wantedBytes -> evict(cache, wantedBytes));
        ElasticArena arena = space.openConfined()) {
      while (cache.size() < 4) {
        cache.add(pages.allocate(2 * MIB));
      }
      assertThat(budget.availableBytes()).isZero();

      assertThat(arena.allocate(4 * MIB).byteSize()).isEqualTo(4 * MIB);

      assertThat(cache).hasSize(2);
      cache.forEach(PageBuffer::close);
    }
  }

  /** A hole between live buffers goes back only by a trim, as the documents say. */
  @Test
  void cacheOfSmallBuffers_helpsIfItTrims() {
    Deque<PageBuffer> cache = new ArrayDeque<>();
    Deque<PageBuffer> live = new ArrayDeque<>();
    try (PageAllocator pages =
            PageAllocator.builder("pages").capacityBytes(16 * MIB).budget(budget).build();
        ElasticSpace space = ElasticSpace.builder("space").budget(budget).build();
        Budget.Registration _ =
            budget.addReclaimer(wantedBytes -> evict(cache, wantedBytes) > 0 ? pages.trim() : 0);
        ElasticArena arena = space.openConfined()) {
      while (budget.availableBytes() > 0 || cache.size() < 96) {
        cache.add(pages.allocate(32 << 10));
        live.add(pages.allocate(32 << 10));
      }
      assertThat(budget.availableBytes()).isZero();

      assertThat(arena.allocate(MIB).byteSize()).isEqualTo(MIB);

      assertThat(cache).isNotEmpty();
      cache.forEach(PageBuffer::close);
      live.forEach(PageBuffer::close);
    }
  }

  /** Untrusted lengths must not empty the caches of others. */
  @Test
  void requestThatIsAboveTheLimitByItself_leavesTheCachesOfOthers() {
    try (PageAllocator cache =
            PageAllocator.builder("cache").capacityBytes(16 * MIB).budget(budget).build();
        ReservedMemory memory = ReservedMemory.reserve("memory", 64 * MIB, budget);
        ElasticSpace space = ElasticSpace.builder("space").budget(budget).build();
        ElasticArena arena = space.openConfined();
        PageAllocator pages =
            PageAllocator.builder("pages").capacityBytes(64 * MIB).budget(budget).build();
        Budget.Registration _ = budget.addReclaimer(this::note)) {
      cache.allocate(4 * MIB).close();
      assertAsked(() -> arena.allocate(9 * MIB), 9 * MIB);
      assertAsked(() -> memory.commit(0, 9 * MIB), 9 * MIB);
      assertAsked(() -> memory.pretouch(Pretouch.upTo(9 * MIB)), 9 * MIB);
      assertAsked(() -> space.pretouch(Pretouch.upTo(9 * MIB)), 9 * MIB);
      assertAsked(() -> pages.allocate(9 * MIB), 18 * MIB);
      assertThatThrownBy(() -> pages.pretouch(Pretouch.upTo(9 * MIB)))
          .isInstanceOf(OutOfNativeMemoryError.class);
      assertThat(cache.report().cachedBytes()).isEqualTo(4 * MIB);
      try (ElasticArena ended = space.openConfined()) {
        var _ = ended.allocate(300_000);
      }
      long committedBytes = budget.committedBytes();
      assertAsked(() -> arena.allocate(9 * MIB), 9 * MIB);
      assertThat(budget.committedBytes()).as("its own, too").isEqualTo(committedBytes);

      memory.commit(0, 8 * MIB); // this is not
      assertThat(cache.report().cachedBytes()).isZero();
    }
  }

  private static long evict(Deque<PageBuffer> cache, long wantedBytes) {
    long sizeBytes = 0;
    while (sizeBytes < wantedBytes && !cache.isEmpty()) {
      PageBuffer buffer = cache.remove();
      sizeBytes += buffer.sizeBytes();
      buffer.close();
    }
    return sizeBytes;
  }
}
