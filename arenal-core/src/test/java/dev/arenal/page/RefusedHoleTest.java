package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.Errno;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.pretouch.Pretouch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holes that have gone back to the kernel, and that neither budget nor kernel give again, are in
 * the way of no memory that is there.
 */
@Timeout(60)
class RefusedHoleTest {
  @RegisterExtension final Allocators allocators = new Allocators();

  /** Of a few sizes in slots, one in ranges, and two of medium pages. */
  @ParameterizedTest
  @ValueSource(longs = {4096, 8192, 20_000, 262_144, MIB / 2, MIB})
  void underALoweredLimit_theCacheServes(long sizeBytes) {
    allocators.budget = Budget.limitedTo("lowered", 128 * MIB);
    PageAllocator pages = allocators.open();
    List<PageBuffer> others = openAroundHoles(pages, sizeBytes);
    pages.allocate(16 * MIB).close();
    allocators.budget.setLimitBytes(0);
    long cachedBytes = pages.report().cachedBytes();
    assertThat(cachedBytes).isGreaterThanOrEqualTo(16 * MIB);
    PageBuffer buffer = pages.tryAllocate(sizeBytes);
    assertThat(buffer).as(pages.report().toString()).isNotNull();
    assertThat(pages.report().cachedBytes()).isBetween(cachedBytes - 8 * MIB, cachedBytes);
    requireNonNull(buffer).close();
    others.forEach(PageBuffer::close);
  }

  /** Of cached memory nothing has to be made accessible. */
  @ParameterizedTest
  @ValueSource(longs = {4096, 8192, 20_000, 262_144, MIB / 2, MIB})
  void whereTheKernelRefuses_theCacheServes(long sizeBytes) {
    allocators.mode = CommitMode.PROTECT;
    PageAllocator pages = allocators.open();
    List<PageBuffer> others = openAroundHoles(pages, sizeBytes);
    pages.allocate(16 * MIB).close();
    allocators.os.failAlways(Call.ALLOW, Errno.ENOMEM);
    PageBuffer buffer = pages.tryAllocate(sizeBytes);
    assertThat(buffer).as(pages.report().toString()).isNotNull();
    allocators.os.succeed();
    requireNonNull(buffer).close();
    others.forEach(PageBuffer::close);
  }

  /** It would have nothing of it. */
  @Test
  void cache_staysForTheThreadThatWaits() throws InterruptedException {
    allocators.budget = Budget.limitedTo("lowered", 32 * MIB);
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      buffers.add(pages.allocate(4 * MIB));
    }
    // For 6 MiB as much is lacking as will be in the cache, in two ranges that are too short.
    allocators.budget.setLimitBytes(14 * MIB);
    StallQueue stalls = pages.state().context.stalls();
    stalls.exclusiveNanos = Duration.ofMinutes(1).toNanos(); // however long it takes
    CountDownLatch isEntered = new CountDownLatch(1);
    CountDownLatch isOver = new CountDownLatch(1);
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              Object _ =
                  stalls.await(
                      () -> {
                        isEntered.countDown();
                        return isOver.getCount() == 0 ? "served" : null;
                      },
                      Duration.ofMinutes(1).toNanos());
            });
    isEntered.await();
    buffers.get(0).close();
    buffers.get(2).close();
    assertThat(pages.tryAllocate(6 * MIB)).isNull();
    assertThat(pages.report().cachedBytes()).isEqualTo(8 * MIB);
    isOver.countDown();
    stalls.signal();
    waiting.join();
    buffers.get(1).close();
    buffers.get(3).close();
  }

  /** It comes to the cache of the other one between an attempt and the call of reclaimers. */
  @Test
  void memoryFreedElsewhereMeanwhile_isLent_whereTheBudgetWouldNotLetItComeBack() {
    allocators.budget = Budget.limitedTo("shared", 32 * MIB);
    allocators.sharesFree = true;
    PageAllocator pages = allocators.open();
    PageBuffer open = allocators.open().allocate(16 * MIB);
    allocators.budget.setLimitBytes(4 * MIB);
    PageBuffer buffer;
    try (Budget.Registration _ =
        allocators.budget.addReclaimer(_ -> {
          open.close();
          return 0;
        })) {
      buffer = pages.tryAllocate(8 * MIB);
    }
    assertThat(buffer).as(pages.report().toString()).isNotNull();
    requireNonNull(buffer).close();
  }

  /** It is in no cache before its allocator is asked. */
  @Test
  void pageThatAnotherKeepsForItsNextBuffer_isLent_alsoAboveTheLimit() {
    allocators.budget = Budget.limitedTo("shared", 32 * MIB);
    allocators.sharesFree = true;
    PageAllocator pages = allocators.open();
    PageAllocator other = allocators.open();
    other.allocate(20_000).close();
    assertThat(other.report().smallPageCount()).isEqualTo(1);
    allocators.budget.setLimitBytes(0);
    PageBuffer buffer = pages.tryAllocate(20_000);
    assertThat(buffer).as(pages.report().toString()).isNotNull();
    requireNonNull(buffer).close();
  }

  /** A floor is not lent, and a pretouch borrows nothing. */
  @Test
  void cachesThatAreEnough_goBack_alsoWhereTheyAreShared() {
    allocators.budget = Budget.limitedTo("shared", 16 * MIB);
    allocators.sharesFree = true;
    for (int i = 0; i < 2; i++) {
      var _ = allocators.open().pretouch(Pretouch.upTo(8 * MIB).forced());
    }
    PageAllocator pages = allocators.open();
    pages.allocate(16 * MIB).close();
    assertThat(pages.trim()).isEqualTo(16 * MIB);
    for (int i = 0; i < 2; i++) {
      allocators.open().allocate(8 * MIB).close();
    }
    assertThat(allocators.open().pretouch(Pretouch.upTo(16 * MIB).forced()).touchedBytes())
        .isEqualTo(16 * MIB);
  }

  /** Memory of the other one needs no budget. */
  @Test
  void requestAboveALoweredLimit_waitsForMemoryOfAnotherThatSharesIt() throws InterruptedException {
    allocators.budget = Budget.limitedTo("shared", 32 * MIB);
    allocators.sharesFree = true;
    PageAllocator pages = allocators.open();
    PageAllocator other = allocators.open();
    PageBuffer open = other.allocate(16 * MIB);
    allocators.budget.setLimitBytes(4 * MIB);
    Thread closing =
        Thread.ofPlatform()
            .daemon() // it spins for ever where the request does not wait
            .start(() -> {
              while (pages.report().waitingThreadCount() == 0) {
                Thread.onSpinWait();
              }
              open.close();
            });
    pages.allocate(8 * MIB, Duration.ofSeconds(30)).close();
    closing.join();
  }

  /** The last part of it, that is: those before it stay with the kernel as well. */
  @ParameterizedTest
  @ValueSource(longs = {64 << 10, 320 << 10})
  void holeThatTheBudgetRefuses_takesNothingOfTheBudget(long sizeBytes) {
    allocators.budget = Budget.limitedTo("lowered", 128 * MIB);
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      buffers.add(pages.allocate(sizeBytes));
    }
    buffers.get(0).close();
    buffers.get(2).close();
    assertThat(pages.trim()).isPositive();
    buffers.get(1).close(); // a committed part between two that have gone
    long committedBytes = allocators.budget.committedBytes();
    allocators.budget.setLimitBytes(committedBytes + sizeBytes);
    assertThat(pages.tryAllocate(3 * sizeBytes)).isNull();
    assertThat(allocators.budget.committedBytes()).isEqualTo(committedBytes);
    buffers.get(3).close();
  }

  /** For a moment no page has it: it is with the kernel. */
  @ParameterizedTest
  @ValueSource(longs = {8192, 262_144})
  void requestThatFindsAHoleWithTheKernel_waits(long sizeBytes) throws InterruptedException {
    allocators.capacityBytes = 8 * MIB;
    PageAllocator pages = allocators.open();
    PageBuffer large = pages.allocate(6 * MIB);
    List<PageBuffer> buffers = new ArrayList<>();
    for (PageBuffer buffer = pages.tryAllocate(sizeBytes);
        buffer != null;
        buffer = pages.tryAllocate(sizeBytes)) {
      buffers.add(buffer);
    }
    buffers.removeLast().close();
    pages.state().context.discards().mostAwaitNanos = Duration.ofMinutes(1).toNanos();
    AtomicReference<@Nullable PageBuffer> served = new AtomicReference<>();
    Thread asking = new Thread(() -> served.set(pages.tryAllocate(sizeBytes)));
    allocators.os.beforeDiscard(() -> {
      allocators.os.beforeDiscard(null);
      asking.start();
      while (asking.getState() != Thread.State.TIMED_WAITING && asking.isAlive()) {
        Thread.onSpinWait(); // until it waits, or was refused
      }
    });
    assertThat(pages.trim()).isPositive();
    asking.join();
    assertThat(served.get()).isNotNull();
    requireNonNull(served.get()).close();
    buffers.forEach(PageBuffer::close);
    large.close();
  }

  /** Every second buffer is open, and the memory of the others has gone. */
  private static List<PageBuffer> openAroundHoles(PageAllocator pages, long sizeBytes) {
    List<PageBuffer> all = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      all.add(pages.allocate(sizeBytes));
    }
    List<PageBuffer> open = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (i % 12 == 0 || i == all.size() - 1) {
        open.add(all.get(i));
      } else {
        all.get(i).close();
      }
    }
    assertThat(pages.trim()).isPositive();
    return open;
  }
}
