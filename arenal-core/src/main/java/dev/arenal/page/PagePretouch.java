package dev.arenal.page;

import static java.util.Objects.requireNonNull;

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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One pretouch of an allocator: of its cache first, then of its pages in use, among which what was
 * cached may be by then, and of fresh memory for the cache in the end, until so much is committed
 * as was asked for.
 */
final class PagePretouch implements TouchSource {
  /** How a piece is touched depends on what it was when it was its turn. */
  @FunctionalInterface
  private interface Owner {
    int touch(TouchPiece piece, Toucher toucher);
  }

  /** A piece, which a thread claims, touches and puts down again. */
  private record Hand(TouchPiece piece, Owner owner) {}

  private final SupplyState supply;
  private final Pretouch settings;
  private final long targetBytes;
  private final TouchedPages pages;
  private final TouchedGranules granules;

  /** Of what was committed before; one thread at a time. */
  private long restBytes;

  private boolean isCacheDone;

  /** What each thread has claimed last. */
  private final Map<Thread, Hand> hands = new ConcurrentHashMap<>();

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
    reclaimFor(of.budget(), freshBytes);
    run.check(need(of, freshBytes, of.capacityBytes()));
    return run;
  }

  private static TouchRun newRun(PageSettings of, Pretouch settings) {
    return new TouchRun(of.os(), settings, "allocator=" + of.name());
  }

  /** Has others give back what they can do without, if that may help. */
  private static void reclaimFor(Budget budget, long freshBytes) {
    if (budget.availableBytes() < freshBytes && freshBytes <= budget.limitBytes()) {
      var _ = budget.reclaim(); // here, where no lock is held
    }
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
  PretouchReport run(LongSupplier ownReclaimer) {
    TouchRun run = newRun(supply.settings, settings);
    long freshBytes = freshBytes();
    // What its own cache gives up would be missing.
    supply.budget.removeReclaimer(ownReclaimer);
    try {
      reclaimFor(supply.budget, freshBytes);
    } finally {
      supply.budget.addReclaimer(ownReclaimer);
    }
    run.check(need(supply.settings, freshBytes, 0));
    return run(run);
  }

  /** Touches, after somebody has asked. */
  PretouchReport run(TouchRun run) {
    long floorBytes = supply.raiseFloor(targetBytes);
    boolean done = false;
    try {
      long freshBytes = freshBytes();
      PretouchReport report =
          run.run(this, freshBytes + Math.min(targetBytes, supply.committedBytes()));
      done = true;
      return report;
    } finally {
      if (!done) {
        supply.restoreFloor(targetBytes, floorBytes);
      }
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
    Owner owner = granules::touchCached;
    TouchPiece piece =
        restBytes > 0 && !isCacheDone ? granules.nextCached(leftOf(mostBytes)) : null;
    if (piece == null && restBytes > 0) {
      isCacheDone = true;
      piece = pages.next(leftOf(mostBytes));
      LockedHeap heap = piece == null ? null : pages.heap();
      owner = (part, toucher) -> heap == null ? 0 : pages.touch(heap, part, toucher);
    }
    // Once it is the turn of fresh memory, what is cached and in pages has just been touched.
    restBytes -= piece == null ? restBytes : piece.sizeBytes();
    if (piece == null) {
      piece = granules.nextFresh(mostBytes);
      owner = granules::touchFresh;
    }
    if (piece != null) {
      Thread thread = Thread.currentThread();
      hands.put(thread, new Hand(piece, owner));
      supply.touching.add(thread);
    }
    return piece;
  }

  private long leftOf(long mostBytes) {
    return Math.min(mostBytes, restBytes);
  }

  @Override
  public int touch(TouchPiece piece, Toucher toucher) {
    Hand hand = requireNonNull(hands.get(Thread.currentThread()), "hand");
    return hand.owner.touch(piece, toucher);
  }

  @Override
  public void done(TouchPiece piece) {
    putDown();
  }

  @Override
  public void failed(TouchPiece piece) {
    putDown();
  }

  /** What could not be touched as a whole is there as far as it is: {@link #undo} finds it. */
  private void putDown() {
    Thread thread = Thread.currentThread();
    Hand hand = hands.remove(thread);
    if (hand != null) {
      granules.putDown(hand.piece);
    }
    supply.touching.remove(thread);
  }

  @Override
  public TouchPiece hugeRange(TouchPiece piece) {
    return granules.hugeRange(piece);
  }

  @Override
  public void undo() {
    granules.undo();
  }
}
