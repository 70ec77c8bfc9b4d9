package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.guard.StackReserve;
import dev.arenal.memory.Budget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A close near the end of the stack is done, for threads that could not repeat it: the memory goes
 * back by another thread.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class CloseAtStackEndTest {
  private static final long MIB = 1 << 20;
  private static final long STACK_BYTES = 512 << 10;

  private final Budget budget = Budget.unlimited("stack");
  private @Nullable PageBuffer victim;
  private boolean wasThere;
  private int closedCount;

  /** Closes the buffer in the first frame on the way up that has stack enough for that. */
  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private int descend(int depth) {
    try {
      return descend(depth + 1) + 1;
    } catch (StackOverflowError e) {
      closeVictim();
      return 0;
    }
  }

  private void closeVictim() {
    PageBuffer known = victim;
    if (known != null) {
      wasThere = StackReserve.isThere();
      known.close();
      victim = null;
      closedCount++;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {64, 50_000, 300_000, MIB / 2, 3 * MIB})
  void close_isDone_andTheMemoryIsFree(long sizeBytes) throws Exception {
    try (PageAllocator pages =
        PageAllocator.builder("stack").capacityBytes(256 * MIB).budget(budget).build()) {
      // Racks are full, so that a rack has to give some back.
      List<PageBuffer> buffers = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        buffers.add(pages.allocate(sizeBytes));
      }
      PageBuffer last = pages.allocate(sizeBytes);
      buffers.forEach(PageBuffer::close);
      closeAtTheEnd(last);
      assertThat(closedCount).isEqualTo(1);
      assertThat(wasThere).as("stack for the whole reserve").isFalse();
      assertThat(pages.isDamaged()).isFalse();
      pages.assertNoOpenBuffers();
      pages.state().verify();
    }
    assertThat(budget.committedBytes()).isZero();
  }

  @Test
  void tick_takesBackWhatWasLeft() throws Exception {
    try (PageAllocator pages =
        PageAllocator.builder("stack").capacityBytes(256 * MIB).budget(budget).build()) {
      closeAtTheEnd(pages.allocate(3 * MIB));
      pages.state().tick(System.nanoTime());
      assertThat(pages.usedBytes()).isZero();
    }
  }

  private void closeAtTheEnd(PageBuffer buffer) throws Exception {
    victim = buffer;
    CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                var _ = descend(0);
                done.complete(null);
              } catch (Throwable e) {
                done.completeExceptionally(e);
              }
            },
            "stack",
            STACK_BYTES);
    thread.start();
    var _ = done.get(50, TimeUnit.SECONDS);
    thread.join();
  }
}
