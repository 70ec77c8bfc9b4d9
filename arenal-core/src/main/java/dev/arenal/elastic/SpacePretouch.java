package dev.arenal.elastic;

import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.memory.Budget;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.reserve.Ledger;
import dev.arenal.supply.FreePretouch;
import dev.arenal.touch.TouchNeed;
import dev.arenal.touch.TouchRun;
import org.jspecify.annotations.Nullable;

/**
 * Runs the pretouches of a space, one at a time: checks what is needed, and makes room in the
 * budget.
 *
 * <p>A {@link ChunkPretouch} does it. Claimed memory counts as free: an arena that is refused waits
 * until it has come back, and no more is claimed meanwhile, see {@link dev.arenal.supply.Claims}.
 * Whether one is running is set under the lock of the space.
 */
final class SpacePretouch {
  /** More memory than any machine has; sums with it do not overflow. */
  private static final long LARGEST_BYTES = 1L << 60;

  private final SpaceState space;

  /** Whether one is going on. */
  volatile boolean active;

  /** The outcome of the last one, or null. */
  volatile @Nullable PretouchReport last;

  SpacePretouch(SpaceState space) {
    this.space = space;
  }

  /** The bytes that a pretouch wants of a space with such settings. */
  static long wantedBytes(SpaceSettings settings, Pretouch pretouch) {
    long mostBytes = pretouch.mostBytes();
    if (settings.isGrowable() && mostBytes == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "pretouch of a growable space has no end: space="
              + settings.name()
              + " (expected Pretouch.upTo, or a space of a fixed size)");
    }
    long granuleBytes = settings.granuleBytes();
    long wantedBytes = (Math.min(mostBytes, LARGEST_BYTES) + granuleBytes - 1) & -granuleBytes;
    return settings.isGrowable() ? wantedBytes : Math.min(wantedBytes, settings.fixedSizeBytes());
  }

  /** The same before the space is there: refuses before anything is reserved. */
  static void checkNew(SpaceSettings settings, Pretouch pretouch) {
    long wantedBytes = wantedBytes(settings, pretouch);
    long reservedBytes = settings.isGrowable() ? wantedBytes : settings.fixedSizeBytes();
    long addressBytes = reservedBytes + Chunk.ROOT_BYTES;
    Budget budget = settings.budget();
    if (budget.availableBytes() < wantedBytes) {
      var _ = Ledger.of(budget).makeRoomInHoles(budget, wantedBytes);
    }
    run(settings, pretouch).check(need(settings, wantedBytes, addressBytes));
  }

  PretouchReport run(Pretouch pretouch) {
    long wantedBytes = wantedBytes(space.settings, pretouch);
    TouchRun run = run(space.settings, pretouch);
    PretouchReport report = null;
    begin(); // nothing that needs the Java heap between this and the try
    try {
      if (space.settings.budget().availableBytes() < wantedBytes - space.committedBytes()) {
        reclaimForPretouch(wantedBytes);
      }
      run.check(need(wantedBytes));
      ChunkPretouch sweep = new ChunkPretouch(space, wantedBytes, pretouch.hugePages());
      report = sweep.run(run, space.trimmer.floor, wantedBytes);
      last = report;
      return report;
    } finally {
      active = false; // whatever has happened, or it could not be closed
      if (report == null) {
        space.trimmer.trimExcess();
      }
    }
  }

  private static TouchRun run(SpaceSettings settings, Pretouch pretouch) {
    return new TouchRun(settings.os(), pretouch, "space=" + settings.name());
  }

  private void begin() {
    space.lock.lock();
    try {
      space.requireOpen();
      space.damage.check();
      if (active) {
        throw new IllegalStateException(
            "space is being pretouched: space="
                + space.settings.name()
                + " (expected one pretouch at a time)");
      }
      active = true;
    } finally {
      space.lock.unlock();
    }
  }

  /** Has the others of the budget give back memory that they do not need; without the lock. */
  void reclaimForPretouch(long wantedBytes) {
    var _ = space.claims.awaitDiscards();
    long missingBytes = Math.max(0, wantedBytes - space.committedBytes());
    var _ = Ledger.of(space.settings.budget()).makeRoomInHoles(space, missingBytes);
  }

  private TouchNeed need(long wantedBytes) {
    space.lock.lock();
    try {
      long committedBytes = space.nodes.committedBytes();
      long newBytes = Math.max(0, wantedBytes - committedBytes);
      long unusedBytes = space.nodes.reservedBytes() - committedBytes;
      long addressBytes = newBytes > unusedBytes ? newBytes - unusedBytes + Chunk.ROOT_BYTES : 0;
      // How much committed memory is resident is unknown: the run itself looks on its way.
      return need(space.settings, newBytes, space.settings.isGrowable() ? addressBytes : 0);
    } finally {
      space.lock.unlock();
    }
  }

  private static TouchNeed need(SpaceSettings settings, long newBytes, long addressBytes) {
    return FreePretouch.need(settings.budget(), settings.commitMode(), newBytes, addressBytes);
  }
}
