package dev.arenal.page;

import static dev.arenal.page.granule.Supplies.MIB;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.guard.WatchMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Racks where threads are in each other's way: there come to be more of them, which hold a
 * sixteenth of what is used at most, and fewer when they are not needed; and a free does not wait
 * for a heap.
 */
final class CrowdedRacksTest {
  private static final int MOST_RACKS = 64;

  @RegisterExtension private final Allocators allocators = new Allocators();

  private final List<Rack> allTaken = new ArrayList<>();
  private PageAllocator pages;
  private Racks racks;
  private int firstCount;

  @BeforeEach
  void openWithRacks() {
    allocators.hasMagazines = true;
    allocators.capacityBytes = 256 * MIB;
    pages = allocators.open();
    racks = pages.state().racks;
    firstCount = racks.count();
  }

  /** Also after a failure, since the allocator is looked at then. */
  @AfterEach
  void giveAll() {
    giveAll(allTaken);
  }

  @Test
  void request_whenAllAreTaken_doublesThem_andTheyHoldAsMuchTogether() {
    PageBuffer before = allocate(100);
    long limitBytes = racks.limitBytes();
    List<Rack> taken = takeAll();
    PageBuffer buffer = allocate(100);
    assertThat(racks.count()).isEqualTo(2 * firstCount);
    assertThat(racks.limitBytes()).isEqualTo(limitBytes / 2); // of little in use
    buffer.close();
    assertThat(pages.usedBytes()).isEqualTo(100);
    giveAll(taken);
    assertThat(racks.cachedBytes()).isPositive();
    before.close();
    pages.state().verify();
  }

  /** With any number of processors, and any part of the capacity in use. */
  @ParameterizedTest
  @ValueSource(ints = {4, 16, 32, 64})
  void allTogether_holdASixteenthOfTheUsedBytesAtMost_andNoLessThanAtFirst(int first) {
    for (long capacityBytes : new long[] {64 * MIB, 1L << 30, 64L << 30}) {
      long leastBytes = Math.min(first * MIB, capacityBytes / 16);
      racks = racks(first, capacityBytes);
      assertThat(racks.limitBytes() * first).isEqualTo(leastBytes);
      while (true) {
        for (long usedBytes = 0; usedBytes <= capacityBytes; usedBytes += capacityBytes / 16) {
          racks.adapt(usedBytes);
          long times = Math.min(4, racks.count() / first);
          long sumBytes =
              Math.max(leastBytes, Math.min(times * (usedBytes / 64), capacityBytes / 16));
          assertThat(racks.limitBytes()).isEqualTo(Math.min(8 * MIB, sumBytes / racks.count()));
        }
        if (racks.count() == MOST_RACKS) {
          break;
        }
        racks.grow(racks.count());
      }
    }
  }

  /** Of an allocator, for their limits only. */
  private Racks racks(int count, long capacityBytes) {
    PageContext context = pages.state().context;
    BufferSampler sampler = new BufferSampler(WatchMode.OFF, 0, 0);
    return new Racks(context.spans(), true, sampler, capacityBytes, count);
  }

  /** A free creates nothing, so a rack that has come later has the magazines of the others. */
  @Test
  void freeOfABuffer_thatAnOlderRackGave_staysAtHandInANewOne() {
    PageBuffer old = allocate(70_000);
    List<Rack> taken = takeAll();
    allocate(100).close();
    long cachedBytes = cachedBytesFrom(firstCount);
    old.close();
    assertThat(cachedBytesFrom(firstCount) - cachedBytes).isEqualTo(Racks.rangeBytes(70_000));
    giveAll(taken);
  }

  @Test
  void request_whenAsManyAsThereMayBeAreTaken_goesToTheHeap() {
    List<Rack> taken = new ArrayList<>();
    while (racks.count() < MOST_RACKS) {
      taken.addAll(takeAll());
      allocate(100).close();
    }
    taken.addAll(takeAll());
    PageBuffer buffer = allocate(100);
    buffer.close();
    assertThat(racks.count()).isEqualTo(MOST_RACKS);
    giveAll(taken);
    pages.state().verify();
  }

  @Test
  void cycleThatNeededNoMore_halvesThem_andTheRestGivesAllBack() {
    List<Rack> taken = takeAll();
    allocate(100).close();
    giveAll(taken);
    long limitBytes = racks.limitBytes();
    assertThat(cachedBytesFrom(firstCount)).isPositive();
    racks.beginCycle(); // a thread has found none free
    assertThat(racks.count()).isEqualTo(2 * firstCount);
    racks.beginCycle();
    assertThat(racks.count()).isEqualTo(firstCount);
    assertThat(racks.limitBytes()).isEqualTo(2 * limitBytes);
    assertThat(cachedBytesFrom(firstCount, 2 * firstCount)).isZero();
    racks.beginCycle();
    assertThat(racks.count()).isEqualTo(firstCount);
  }

  @Test
  void rackThatComes_whileNothingIsKept_keepsNothing_untilTheyReopen() {
    racks.shut();
    List<Rack> taken = takeAll();
    allocate(100).close();
    assertThat(racks.count()).isEqualTo(2 * firstCount);
    assertThat(cachedBytesFrom(firstCount)).isZero();
    giveAll(taken);
    racks.reopen();
    taken = takeAll(firstCount);
    allocate(100).close();
    assertThat(cachedBytesFrom(firstCount)).isPositive();
    giveAll(taken);
  }

  /** Used bytes are read with all locks held: one more rack would not be among them. */
  @Test
  void noRackComes_whileAllAreLocked() throws Exception {
    PageBuffer open = allocate(1000);
    Rack last = racks.get(firstCount - 1);
    assertThat(last.tryLock()).isTrue();
    CompletableFuture<Long> usedBytes = new CompletableFuture<>();
    new Thread(() -> usedBytes.complete(racks.usedBytesOfAll(List.of(heapOf(open))))).start();
    while (!isEachTaken()) {
      Thread.onSpinWait();
    }
    PageBuffer other = allocate(50);
    other.close();
    assertThat(racks.count()).isEqualTo(firstCount);
    last.lock = 0;
    assertThat(usedBytes.get(60, SECONDS)).isEqualTo(1000);
    List<Rack> taken = takeAll();
    allocate(50).close();
    assertThat(racks.count()).isEqualTo(2 * firstCount);
    giveAll(taken);
    open.close();
  }

  /** The buffer is left at its heap, and the thread that has the lock frees it. */
  @Test
  void free_whenTheMagazineIsFullAndTheHeapTaken_doesNotWait() throws Exception {
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      buffers.add(allocate(8192));
    }
    LockedHeap heap = heapOf(buffers.getFirst());
    assertThat(buffers).allMatch(buffer -> heapOf(buffer).equals(heap));
    whileTaken(List.of(heap), () -> buffers.forEach(PageBuffer::close));
    assertThat(racks.cachedBytes()).isBetween(1L, 32L * 8192);
    assertThat(pages.usedBytes()).isZero();
    pages.state().verify();
    pages.trim();
    assertThat(pages.committedBytes()).isZero();
  }

  /** The thread that has the locks of the heaps may be one without a processor. */
  @ParameterizedTest
  @ValueSource(longs = {100, 8192, 70_000})
  void request_whenAllHeapsAreTaken_getsWhatAnotherRackHas(long sizeBytes) throws Exception {
    comeTo(1);
    allocate(sizeBytes).close();
    long cachedBytes = racks.get(1).cachedBytes;
    comeTo(0);
    List<PageBuffer> got = new ArrayList<>();
    whileTaken(pages.state().heaps, () -> got.add(allocate(sizeBytes)));
    assertThat(racks.get(1).cachedBytes).isLessThan(cachedBytes);
    got.getFirst().close();
    pages.state().verify();
  }

  /** One that needs no wait comes first. */
  @Test
  void request_whenItsStripeIsTaken_getsWhatAnotherHeapHas() throws Exception {
    allocators.hasMagazines = false;
    PageAllocator bare = allocators.open();
    List<PageBuffer> large = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      large.add(bare.allocate(300_000, PageAge.SHORT_LIVED));
    }
    large.remove(1).close(); // a hole for guests
    LockedHeap medium = heapOf(large.getFirst());
    List<LockedHeap> others = new ArrayList<>(bare.state().heaps);
    others.remove(medium);
    List<PageBuffer> got = new ArrayList<>();
    whileTaken(others, () -> got.add(bare.allocate(70_000, PageAge.SHORT_LIVED)));
    assertThat(heapOf(got.getFirst())).isEqualTo(medium);
    got.getFirst().close();
    large.forEach(PageBuffer::close);
    bare.state().verify();
  }

  /** Two threads that hand buffers to each other: one rack fills while the other runs empty. */
  @Test
  void requestsOfSlots_getAllThatAnotherRackHas_beforeAHeapIsAsked() throws Exception {
    comeTo(1);
    List<PageBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      buffers.add(allocate(100));
    }
    buffers.forEach(PageBuffer::close);
    long cachedBytes = racks.get(1).cachedBytes;
    comeTo(0);
    List<PageBuffer> got = new ArrayList<>();
    whileTaken(
        pages.state().heaps,
        () -> {
          for (int i = 0; i < 16; i++) {
            got.add(allocate(100));
          }
        });
    assertThat(cachedBytes - racks.get(1).cachedBytes).isEqualTo(16 * pages.roundUp(100));
    got.forEach(PageBuffer::close);
    pages.state().verify();
  }

  /** Has the calling thread go to that rack from now on. */
  private void comeTo(int index) {
    List<Rack> taken = takeAll();
    racks.get(index).lock = 0;
    taken.remove(racks.get(index));
    allocate(3_000).close();
    giveAll(taken);
    allTaken.clear();
  }

  /** Does something that would not end if it waited for one of the heaps. */
  private static void whileTaken(List<LockedHeap> heaps, Runnable work) throws Exception {
    CountDownLatch areTaken = new CountDownLatch(1);
    CountDownLatch isDone = new CountDownLatch(1);
    Thread holder =
        new Thread(() -> {
          heaps.forEach(heap -> heap.lock.lock());
          try {
            areTaken.countDown();
            isDone.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          } finally {
            heaps.forEach(heap -> heap.lock.unlock());
            heaps.forEach(LockedHeap::drainIfFree);
          }
        });
    holder.start();
    areTaken.await();
    try {
      work.run();
    } finally {
      isDone.countDown();
      holder.join();
    }
  }

  private PageBuffer allocate(long sizeBytes) {
    return pages.allocate(sizeBytes, PageAge.SHORT_LIVED);
  }

  private static LockedHeap heapOf(PageBuffer buffer) {
    return LockedHeap.of(buffer.span());
  }

  private List<Rack> takeAll() {
    return takeAll(racks.count());
  }

  private List<Rack> takeAll(int count) {
    List<Rack> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Rack rack = racks.get(i);
      if (rack.tryLock()) {
        taken.add(rack);
        allTaken.add(rack);
      }
    }
    return taken;
  }

  private static void giveAll(List<Rack> taken) {
    taken.forEach(rack -> rack.lock = 0);
    taken.clear();
  }

  private boolean isEachTaken() {
    for (int i = 0; i < firstCount; i++) {
      if (racks.get(i).lock == 0) {
        return false;
      }
    }
    return true;
  }

  private long cachedBytesFrom(int first) {
    return cachedBytesFrom(first, racks.count());
  }

  private long cachedBytesFrom(int first, int end) {
    long sumBytes = 0;
    for (int i = first; i < end; i++) {
      sumBytes += racks.get(i).cachedBytes;
    }
    return sumBytes;
  }
}
