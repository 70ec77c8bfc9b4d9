package dev.arenal.page;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchReport;
import dev.arenal.touch.TouchNeed;
import dev.arenal.touch.TouchPiece;
import dev.arenal.touch.TouchRun;
import dev.arenal.touch.TouchSource;
import dev.arenal.touch.Toucher;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One pretouch of an allocator: of its cache first, then of its pages in use, among which what was
 * cached may be by then, and of fresh memory for the cache in the end, until so much is committed
 * as was asked for.
 */
final class PagePretouch implements TouchSource {
  /** What comes one after the other. */
  private enum Turn {
    CACHED,
    PAGES,
    FRESH,
    /** What was in pages, or on its way, when it was the turn of the cache. */
    CACHED_SINCE
  }

  private final SupplyState supply;
  private final Pretouch settings;
  private final long targetBytes;
  private final TouchedPages pages;
  private final TouchedGranules granules;

  /** Of the target; one thread at a time. */
  private long restBytes;

  private Turn turn = Turn.CACHED;

  /** What each thread has claimed in pages. */
  private final Map<Thread, TouchedPages.Span> spans = new ConcurrentHashMap<>();

  PagePretouch(
      SupplyState supply, Uncommitter uncommitter, List<LockedHeap> heaps, Pretouch settings) {
    this.supply = supply;
    this.settings = settings;
    this.targetBytes = targetBytes(supply.settings, settings);
    this.restBytes = targetBytes;
    this.pages = new TouchedPages(supply.os, heaps, settings.hugePages());
    this.granules = new TouchedGranules(supply, uncommitter, targetBytes);
  }

  /** What shall be committed at the end, in whole granules: at most the capacity. */
  private static long targetBytes(PageSettings of, Pretouch settings) {
    return Math.min(settings.mostBytes(), of.capacityBytes() & -PageSupply.GRANULE_BYTES);
  }

  private static long wholeGranules(long sizeBytes) {
    return Math.ceilDiv(sizeBytes, PageSupply.GRANULE_BYTES) * PageSupply.GRANULE_BYTES;
  }

  /**
   * Asks whether an allocator that is going to be can have the memory, and the addresses for it.
   *
   * @throws OutOfMemoryError if not
   */
  static TouchRun check(PageSettings of, Pretouch settings) {
    long freshBytes = wholeGranules(targetBytes(of, settings));
    TouchRun run = newRun(of, settings);
    if (wantsFromOthers(of.budget(), freshBytes)) {
      var _ = of.budget().reclaim(); // here, where no lock is held
    }
    run.check(need(of, freshBytes, of.capacityBytes()));
    return run;
  }

  private static TouchRun newRun(PageSettings of, Pretouch settings) {
    return new TouchRun(of.os(), settings, "allocator=" + of.name());
  }

  /** Whether it may help if others give back what they can do without. */
  private static boolean wantsFromOthers(Budget budget, long freshBytes) {
    return budget.availableBytes() < freshBytes && freshBytes <= budget.limitBytes();
  }

  private static TouchNeed need(PageSettings of, long freshBytes, long addressBytes) {
    Budget budget = of.budget();
    return new TouchNeed(
        freshBytes,
        of.commitMode() == CommitMode.PROTECT ? freshBytes : 0,
        addressBytes,
        budget.name(),
        freshBytes,
        budget.limitBytes(),
        budget.committedBytes());
  }

  /**
   * Asks, and touches.
   *
   * @throws OutOfMemoryError if it is refused
   */
  PretouchReport run() {
    TouchRun run = newRun(supply.settings, settings);
    long freshBytes = freshBytes();
    if (wantsFromOthers(supply.budget, freshBytes)) {
      var _ = supply.reclaimOthers(); // here, where no lock is held
    }
    run.check(need(supply.settings, freshBytes, 0));
    return run(run);
  }

  /** Touches, after somebody has asked. */
  PretouchReport run(TouchRun run) {
    long floorBytes = supply.raiseFloor(targetBytes);
    boolean done = false;
    keepStill(true);
    try {
      long freshBytes = freshBytes();
      PretouchReport report =
          run.run(this, freshBytes + Math.min(targetBytes, supply.committedBytes()));
      done = true;
      return report;
    } finally {
      keepStill(false);
      if (!done) {
        supply.restoreFloor(targetBytes, floorBytes);
      }
    }
  }

  /** What has huge pages is not moved before that is over. */
  private void keepStill(boolean still) {
    supply.lock.lock();
    try {
      supply.granules.addresses.keepStill(still && settings.hugePages());
    } finally {
      supply.lock.unlock();
    }
  }

  /** What has to be committed for it. */
  private long freshBytes() {
    supply.lock.lock();
    try {
      long missingBytes = targetBytes - supply.granules.addresses.committedBytes();
      long roomBytes = supply.granules.roomGranules() * PageSupply.GRANULE_BYTES;
      return Math.clamp(wholeGranules(missingBytes), 0, roomBytes);
    } finally {
      supply.lock.unlock();
    }
  }

  // ---- what there is to touch ----

  @Override
  public @Nullable TouchPiece next(long mostBytes) {
    TouchPiece piece = null;
    TouchedPages.Span span = null;
    if (turn == Turn.CACHED) {
      piece = nextCached(mostBytes);
      turn = piece == null ? Turn.PAGES : turn;
    }
    if (turn == Turn.PAGES) {
      span = restBytes > 0 ? pages.next(Math.min(mostBytes, restBytes)) : null;
      piece = span == null ? null : new TouchPiece(span.address(), span.keptBytes());
      turn = piece == null ? Turn.FRESH : turn;
    }
    if (turn == Turn.FRESH) {
      piece = granules.nextFresh(mostBytes);
      if (piece == null) {
        turn = Turn.CACHED_SINCE;
        granules.beginAgain();
      }
    }
    if (turn == Turn.CACHED_SINCE) {
      piece = nextCached(mostBytes);
    }
    if (piece != null) {
      restBytes -= piece.sizeBytes();
      takeUp(piece, span);
    }
    return piece;
  }

  private @Nullable TouchPiece nextCached(long mostBytes) {
    return restBytes > 0 ? granules.nextCached(Math.min(mostBytes, restBytes)) : null;
  }

  private void takeUp(TouchPiece piece, TouchedPages.@Nullable Span span) {
    Thread thread = Thread.currentThread();
    boolean done = false;
    try {
      if (span != null) {
        spans.put(thread, span);
      }
      supply.touching.add(thread);
      done = true;
    } finally {
      if (!done) { // the Java heap is full
        failed(piece);
      }
    }
  }

  @Override
  public int touch(TouchPiece piece, Toucher toucher) {
    TouchedPages.Span span = spans.get(Thread.currentThread());
    return span == null ? granules.touch(piece, toucher) : pages.touch(span, toucher);
  }

  @Override
  public void done(TouchPiece piece) {
    TouchedPages.Span span = spans.get(Thread.currentThread());
    if (span != null) {
      granules.noteTouched(span.address(), span.endAddress());
    }
    failed(piece);
  }

  /** What could not be touched as a whole is there as far as it is: {@link #undo} finds it. */
  @Override
  public void failed(TouchPiece piece) {
    Thread thread = Thread.currentThread();
    spans.remove(thread);
    granules.putDown(piece);
    supply.touching.remove(thread);
  }

  /** A huge page would fill holes: none there. */
  @Override
  public TouchPiece hugeRange(TouchPiece piece) {
    TouchedPages.Span span = spans.get(Thread.currentThread());
    return span != null && span.hasHoles()
        ? new TouchPiece(piece.address(), 0)
        : granules.hugeRange(piece);
  }

  @Override
  public void undo() {
    granules.undo();
  }
}
