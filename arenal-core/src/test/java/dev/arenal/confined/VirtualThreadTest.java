package dev.arenal.confined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.arenal.conformance.Contents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Virtual threads and the table that they share. After each test all of it is there, and zero. */
@Timeout(60)
@SuppressWarnings("ThreadPriorityCheck") // to move to another carrier
final class VirtualThreadTest {
  private static final List<Slab> SLOTS = SharedSlots.all();
  private static final List<Slab> FIRST = SharedSlots.first();

  @BeforeEach
  @AfterEach
  void allSlots_areAvailableAndZero() {
    for (Slab slot : SLOTS) {
      if (slot.hasMemory()) {
        assertThat(slot.getAcquire()).isEqualTo(Slab.AVAILABLE_TO_ALL);
        assertThat(Slabs.mismatchZero(slot)).isEqualTo(-1);
      } else {
        assertThat(slot.getAcquire()).isZero();
      }
    }
  }

  @Test
  void threadsOneAfterTheOther_useTheFirstSlotsOnly() throws Exception {
    Set<Long> addresses = new HashSet<>();
    for (int i = 0; i < 3 * FIRST.size(); i++) {
      Bodies.onVirtualThread(() -> {
        try (Arena arena = PooledArena.ofConfined()) {
          MemorySegment block = arena.allocate(100);
          assertThat(Contents.mismatch(block, (byte) 0)).isEqualTo(-1);
          assertThat(Slabs.isIn(FIRST, block)).isTrue();
          var _ = block.fill((byte) 0xff);
          addresses.add(block.address());
        }
      });
    }
    assertThat(addresses).hasSizeLessThanOrEqualTo(FIRST.size());
  }

  @Test
  void nothingOrLargeBlocksOnly_takeNoSlot() throws Exception {
    Bodies.onVirtualThread(() -> {
      try (Arena arena = PooledArena.ofConfined()) {
        var _ = arena.allocate(Pool.SLAB_BYTES + 1L);
        assertThat(SLOTS).allMatch(slot -> slot.getAcquire() >= 0);
      }
    });
  }

  @Test
  void arenaMovesToOtherCarriers_withItsSlot() throws Exception {
    AtomicInteger movedCount = new AtomicInteger();
    long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    do {
      List<Bodies.Running> threads = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        byte tag = (byte) (i + 1);
        threads.add(Bodies.startVirtual(() -> liveOnManyCarriers(tag, movedCount)));
      }
      for (Bodies.Running thread : threads) {
        thread.join();
      }
    } while (movedCount.get() < 10 && System.nanoTime() < deadline);
    assumeTrue(movedCount.get() > 0, "there is one carrier only");
  }

  private static void liveOnManyCarriers(byte tag, AtomicInteger movedCount) throws Exception {
    Set<String> carriers = new HashSet<>();
    try (Arena arena = PooledArena.ofConfined()) {
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        MemorySegment block = arena.allocate(48);
        assertThat(Contents.mismatch(block, (byte) 0)).isEqualTo(-1);
        blocks.add(block.fill(tag));
        carriers.add(carrier());
        switch (i % 3) {
          case 0 -> Thread.yield();
          case 1 -> Thread.sleep(Duration.ofNanos(1 + tag * 1000L));
          default -> LockSupport.parkNanos(10_000);
        }
        for (MemorySegment each : blocks) {
          assertThat(Contents.mismatch(each, tag)).isEqualTo(-1);
        }
      }
    }
    carriers.add(carrier());
    movedCount.addAndGet(carriers.size() - 1);
  }

  /** The text of a virtual thread names the one that runs it. */
  private static String carrier() {
    String text = Thread.currentThread().toString();
    return text.substring(text.indexOf('@') + 1);
  }

  @Test
  void moreThreadsThanFirstSlots_useTheOthers() throws Exception {
    assumeTrue(FIRST.size() < SLOTS.size(), "the first part is the whole table");
    int threadCount = Math.min(4 * FIRST.size(), SLOTS.size());

    // Their ids are consecutive, but for those of other threads that start meanwhile.
    assertThat(pooledCount(threadCount)).isBetween(threadCount * 3 / 4, threadCount);
  }

  @Test
  void moreThreadsThanSlots_goToTheJdk() throws Exception {
    assertThat(pooledCount(2 * SLOTS.size() + 10)).isBetween(SLOTS.size() / 2, SLOTS.size());
  }

  /** Opens an arena in each of so many threads at the same time. */
  private static int pooledCount(int threadCount) throws Exception {
    CountDownLatch allOpen = new CountDownLatch(threadCount);
    AtomicInteger pooledCount = new AtomicInteger();
    ConcurrentSkipListSet<Long> addresses = new ConcurrentSkipListSet<>();
    List<Bodies.Running> threads = new ArrayList<>();
    for (int i = 0; i < threadCount; i++) {
      byte tag = (byte) i;
      threads.add(
          Bodies.startVirtual(() -> {
            try (Arena arena = PooledArena.ofConfined()) {
              MemorySegment block = arena.allocate(64);
              assertThat(Contents.mismatch(block, (byte) 0)).isEqualTo(-1);
              var _ = block.fill(tag);
              pooledCount.addAndGet(Slabs.isIn(SLOTS, block) ? 1 : 0);
              addresses.add(block.address());
              allOpen.countDown();
              allOpen.await();
              assertThat(Contents.mismatch(block, tag)).isEqualTo(-1);
            } finally {
              allOpen.countDown(); // where it failed, the others need not wait
            }
          }));
    }
    for (Bodies.Running thread : threads) {
      thread.join();
    }
    assertThat(addresses).hasSize(threadCount);
    long before = 0;
    for (long address : addresses) {
      assertThat(address - before).as("distance").isGreaterThanOrEqualTo(64);
      before = address;
    }
    return pooledCount.get();
  }

  @Test
  void tenThousandThreads_comeAndGo() throws Exception {
    int threadCount = 10_000;
    AtomicInteger pooledCount = new AtomicInteger();
    List<Bodies.Running> threads = new ArrayList<>();
    for (int i = 0; i < threadCount; i++) {
      byte tag = (byte) (i | 1);
      threads.add(
          Bodies.startVirtual(() -> {
            try (Arena arena = PooledArena.ofConfined()) {
              MemorySegment first = arena.allocate(tag & 63);
              MemorySegment second = arena.allocate(200);
              assertThat(Contents.mismatch(first, (byte) 0)).isEqualTo(-1);
              assertThat(Contents.mismatch(second, (byte) 0)).isEqualTo(-1);
              var _ = first.fill(tag);
              var _ = second.fill(tag);
              if ((tag & 2) != 0) {
                Thread.yield();
              }
              assertThat(Contents.mismatch(first, tag)).isEqualTo(-1);
              assertThat(Contents.mismatch(second, tag)).isEqualTo(-1);
              pooledCount.addAndGet(Slabs.isIn(SLOTS, second) ? 1 : 0);
            }
          }));
    }
    for (Bodies.Running thread : threads) {
      thread.join();
    }
    assertThat(pooledCount.get()).isPositive();
  }

  @Test
  void slotsAreNotForPlatformThreads_norSlabsOfThoseForVirtualOnes() throws Exception {
    Bodies.onPlatformThread(() -> {
      var _ = Slabs.addressOfBlock(8);
      List<Slab> ours = Slabs.ofCurrentThread();
      try (Arena arena = PooledArena.ofConfined()) {
        assertThat(Slabs.isIn(SLOTS, arena.allocate(8))).isFalse();
      }
      for (int i = 0; i < 1100; i++) { // each place in the table of recent threads
        Bodies.onVirtualThread(() -> {
          try (Arena arena = PooledArena.ofConfined()) {
            MemorySegment block = arena.allocate(8);
            assertThat(Slabs.isIn(ours, block)).isFalse();
            assertThat(Slabs.isIn(SLOTS, block)).isTrue();
          }
        });
      }
      assertThat(SlabRegistry.find(Thread.currentThread().threadId())).isNotNull();
    });
  }

  @Test
  void nestedArenas_getFourSlotsOfEachPart_andThenTheJdk() throws Exception {
    int pooledCount = 4 * partCount();
    int arenaCount = pooledCount + 3;
    Bodies.onVirtualThread(() -> {
      List<Arena> arenas = new ArrayList<>();
      List<MemorySegment> blocks = new ArrayList<>();
      for (int i = 0; i < arenaCount; i++) {
        arenas.add(PooledArena.ofConfined());
        blocks.add(arenas.getLast().allocate(64).fill((byte) i));
      }
      assertThat(blocks.subList(0, 4)).allMatch(block -> Slabs.isIn(FIRST, block));
      assertThat(blocks.subList(0, pooledCount)).allMatch(block -> Slabs.isIn(SLOTS, block));
      assertThat(blocks.subList(pooledCount, arenaCount))
          .noneMatch(block -> Slabs.isIn(SLOTS, block));
      for (int i = 0; i < arenaCount; i++) {
        assertThat(Contents.mismatch(blocks.get(i), (byte) i)).isEqualTo(-1);
        arenas.get(i).close();
      }
    });
  }

  /** The first part, and parts that double the table. */
  private static int partCount() {
    return 1 + Integer.numberOfTrailingZeros(SLOTS.size() / FIRST.size());
  }

  @ParameterizedTest
  @CsvSource({"1,64", "2,128", "3,256", "4,256", "8,512", "16,1024", "64,1024", "4096,1024"})
  void firstPart_isAPowerOfTwoForTheCores(int cores, int slotCount) {
    assertThat(SharedSlots.firstCount(cores)).isEqualTo(slotCount);
    assertThat(SLOTS).hasSize(1024);
  }
}
