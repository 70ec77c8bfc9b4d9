package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.memory.CommitMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The end of an allocator while a thread allocates, and memory that the floor keeps committed. */
@Timeout(60)
final class CloseAndFloorTest {
  private static final Executor OWN_THREAD = task -> Thread.ofPlatform().daemon().start(task);

  @RegisterExtension final Allocators allocators = new Allocators();

  @Test
  void close_waitsForAPageThatIsBeingPutTogether() throws InterruptedException {
    allocators.mode = CommitMode.PROTECT;
    CountDownLatch inKernel = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    allocators.os.beforeAllow(() -> {
      inKernel.countDown();
      await(goOn);
    });
    PageAllocator pages = allocators.open();
    CompletableFuture<PageBuffer> late =
        CompletableFuture.supplyAsync(
            () -> pages.tryAllocate(40 * MIB, PageAge.SHORT_LIVED), OWN_THREAD);
    inKernel.await();
    CompletableFuture<Void> closing = CompletableFuture.runAsync(pages::close, OWN_THREAD);
    while (!pages.state().isClosed) {
      Thread.sleep(1);
    }
    assertThat(closing.isDone()).isFalse();
    goOn.countDown();
    assertThatThrownBy(late::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessage("allocator is closed: allocator=test");
    closing.join();
    allocators.os.assertNothingMapped();
  }

  @Test
  void belowTheFloor_nothingGoesBackByItself() {
    allocators.floorBytes = 64 * MIB;
    allocators.pretouchBytes = 64 * MIB;
    allocators.slackPercent = 0;
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      buffers.add(pages.allocate(200_000, PageAge.SHORT_LIVED));
    }
    for (int i = 0; i < 300; i++) {
      if (i % 10 != 0) {
        buffers.get(i).close();
      }
    }
    for (int i = 0; i < 3; i++) {
      allocators.pass(pages, Duration.ofSeconds(30));
      assertThat(pages.committedBytes()).isEqualTo(64 * MIB);
    }
    for (int i = 0; i < 300; i += 10) {
      buffers.get(i).close();
    }
  }

  /** The rest of the current medium page, above its top, is free as well. */
  @Test
  void restOfAPage_inWhichNothingIsAllocated_goesBackAfterTheDelay() {
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      buffers.add(pages.allocate(300_000, PageAge.SHORT_LIVED));
      allocators.pass(pages, Duration.ofSeconds(8));
      assertThat(pages.committedBytes()).isEqualTo(2 * MIB);
    }
    buffers.removeLast().close(); // nothing comes there
    allocators.pass(pages, Duration.ofSeconds(30));
    assertThat(pages.committedBytes()).isLessThan(3 * MIB / 2);
    buffers.forEach(PageBuffer::close);
  }

  @Test
  void aboveTheFloor_holesGoBackAfterTheDelay() {
    allocators.floorBytes = 16 * MIB;
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      buffers.add(pages.allocate(200_000, PageAge.SHORT_LIVED));
    }
    for (int i = 0; i < 300; i++) {
      if (i % 10 != 0) {
        buffers.get(i).close();
      }
    }
    allocators.pass(pages, Duration.ofSeconds(60));
    assertThat(pages.committedBytes()).isBetween(16 * MIB, 17 * MIB);
    for (int i = 0; i < 300; i += 10) {
      buffers.get(i).close();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
