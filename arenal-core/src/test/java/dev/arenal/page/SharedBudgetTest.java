package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.conformance.Contents;
import dev.arenal.memory.Budget;
import dev.arenal.stats.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Allocators that share a budget, and requests that wait for it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SharedBudgetTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  @RegisterExtension private final Allocators allocators = new Allocators();

  /** Buffers at hand keep a page each; in the allocator of another they are of use to nobody. */
  @Test
  void whatARackKeeps_goesToTheOthersOfTheBudget() {
    allocators.hasMagazines = true;
    allocators.budget = Budget.limitedTo("both", 64 * MIB);
    PageAllocator one = allocators.open();
    PageAllocator other = allocators.open();
    Random random = new Random(1);
    List<PageBuffer> buffers = new ArrayList<>();
    while (one.usedBytes() < 50 * MIB) {
      buffers.add(one.allocate(100 + random.nextInt(8000)));
    }
    Collections.shuffle(buffers, random);
    buffers.forEach(PageBuffer::close);
    assertThat(one.usedBytes()).isZero();
    assertThat(one.committedBytes()).isGreaterThan(48 * MIB);

    other.allocate(60 * MIB).close();

    assertThat(one.committedBytes()).isLessThan(4 * MIB);
  }

  /** Memory that has gone back is zero, whatever was written around it before. */
  @Test
  void pageWhoseHolesHaveGoneBack_isNotClearedAgain() {
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 256; i++) {
      PageBuffer buffer = pages.allocate(400 << 10);
      buffer.segment().fill((byte) 1);
      buffers.add(buffer);
    }
    for (int i = 0; i < buffers.size(); i += 2) {
      buffers.get(i).close();
    }
    assertThat(pages.trim()).isPositive();
    for (int i = 1; i < buffers.size(); i += 2) {
      buffers.get(i).close();
    }
    var _ = pages.trim();
    assertThat(pages.committedBytes()).isZero();
    try (PageBuffer large = pages.allocate(128 * MIB)) {
      assertThat(allocators.os.absentBytes(large.segment().address(), 128 * MIB))
          .isEqualTo(128 * MIB);
      assertThat(Contents.mismatchZero(large.segment())).isEqualTo(-1);
    }
  }

  /** A thread that waits for what is not there keeps pages from the others for a second. */
  @Test
  void requestThatCannotBeServed_holdsUpTheOthersForAMomentOnly() throws InterruptedException {
    allocators.capacityBytes = 64 * MIB;
    PageAllocator pages = allocators.open();
    PageBuffer held = pages.allocate(40 * MIB);
    StallQueue stalls = held.context.stalls();
    stalls.exclusiveNanos = LONG.toNanos();
    Thread waiting = Thread.ofPlatform().start(() -> waitFor(pages, 30 * MIB, LONG));
    Await.until(() -> pages.report().waitingThreadCount() == 1);
    assertThatThrownBy(() -> pages.allocate(10 * MIB))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining(", maxWaitMillis=0, waitingThreads=1 (close buffers, ");
    stalls.exclusiveNanos = StallQueue.EXCLUSIVE_NANOS;
    assertServedSoon(pages);
    assertThat(waiting.isAlive()).isTrue();
    held.close();
    waiting.join();
  }

  /** Many short waits, one after the other, are no better for the others than a long one. */
  @Test
  void requestThatWaitsAgainAndAgain_doesNotStopTheOthers() throws InterruptedException {
    allocators.capacityBytes = 64 * MIB;
    PageAllocator pages = allocators.open();
    PageBuffer held = pages.allocate(40 * MIB);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              while (!isOver.get()) {
                waitFor(pages, 30 * MIB, Duration.ofMillis(300));
              }
            });
    Await.until(() -> pages.report().waitingThreadCount() == 1);
    for (int i = 0; i < 3; i++) {
      assertServedSoon(pages);
      Thread.sleep(500);
    }
    isOver.set(true);
    waiting.join();
    held.close();
  }

  /** A request in the queue that fits into a hole does not wait for those before it. */
  @Test
  void requestBehindAnother_getsAHoleThatFits() throws InterruptedException {
    allocators.capacityBytes = 16 * MIB;
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    PageBuffer next;
    while ((next = pages.tryAllocate(64 << 10)) != null) {
      buffers.add(next);
    }
    Thread large = Thread.ofPlatform().start(() -> waitFor(pages, 8 * MIB, LONG));
    Await.until(() -> pages.report().waitingThreadCount() == 1);
    Thread small = Thread.ofPlatform().start(() -> pages.allocate(64 << 10, LONG).close());
    Await.until(() -> pages.report().waitingThreadCount() == 2);
    for (int i = 0; i < buffers.size(); i += 2) {
      buffers.get(i).close();
    }
    small.join();
    assertThat(large.isAlive()).isTrue();
    for (int i = 1; i < buffers.size(); i += 2) {
      buffers.get(i).close();
    }
    large.join();
  }

  @Test
  void alignedRequest_waitsToo() throws InterruptedException {
    allocators.capacityBytes = 16 * MIB;
    PageAllocator pages = allocators.open();
    PageBuffer held = pages.allocate(16 * MIB);
    AtomicLong address = new AtomicLong();
    Thread waiting =
        Thread.ofPlatform()
            .start(() -> {
              try (PageBuffer buffer = pages.allocate(MIB, 1 << 18, PageAge.LONG_LIVED, LONG)) {
                address.set(buffer.segment().address());
              }
            });
    Await.until(() -> pages.report().waitingThreadCount() == 1);
    held.close();
    waiting.join();
    assertThat(address.get()).isNotZero();
    assertThat(address.get() % (1 << 18)).isZero();
  }

  /** It could never be served, and no other thread could take a page while it waits. */
  @Test
  void requestBeyondALoweredLimit_givesUp() throws InterruptedException {
    allocators.budget = Budget.limitedTo("lowered", 256 * MIB);
    PageAllocator pages = allocators.open();
    PageBuffer held = pages.allocate(100 * MIB);
    Thread waiting = Thread.ofPlatform().start(() -> waitFor(pages, 200 * MIB, LONG));
    Await.until(() -> pages.report().waitingThreadCount() == 1);
    allocators.budget.setLimitBytes(150 * MIB);
    waiting.join(); // in less than the time limit of the test
    held.close();
    pages.allocate(MIB).close();
  }

  @Test
  void requestBeyondTheBudget_saysSo_andDoesNotWait() {
    allocators.budget = Budget.limitedTo("small", 64 * MIB);
    PageAllocator pages = allocators.open();
    assertThatThrownBy(() -> pages.allocate(100 * MIB, LONG))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining(", maxWaitMillis=0 (expected at most the limit of the budget)");
  }

  /** One range that the kernel does not take keeps no other. */
  @Test
  void lockedMemory_keepsNoOtherCommitted() {
    PageAllocator pages = allocators.open();
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      buffers.add(pages.allocate(4 * MIB));
    }
    allocators.os.refuseToTake(buffers.get(19).segment().address(), 4096);
    for (int i = 0; i < buffers.size(); i += 2) {
      buffers.get(i).close();
    }
    assertThat(pages.trim()).isEqualTo(40 * MIB);
    for (int i = 1; i < buffers.size(); i += 2) {
      buffers.get(i).close();
    }
    assertThat(pages.trim()).isGreaterThanOrEqualTo(36 * MIB);
    assertThat(pages.committedBytes()).isLessThanOrEqualTo(4 * MIB);
    allocators.os.refuseToTake(0, 0);
  }

  private static void assertServedSoon(PageAllocator pages) throws InterruptedException {
    long start = System.nanoTime();
    PageBuffer buffer = null;
    while (buffer == null) {
      buffer = pages.tryAllocate(10 * MIB);
      Thread.sleep(10);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONG.dividedBy(2));
    buffer.close();
  }

  private static void waitFor(PageAllocator pages, long sizeBytes, Duration time) {
    try {
      pages.allocate(sizeBytes, time).close();
    } catch (OutOfMemoryError e) {
      assertThat(e).hasMessageStartingWith("no room: ");
    }
  }

  /** A size that is below the limit is not what is wrong. */
  @Test
  void budgetBelowAPage_isSaidToHaveRoomForNone() {
    allocators.budget = Budget.limitedTo("little", MIB);
    PageAllocator pages = allocators.open();
    assertThatThrownBy(() -> pages.allocate(4096))
        .isInstanceOf(OutOfMemoryError.class)
        .hasMessageContaining("requestedBytes=4096, ")
        .hasMessageEndingWith(
            " (expected at most the limit of the budget, in whole pages of 2097152 bytes)");
  }
}
