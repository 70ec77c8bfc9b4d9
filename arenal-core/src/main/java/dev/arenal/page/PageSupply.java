package dev.arenal.page;

import dev.arenal.memory.CommitMode;
import dev.arenal.memory.DeadRanges;
import dev.arenal.memory.Reservation;
import dev.arenal.memory.ReserveFailedException;
import dev.arenal.stats.StatisticsRecorder;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Temporary. */
final class PageSupply {
  static final long GRANULE_BYTES = 2 << 20;
  private final PageSettings settings;
  private final Reservation reservation;
  private long next;
  private long used;
  private long discarded;
  private final Map<Long, ArrayDeque<PageMemory>> cache = new HashMap<>();

  PageSupply(PageSettings settings, StatisticsRecorder statistics) {
    this.settings = settings;
    try {
      reservation =
          Reservation.reserve(
              settings.os(),
              settings.capacityBytes() * 4,
              GRANULE_BYTES,
              GRANULE_BYTES,
              CommitMode.DISCARD,
              settings.budget());
    } catch (ReserveFailedException e) {
      throw new OutOfMemoryError("x");
    }
  }

  synchronized @Nullable PageMemory tryTake(PageKind kind, long sizeBytes, int owner) {
    if (used + sizeBytes > settings.capacityBytes()) {
      return null;
    }
    used += sizeBytes;
    ArrayDeque<PageMemory> list = cache.get(sizeBytes);
    if (list != null && !list.isEmpty()) {
      return list.pop();
    }
    long at = next;
    next += sizeBytes;
    return new PageMemory(reservation.baseAddress() + at, sizeBytes, true);
  }

  @Nullable PageMemory tryTakeCached(PageKind kind, long leastBytes, long mostBytes, int owner) {
    return null;
  }

  synchronized void giveBack(PageMemory page, int owner) {
    used -= page.sizeBytes;
    cache
        .computeIfAbsent(page.sizeBytes, x -> new ArrayDeque<>())
        .push(new PageMemory(page.address, page.sizeBytes, false));
  }

  void undo(PageMemory page) {
    giveBack(page, 0);
  }

  long discard(DeadRanges ranges) {
    long bytes = ranges.giveBack(settings.os(), CommitMode.DISCARD);
    discarded += bytes;
    return bytes;
  }

  boolean recommit(long address, long sizeBytes) {
    discarded -= sizeBytes;
    return true;
  }

  void giveBackPartly(PageMemory page, int owner, DeadRanges stillDiscarded) {
    discarded -= stillDiscarded.totalBytes();
    giveBack(page, owner);
  }

  synchronized long trim() {
    long bytes = 0;
    for (ArrayDeque<PageMemory> list : cache.values()) {
      for (PageMemory page : list) {
        DeadRanges ranges = new DeadRanges();
        ranges.add(page.address, page.sizeBytes);
        bytes += ranges.giveBack(settings.os(), CommitMode.DISCARD);
      }
    }
    return bytes;
  }

  void tick(long nowNanos) {}

  long usedBytes() {
    return used;
  }

  long committedBytes() {
    return next - discarded;
  }

  long cachedBytes() {
    return next - used;
  }

  void close() {
    var _ = reservation.release();
  }

  void verify() {}
}
