package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.ResidentMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One burst in this process: its threads, and this one, which looks at them. */
final class BurstLoad {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long BETWEEN_POINTS_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long BETWEEN_LOOKS_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final BurstWork work;
  private final BufferPeer peer;
  private final ResidentMemory resident;
  private final long baselineBytes;
  private final BurstThread[] threads;
  private final AtomicInteger countAllocated = new AtomicInteger();
  private final AtomicInteger freedCount = new AtomicInteger();

  /**
   * A load that has not begun.
   *
   * @param baselineBytes what is resident without it
   */
  BurstLoad(
      BurstWork work, int[] sizes, BufferPeer peer, ResidentMemory resident, long baselineBytes) {
    this.work = work;
    this.peer = peer;
    this.resident = resident;
    this.baselineBytes = baselineBytes;
    this.threads = new BurstThread[work.threadCount()];
    for (int i = 0; i < threads.length; i++) {
      Seat seat = new Seat(i, work.threadCount(), work.sizes().seed());
      threads[i] =
          new BurstThread(
              peer,
              new BufferHands(peer, work.kind(), sizes, seat, 1),
              work.burstBytes() / work.threadCount(),
              work.hasSurvivors());
    }
  }

  /** Allocates, frees and idles, and tells what was seen. */
  BurstResult run() {
    List<BurstPoint> points = new ArrayList<>();
    try (Crew crew = new Crew(peer, threads.length, this::work)) {
      crew.start();
      crew.await(); // all are there
      long start = System.nanoTime();
      crew.await(); // allocate
      watch(crew, points, start, () -> countAllocated.get() == threads.length);
      crew.await(); // free
      watch(crew, points, start, () -> freedCount.get() == threads.length);
      long freedNanos = System.nanoTime() - start;
      long endNanos = freedNanos + work.idle().toNanos();
      watch(crew, points, start, () -> System.nanoTime() - start >= endNanos);
      PeerProcess.settleJvm(work.kind());
      points.add(point(start));
      crew.await(); // the end of all idling: trim
      crew.await(); // all have trimmed
      Long trimmedBytes = peer.trim() ? (Long) residentBytes() : null;
      crew.await(); // free the survivors
      crew.await(); // survivors were whole
      long survivorBytes = Arrays.stream(threads).mapToLong(BurstThread::survivorBytes).sum();
      return new BurstResult(
          work.kind(),
          peer.library(),
          work.threadCount(),
          work.hasSurvivors(),
          points,
          survivorBytes,
          trimmedBytes,
          peer.delay(),
          BufferHands.p999AllocationNanos(Arrays.stream(threads).map(BurstThread::hands)),
          freedNanos / NANOS_PER_SECOND,
          List.of());
    }
  }

  private void work(Crew crew, int number) {
    BurstThread thread = threads[number];
    crew.await();
    crew.await();
    thread.allocate();
    int _ = countAllocated.incrementAndGet();
    crew.await();
    thread.freeBurst();
    int _ = freedCount.incrementAndGet();
    // Idle like the thread of a pool: alive, with whatever its allocator keeps for it.
    crew.await();
    peer.trimThread();
    crew.await();
    crew.await();
    thread.freeSurvivors();
    crew.await();
  }

  /** Looks again and again until something has happened, and once more then. */
  private void watch(Crew crew, List<BurstPoint> points, long start, BooleanSupplier happened) {
    long next = System.nanoTime();
    while (!happened.getAsBoolean()) {
      crew.check();
      if (System.nanoTime() >= next) {
        points.add(point(start));
        next = System.nanoTime() + BETWEEN_POINTS_NANOS;
      }
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
    }
    points.add(point(start));
  }

  private BurstPoint point(long start) {
    long residentBytes = residentBytes();
    return new BurstPoint((System.nanoTime() - start) / NANOS_PER_SECOND, residentBytes);
  }

  private long residentBytes() {
    return Math.max(0, resident.residentBytes() - baselineBytes);
  }
}
