package dev.arenal.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem.Call;
import dev.arenal.stats.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory that goes back by itself, in real time. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HousekeeperTest {
  private static final long MIB = 1 << 20;

  private final SimulatedOperatingSystem os = new SimulatedOperatingSystem();

  @AfterEach
  void nothingIsLeft() {
    os.assertNoComplaints();
    os.assertNothingMapped();
  }

  @Test
  void cachedMemory_goesBackAfterTheDelay_downToTheFloor() {
    Duration delay = Duration.ofMillis(80);
    try (PageAllocator pages = open("a", os, delay, 6 * MIB)) {
      long start = System.nanoTime();
      pages.allocate(40 * MIB, PageAge.SHORT_LIVED).close();
      long committedBytes = pages.committedBytes();
      if (System.nanoTime() - start < delay.toNanos()) { // on a busy machine it may be late
        assertThat(committedBytes).isEqualTo(40 * MIB);
      }
      Await.until(() -> pages.committedBytes() == 6 * MIB);
      pages.state().verify();
    }
  }

  @Test
  void freeMemoryInsidePagesInUse_goesBackAfterTheDelay() {
    try (PageAllocator pages = open("a", os, Duration.ofMillis(80), 0)) {
      List<PageBuffer> kept = new ArrayList<>();
      for (int i = 0; i < 80; i++) {
        PageBuffer buffer = pages.allocate(100_000, PageAge.SHORT_LIVED);
        if (i % 19 == 0) {
          kept.add(buffer);
        } else {
          buffer.close();
        }
      }
      // Of each survivor its own OS pages stay.
      long most = kept.size() * (100L << 10) + 4 * os.pageSizeBytes();
      Await.until(() -> pages.committedBytes() <= most);
      assertThat(os.callCount(Call.DISCARD)).isPositive();
      kept.forEach(PageBuffer::close);
    }
  }

  @Test
  void longDelay_keepsMemory_whileAnotherAllocatorHasAShortOne() {
    try (PageAllocator patient = open("patient", os, Duration.ofHours(1), 0);
        PageAllocator hasty = open("hasty", os, Duration.ofMillis(80), 0)) {
      patient.allocate(20 * MIB, PageAge.SHORT_LIVED).close();
      hasty.allocate(20 * MIB, PageAge.SHORT_LIVED).close();
      Await.until(() -> hasty.committedBytes() == 0);
      assertThat(patient.committedBytes()).isEqualTo(20 * MIB);
    }
  }

  /**
   * A tick that fails, for want of heap memory say, is tried again, and disturbs no other owner.
   */
  @Test
  void failingAllocator_doesNotDisturbOthers_andIsTriedAgain() {
    SimulatedOperatingSystem broken = new SimulatedOperatingSystem();
    AtomicInteger failureCount = new AtomicInteger();
    broken.beforeDiscard(() -> {
      var _ = failureCount.incrementAndGet();
      throw new OutOfMemoryError("simulated: Java heap space");
    });
    try (PageAllocator failing = open("failing", broken, Duration.ofMillis(50), 0);
        PageAllocator other = open("other", os, Duration.ofMillis(50), 0)) {
      failing.allocate(8 * MIB, PageAge.SHORT_LIVED).close();
      Await.until(() -> failureCount.get() > 1);
      other.allocate(20 * MIB, PageAge.SHORT_LIVED).close();
      Await.until(() -> other.committedBytes() == 0);
      failing.state().verify();
      assertThat(failing.committedBytes()).isEqualTo(8 * MIB);
      broken.beforeDiscard(null);
      Await.until(() -> failing.committedBytes() == 0);
    }
    broken.assertNoComplaints();
    broken.assertNothingMapped();
  }

  @Test
  void thread_isOneDaemonForAll_andEndsWithTheLastAllocator() {
    awaitThreads(0);
    for (int round = 0; round < 3; round++) {
      PageAllocator first = open("first", os, Duration.ofMillis(80), 0);
      try (PageAllocator _ = open("second", os, Duration.ofMillis(80), 0)) {
        first.close();
        List<Thread> threads = threads();
        assertThat(threads).hasSize(1);
        Thread thread = threads.getFirst();
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getContextClassLoader()).isNull();
      }
      awaitThreads(0);
    }
  }

  /** Those that other tests have lost keep the thread until they are collected. */
  private static void awaitThreads(int count) {
    Await.until(() -> {
      System.gc();
      LockSupport.parkNanos(50_000_000); // else collections take both processors from other tests
      return threads().size() == count;
    });
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("arenal-housekeeper"))
        .toList();
  }

  private static PageAllocator open(
      String name, SimulatedOperatingSystem kernel, Duration delay, long floorBytes) {
    return PageAllocator.builder(name)
        .capacityBytes(64 * MIB)
        .operatingSystem(kernel)
        .uncommitDelay(delay)
        .floorBytes(floorBytes)
        .slackPercent(1000)
        .build();
  }
}
