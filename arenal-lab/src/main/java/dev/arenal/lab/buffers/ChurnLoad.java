package dev.arenal.lab.buffers;

import dev.arenal.lab.heap.ResidentMemory;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/** One churn in this process: its threads, and this one, which looks at them. */
final class ChurnLoad {
  private static final CompilationMXBean COMPILERS = ManagementFactory.getCompilationMXBean();

  /** Enough for a smooth line. */
  static final int POINT_COUNT = 100;

  private static final long LOOK_NANOS = 500_000;

  /** So that one thread does not go on for minutes when another one has failed. */
  private static final int COUNT_BETWEEN_CHECKS = 4096;

  /** The share of live buffers that threads exchange with each other. */
  private static final double EXCHANGED_SHARE = 0.25;

  private static final int MOST_PLACES = 1 << 20;

  /** Two looks at the clock for each operation would be a tenth of what is measured. */
  private static final int TIMED_EVERY = 16;

  /** Counters of two threads do not share a line of any cache. */
  private static final int STRIDE = 32;

  private static final int DONE = 0;
  private static final int LIVE = 1;

  private final ChurnWork work;
  private final BufferPeer peer;
  private final ResidentMemory resident;
  private final long baselineBytes;
  private final ChurnThread[] threads;
  private final long[] endNanos;

  /** For each thread: operations done, and bytes taken and not freed. */
  private final AtomicLongArray counters;

  /**
   * A load that has not begun.
   *
   * @param baselineBytes what is resident without it
   */
  ChurnLoad(
      ChurnWork work, int[] sizes, BufferPeer peer, ResidentMemory resident, long baselineBytes) {
    this.work = work;
    this.peer = peer;
    this.resident = resident;
    this.baselineBytes = baselineBytes;
    this.counters = new AtomicLongArray((work.threadCount() + 1) * STRIDE);
    this.endNanos = new long[work.threadCount()];
    this.threads = new ChurnThread[work.threadCount()];
    int placeCount = placeCount(work, sizes);
    long exchangedBytes = (long) (placeCount * meanBatchBytes(sizes));
    Exchange exchange = new Exchange(placeCount, exchangedBytes);
    long targetBytes = (work.liveBytes() - exchangedBytes) / work.threadCount();
    for (int i = 0; i < threads.length; i++) {
      Seat seat = new Seat(i, work.threadCount(), work.sizes().seed());
      BufferHands hands = new BufferHands(peer, work.kind(), sizes, seat, TIMED_EVERY);
      threads[i] = new ChurnThread(peer, hands, exchange, seat, targetBytes);
    }
  }

  private static int placeCount(ChurnWork work, int[] sizes) {
    if (work.threadCount() == 1) {
      return 0;
    }
    double fitting = work.liveBytes() * EXCHANGED_SHARE / meanBatchBytes(sizes);
    return Math.clamp((long) fitting, work.threadCount(), MOST_PLACES);
  }

  private static double meanBatchBytes(int[] sizes) {
    return Arrays.stream(sizes).average().orElse(0) * Batch.BUFFER_COUNT;
  }

  /** Fills, churns, frees everything, and tells what was seen. */
  ChurnResult run() {
    List<ChurnPoint> points = new ArrayList<>();
    try (Crew crew = new Crew(peer, threads.length, this::work)) {
      crew.start();
      crew.await(); // all have filled
      points.add(new ChurnPoint(0, liveBytes(), residentBytes(), 0));
      long beforeMillis = COMPILERS.getTotalCompilationTime();
      long start = System.nanoTime();
      crew.await(); // go
      watch(crew, points, start);
      crew.await(); // all are done
      long compilerMillis = COMPILERS.getTotalCompilationTime() - beforeMillis;
      long wallNanos = Math.max(1, Arrays.stream(endNanos).max().orElse(start) - start);
      points.add(new ChurnPoint(doneCount(), liveBytes(), residentBytes(), wallNanos));
      long freedCount =
          Arrays.stream(threads).mapToLong(thread -> thread.hands().freedCount()).sum();
      crew.await(); // free
      crew.await(); // all have freed
      PeerProcess.settleJvm(work.kind());
      long keptBytes = residentBytes();
      crew.await(); // trim
      crew.await(); // all have trimmed
      Long trimmedBytes = peer.trim() ? (Long) residentBytes() : null;
      long forOthersCount =
          Arrays.stream(threads).mapToLong(ChurnThread::freedForOthersCount).sum();
      return new ChurnResult(
          work.kind(),
          peer.library(),
          work.threadCount(),
          ChurnResult.nanosPerOperation(points),
          ChurnResult.medianNanosPerOperation(points),
          points,
          keptBytes,
          trimmedBytes,
          peer.delay(),
          BufferHands.p999AllocationNanos(Arrays.stream(threads).map(ChurnThread::hands)),
          (double) forOthersCount / Math.max(1, freedCount),
          compilerMillis,
          null,
          List.of());
    }
  }

  private void work(Crew crew, int number) {
    ChurnThread thread = threads[number];
    thread.fill();
    thread.hands().forgetTimes();
    counters.setRelease(counter(number, LIVE), thread.hands().balanceBytes());
    crew.await();
    crew.await();
    churn(crew, thread, number);
    endNanos[number] = System.nanoTime();
    crew.await();
    crew.await();
    thread.freeAll();
    crew.await();
    crew.await();
    peer.trimThread();
    crew.await();
  }

  private void churn(Crew crew, ChurnThread thread, int number) {
    int doneCounter = counter(number, DONE);
    int liveCounter = counter(number, LIVE);
    long operationCount = share(number);
    for (long i = 1; i <= operationCount; i++) {
      thread.replace();
      counters.setOpaque(doneCounter, i);
      counters.setOpaque(liveCounter, thread.hands().balanceBytes());
      if (i % COUNT_BETWEEN_CHECKS == 0) {
        crew.check();
      }
    }
  }

  private long share(int number) {
    long operationCount = work.operationCount();
    long all = threads.length;
    return operationCount * (number + 1) / all - operationCount * number / all;
  }

  /** Looks every now and then whether it is time for a point, until all is done. */
  private void watch(Crew crew, List<ChurnPoint> points, long start) {
    long operationCount = work.operationCount();
    long nextPoint = 1;
    for (long done = doneCount(); done < operationCount; done = doneCount()) {
      crew.check();
      if (done >= operationCount * nextPoint / POINT_COUNT) {
        points.add(point(start));
        nextPoint = done * POINT_COUNT / operationCount + 1;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private ChurnPoint point(long start) {
    // The time first: what the kernel needs to count belongs to the next slice.
    long nanos = System.nanoTime() - start;
    return new ChurnPoint(doneCount(), liveBytes(), residentBytes(), nanos);
  }

  private long residentBytes() {
    return Math.max(0, resident.residentBytes() - baselineBytes);
  }

  private long doneCount() {
    return sum(DONE);
  }

  private long liveBytes() {
    return sum(LIVE);
  }

  private long sum(int which) {
    long sum = 0;
    for (int i = 0; i < threads.length; i++) {
      sum += counters.getAcquire(counter(i, which));
    }
    return sum;
  }

  private static int counter(int number, int which) {
    return (number + 1) * STRIDE + which;
  }
}
