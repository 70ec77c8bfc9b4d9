package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageAllocatorBuilder;
import dev.arenal.page.PageBuffer;
import dev.arenal.pretouch.Pretouch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pretouch under a budget whose memory is in a cache of the program, or just leaves it. */
@Timeout(120)
final class PretouchRoomTest {
  private static final long MIB = 1 << 20;
  private static final long LIMIT_BYTES = 128 * MIB;
  private static final long WANTED_BYTES = 96 * MIB;

  private final Budget budget = Budget.limitedTo("tight", LIMIT_BYTES);
  private final AtomicBoolean isFull = new AtomicBoolean();

  /** Each kind of pretouch. */
  enum Kind {
    MEMORY,
    SPACE,
    NEW_SPACE,
    ALLOCATOR,
    NEW_ALLOCATOR
  }

  private void pretouch(Kind kind, Pretouch wanted) {
    switch (kind) {
      case MEMORY -> {
        try (ReservedMemory memory = ReservedMemory.reserve("wanted", WANTED_BYTES, budget)) {
          var _ = memory.pretouch(wanted);
        }
      }
      case SPACE -> {
        try (ElasticSpace space = ElasticSpace.builder("wanted").budget(budget).build()) {
          var _ = space.pretouch(wanted);
        }
      }
      case NEW_SPACE ->
          ElasticSpace.builder("wanted").budget(budget).pretouch(wanted).build().close();
      case ALLOCATOR -> {
        try (PageAllocator pages = allocator().build()) {
          var _ = pages.pretouch(wanted);
        }
      }
      case NEW_ALLOCATOR -> allocator().pretouch(wanted).build().close();
    }
  }

  private PageAllocatorBuilder allocator() {
    return PageAllocator.builder("wanted").budget(budget).capacityBytes(WANTED_BYTES);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pretouch_waitsForWhatAnotherThreadIsJustBeingGiven(Kind kind) throws Exception {
    CountDownLatch isAsked = new CountDownLatch(1);
    try (ReservedMemory cache = ReservedMemory.reserve("cache", LIMIT_BYTES, budget);
        ReservedMemory other = ReservedMemory.reserve("other", MIB, budget)) {
      fill(cache);
      try (Budget.Registration _ =
          budget.addReclaimer(_ -> {
            if (!isFull.compareAndSet(true, false)) {
              return 0;
            }
            isAsked.countDown();
            LockSupport.parkNanos(100_000_000);
            return cache.uncommit(0, LIMIT_BYTES);
          })) {
        Thread thread = Thread.ofPlatform().start(() -> other.commit(0, MIB));
        isAsked.await();
        Pretouch wanted = Pretouch.upTo(WANTED_BYTES);
        assertThatCode(() -> pretouch(kind, wanted)).doesNotThrowAnyException();
        thread.join();
        assertThat(budget.committedBytes()).isEqualTo(MIB);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pretouch_isGivenWhatACacheHasTakenSinceItBegan(Kind kind) {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    try (ReservedMemory cache = ReservedMemory.reserve("cache", LIMIT_BYTES, budget);
        Budget.Registration _ = budget.addReclaimer(_ -> cache.uncommit(0, LIMIT_BYTES))) {
      Pretouch wanted =
          Pretouch.upTo(WANTED_BYTES)
              .cancelWhen(() -> {
                if (isFirst.compareAndSet(true, false)) {
                  fill(cache);
                }
                return false;
              });
      assertThatCode(() -> pretouch(kind, wanted)).doesNotThrowAnyException();
      assertThat(budget.committedBytes()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void pretouch_isGivenHolesOfAPageAllocator(Kind kind) {
    List<PageBuffer> kept = new ArrayList<>();
    try (PageAllocator holder =
        PageAllocator.builder("holder").budget(budget).capacityBytes(LIMIT_BYTES).build()) {
      leaveHoles(holder, kept);
      assertThatCode(() -> pretouch(kind, Pretouch.upTo(WANTED_BYTES))).doesNotThrowAnyException();
      leaveHoles(holder, kept);
      assertThatCode(() -> pretouch(kind, Pretouch.upTo(WANTED_BYTES).forced()))
          .doesNotThrowAnyException();
      kept.forEach(PageBuffer::close);
    }
  }

  /** They are part of what it makes resident: others give theirs, or it is refused. */
  @Test
  void pretouchOfAnAllocator_keepsItsOwnHoles() {
    List<PageBuffer> kept = new ArrayList<>();
    try (PageAllocator pages = PageAllocator.builder("wanted").budget(budget).build();
        ReservedMemory cache = ReservedMemory.reserve("cache", LIMIT_BYTES, budget)) {
      var _ = cache.commit(0, LIMIT_BYTES / 2);
      leaveHoles(pages, kept);
      assertThatThrownBy(() -> pages.pretouch(Pretouch.upTo(WANTED_BYTES)))
          .isExactlyInstanceOf(OutOfNativeMemoryError.class);
      assertThat(pages.committedBytes()).isEqualTo(LIMIT_BYTES / 2);
      kept.forEach(PageBuffer::close);
    }
  }

  /** Fills the budget and keeps one buffer of ten. */
  private static void leaveHoles(PageAllocator holder, List<PageBuffer> kept) {
    List<PageBuffer> buffers = new ArrayList<>();
    PageBuffer next = holder.tryAllocate(20_000);
    while (next != null) {
      buffers.add(next);
      next = holder.tryAllocate(20_000);
    }
    for (int i = 0; i < buffers.size(); i++) {
      if (i % 10 == 0) {
        kept.add(buffers.get(i));
      } else {
        buffers.get(i).close();
      }
    }
  }

  /** All that the budget has left; other threads of a pretouch may commit meanwhile. */
  private void fill(ReservedMemory cache) {
    try {
      var _ = cache.commit(0, budget.availableBytes());
    } catch (OutOfMemoryError e) {
      fill(cache);
    }
    isFull.set(true);
  }
}
