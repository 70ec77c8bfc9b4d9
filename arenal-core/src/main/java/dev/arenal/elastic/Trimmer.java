package dev.arenal.elastic;

import dev.arenal.memory.DeadRanges;
import dev.arenal.memory.Reservation;
import java.lang.ref.WeakReference;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Gives the memory of free chunks back to the kernel, down to the reserve.
 *
 * <p>Largest chunks first, many ranges a call, and the call outside the lock: chunks on the way are
 * neither free nor anybody's (their bytes are {@code inTransitBytes}), so that nobody takes them
 * while their contents vanish. With a delay, only what has been free all through one delay goes
 * back: the least that was free in it, as in ZGC's uncommit since JDK 25.
 */
final class Trimmer {
  /** Trimming stops a quarter below the reserve, so that it is not called for every small arena. */
  private static final int SLACK_FRACTION = 4;

  /** Ranges a call; the kernel takes 1024 at once. */
  private static final int MAX_RANGES = 1024;

  private final SpaceState space;
  private long inTransitBytes;

  /** The least that was free and committed since the last tick. Guarded by the lock. */
  private long lowWarmBytes;

  private boolean scheduled;

  Trimmer(SpaceState space) {
    this.space = space;
  }

  /** Committed bytes in chunks that are on their way to the kernel; under the lock. */
  long inTransitBytes() {
    return inTransitBytes;
  }

  /** Called when chunks have become free, without the lock. */
  void afterRelease() {
    if (space.settings.reclaimPolicy() == ReclaimPolicy.NONE) {
      return;
    }
    long reserveBytes = space.settings.reserveBytes();
    boolean trimNow;
    space.lock.lock();
    try {
      long warmBytes = space.chunks.warmBytes();
      trimNow = warmBytes > reserveBytes && space.settings.uncommitDelay().isZero();
      if (!trimNow && warmBytes > reserveBytes && !scheduled) {
        scheduled = true;
        lowWarmBytes = warmBytes;
        Ticker.schedule(this);
      }
    } finally {
      space.lock.unlock();
    }
    if (trimNow) {
      var _ = trim(reserveBytes - reserveBytes / SLACK_FRACTION);
    }
  }

  /** Called when free chunks have been taken; under the lock. */
  void noteTaken() {
    if (scheduled) {
      lowWarmBytes = Math.min(lowWarmBytes, space.chunks.warmBytes());
    }
  }

  /**
   * Gives back free committed memory down to {@code keepBytes}.
   *
   * @return bytes given back
   */
  long trim(long keepBytes) {
    long doneBytes = 0;
    while (true) {
      Batch batch = new Batch();
      space.lock.lock();
      try {
        if (!space.isOpenForTrim() || space.chunks.warmBytes() <= keepBytes) {
          return doneBytes;
        }
        select(space.chunks.warmBytes() - keepBytes, batch);
        inTransitBytes += batch.committedBytes;
      } finally {
        space.lock.unlock();
      }
      long bytes = 0;
      try {
        bytes = batch.ranges.giveBack(space.settings.os(), space.settings.commitMode());
      } finally {
        putBack(batch, bytes);
      }
      doneBytes += bytes;
      if (bytes < batch.ranges.totalBytes()) {
        return doneBytes; // the kernel refuses: trying again at once would not help
      }
    }
  }

  private void select(long excessBytes, Batch batch) {
    long restBytes = excessBytes;
    while (restBytes > 0 && batch.ranges.count() < MAX_RANGES) {
      long handle = space.chunks.takeWarmest();
      if (handle == Chunk.NONE) {
        return;
      }
      long committedBytes = space.committedBytes(handle);
      batch.chunks.add(handle);
      batch.committedBytes += committedBytes;
      Node node = space.nodes.ofRoot(Chunk.root(handle));
      long offsetBytes = node.offsetBytes(handle);
      long end = offsetBytes + Chunk.sizeBytes(Chunk.level(handle));
      long keepBytes = Math.max(0, committedBytes - space.alignToGranule(restBytes));
      long from = node.reservation.nextCommitted(offsetBytes, end);
      while (from < end) {
        long to = node.reservation.nextUncommitted(from, end);
        long keptBytes = Math.min(keepBytes, to - from);
        keepBytes -= keptBytes;
        if (to - from > keptBytes) {
          batch.add(node.reservation, from + keptBytes, to - from - keptBytes);
          restBytes -= to - from - keptBytes;
        }
        from = node.reservation.nextCommitted(to, end);
      }
    }
  }

  private void putBack(Batch batch, long doneBytes) {
    space.lock.lock();
    try {
      inTransitBytes -= batch.committedBytes;
      batch.noteUncommitted(doneBytes);
      space.counters.uncommits += batch.chunks.count();
      space.counters.uncommitsFailed += doneBytes < batch.ranges.totalBytes() ? 1 : 0;
      for (int i = 0; i < batch.chunks.count(); i++) {
        space.chunks.putBack(batch.chunks.get(i));
      }
      space.returned.signalAll();
    } finally {
      space.lock.unlock();
    }
  }

  /** One delay has passed. */
  private void tick() {
    long keepBytes;
    space.lock.lock();
    try {
      long warmBytes = space.chunks.warmBytes();
      long idleBytes = Math.min(lowWarmBytes, warmBytes);
      keepBytes = Math.max(space.settings.reserveBytes(), warmBytes - idleBytes);
    } finally {
      space.lock.unlock();
    }
    var _ = trim(keepBytes);
    space.lock.lock();
    try {
      lowWarmBytes = space.chunks.warmBytes();
      scheduled = lowWarmBytes > space.settings.reserveBytes() && space.isOpenForTrim();
      if (scheduled) {
        Ticker.schedule(this);
      }
    } finally {
      space.lock.unlock();
    }
  }

  /** What goes back in one call. */
  private static final class Batch {
    final ChunkList chunks = new ChunkList();
    final DeadRanges ranges = new DeadRanges();
    private final java.util.ArrayList<Run> runs = new java.util.ArrayList<>();
    long committedBytes;

    void add(Reservation reservation, long offsetBytes, long sizeBytes) {
      ranges.add(reservation.baseAddress() + offsetBytes, sizeBytes);
      runs.add(new Run(reservation, offsetBytes, sizeBytes));
    }

    void noteUncommitted(long doneBytes) {
      long restBytes = doneBytes;
      for (Run run : runs) {
        restBytes -= run.sizeBytes;
        if (restBytes < 0) {
          return;
        }
        var _ = run.reservation.uncommitted(run.offsetBytes, run.sizeBytes);
      }
    }

    private record Run(Reservation reservation, long offsetBytes, long sizeBytes) {}
  }

  /** The one thread that ticks for all spaces that have a delay. Does not keep a space alive. */
  private static final class Ticker {
    private static final ScheduledExecutorService EXECUTOR =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("arenal-uncommit").factory());

    static void schedule(Trimmer trimmer) {
      WeakReference<Trimmer> reference = new WeakReference<>(trimmer);
      var _ =
          EXECUTOR.schedule(
              () -> {
                Trimmer alive = reference.get();
                if (alive != null) {
                  alive.tick();
                }
              },
              trimmer.space.settings.uncommitDelay().toNanos(),
              TimeUnit.NANOSECONDS);
    }
  }
}
