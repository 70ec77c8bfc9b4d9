package dev.arenal.page.granule;

import static dev.arenal.page.granule.Supplies.MIB;

import dev.arenal.os.NativeMemory;
import dev.arenal.reserve.Ledger;
import dev.arenal.supply.Claim;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Runs a program of page operations against a supply and a naive oracle: a list of pages with a
 * word in every block of 64 KiB, and which of these blocks are discarded.
 */
final class SupplyRunner {
  private static final long BLOCK = 64 << 10;

  private final Supplies supplies;
  private final SupplyConfig config;
  private final PageSupply supply;
  private final boolean mayFail;
  private final List<Held> pages = new ArrayList<>();
  private long externalBytes;
  private long nowNanos;
  private long nextStamp = 1;

  private static final class Held {
    final PageMemory page;
    final MemorySegment memory;
    final BitSet discarded = new BitSet();
    long stamp;

    Held(PageMemory page) {
      this.page = page;
      this.memory = NativeMemory.segment(page.address, page.sizeBytes);
    }

    int blockCount() {
      return (int) (page.sizeBytes / BLOCK);
    }

    long word(int block) {
      return memory.get(ValueLayout.JAVA_LONG, block * BLOCK);
    }

    void stamp(int block) {
      memory.set(ValueLayout.JAVA_LONG, block * BLOCK, stamp);
      memory.set(ValueLayout.JAVA_LONG, (block + 1) * BLOCK - 8, stamp);
    }
  }

  SupplyRunner(Supplies supplies, SupplyConfig config, boolean mayFail) {
    this.supplies = supplies;
    this.config = config;
    this.mayFail = mayFail;
    config.apply(supplies);
    this.supply = supplies.open();
  }

  SupplyStatistics statistics() {
    return supply.statistics();
  }

  void run(List<SupplyOp> ops) {
    for (int i = 0; i < ops.size(); i++) {
      try {
        run(ops.get(i));
        supply.verify();
        checkFigures();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("step " + i + ", " + ops.get(i) + ": " + e.getMessage(), e);
      }
    }
  }

  private void run(SupplyOp op) {
    long granule = PageSupply.GRANULE_BYTES;
    switch (op.kind()) {
      case TAKE_SMALL -> take(PageKind.SMALL, granule, op.b());
      case TAKE_MEDIUM -> take(PageKind.MEDIUM, granule << (1 + op.a() % 4), op.b());
      case TAKE_LARGE -> take(PageKind.LARGE, granule * (1 + op.a() % 20), op.b());
      case TAKE_CACHED -> takeCached(granule << op.a() % 3, granule << (1 + op.b() % 4));
      case GIVE_BACK -> {
        if (!pages.isEmpty()) {
          giveBack(pages.remove(op.a() % pages.size()), op.b() % 3);
        }
      }
      case UNDO -> undo();
      case DISCARD -> discard(op.a(), op.b());
      case RECOMMIT -> recommit(op.a());
      case TICK -> {
        nowNanos += op.a() * 1_000_000L;
        supply.tick(nowNanos);
      }
      case TRIM -> {
        long bytes = supply.trim();
        check(mayFail || supply.figures().cachedBytes() == 0, "cached after trim: " + bytes);
      }
      case EXTERNAL -> external(op.a() * MIB / 20);
    }
  }

  // ---- pages ----

  private void take(PageKind kind, long sizeBytes, int owner) {
    SupplyFigures before = supply.figures();
    long live = before.committedBytes() - before.cachedBytes();
    PageMemory page = supply.tryTake(kind, sizeBytes, owner % 3);
    boolean expected =
        before.usedBytes() + sizeBytes <= before.capacityBytes()
            && before.largestPlaceBytes() >= sizeBytes
            && live + externalBytes + sizeBytes <= supplies.budget.limitBytes();
    if (page == null) {
      check(!expected || mayFail, "refused for no reason: " + before);
      return;
    }
    // Memory that the kernel refused to take back before may have gone now.
    check(expected || mayFail, "given beyond the limits: " + before);
    check(page.sizeBytes == sizeBytes, "size differs: " + page);
    hold(page);
  }

  private void takeCached(long leastBytes, long mostBytes) {
    SupplyFigures before = supply.figures();
    PageMemory page = supply.tryTakeCached(PageKind.MEDIUM, leastBytes, mostBytes, 0);
    if (page == null) {
      return;
    }
    check(page.sizeBytes >= leastBytes && page.sizeBytes <= mostBytes, "size is out of range");
    check(Long.bitCount(page.sizeBytes) == 1, "size is no power of two: " + page);
    check(
        supply.figures().cachedBytes() == before.cachedBytes() - page.sizeBytes,
        "not from the cache: " + page);
    hold(page);
  }

  private void hold(PageMemory page) {
    for (Held other : pages) {
      check(
          page.address >= other.page.address + other.page.sizeBytes
              || page.address + page.sizeBytes <= other.page.address,
          "pages overlap: " + page + ", " + other.page);
    }
    Held held = new Held(page);
    held.stamp = nextStamp++;
    for (int block = 0; block < held.blockCount(); block++) {
      check(!page.isZero || held.word(block) == 0, "not zero: block=" + block + ", " + page);
      held.stamp(block);
    }
    pages.add(held);
  }

  private void giveBack(Held held, int owner) {
    checkContents(held);
    supply.giveBack(held.page, owner);
    SupplyFigures figures = supply.figures();
    check(
        config.delayMillis() > 0
            || mayFail
            || figures.cachedBytes() == 0
            || figures.committedBytes() < supply.floorBytes() + PageSupply.GRANULE_BYTES,
        "cached without a delay: " + figures);
  }

  private void undo() {
    PageMemory page = supply.tryTake(PageKind.MEDIUM, 2 * PageSupply.GRANULE_BYTES, 0);
    if (page != null) {
      supply.undo(page);
    }
  }

  private static void checkContents(Held held) {
    for (int block = 0; block < held.blockCount(); block++) {
      if (!held.discarded.get(block)) {
        long last = held.memory.get(ValueLayout.JAVA_LONG, (block + 1) * BLOCK - 8);
        check(
            held.word(block) == held.stamp && last == held.stamp,
            "contents are gone: block=" + block + ", " + held.page);
      }
    }
  }

  // ---- parts of pages ----

  private void discard(int which, int where) {
    if (pages.isEmpty()) {
      return;
    }
    Held held = pages.get(which % pages.size());
    int from = where % held.blockCount();
    int to = Math.min(held.blockCount(), from + 1 + where % 45);
    Claim ranges = new Claim();
    BitSet wanted = new BitSet();
    for (int block = from; block < to; block++) {
      if (!held.discarded.get(block)) {
        wanted.set(block);
        ranges.add(held.page.address + block * BLOCK, BLOCK);
      }
    }
    long bytes = supply.discard(ranges);
    check(mayFail || bytes == ranges.totalBytes(), "not all discarded: " + bytes);
    for (int block = wanted.nextSetBit(0); block >= 0; block = wanted.nextSetBit(block + 1)) {
      if (isGone(ranges, held.page.address + block * BLOCK)) {
        held.discarded.set(block);
        bytes -= BLOCK;
      } else {
        held.stamp(block); // the kernel may have done some of it
      }
    }
    check(bytes == 0, "another number of bytes was discarded: " + bytes);
  }

  /** A range that is refused keeps none of the others. */
  private static boolean isGone(Claim ranges, long address) {
    int range = 0;
    while (address < ranges.address(range)
        || address >= ranges.address(range) + ranges.sizeBytes(range)) {
      range++;
    }
    return ranges.isGone(range);
  }

  private void recommit(int which) {
    if (pages.isEmpty()) {
      return;
    }
    Held held = pages.get(which % pages.size());
    int from = held.discarded.nextSetBit(0);
    if (from < 0) {
      return;
    }
    int to = Math.min(held.blockCount(), held.discarded.nextClearBit(from) + 2);
    SupplyFigures before = supply.figures();
    long live = before.committedBytes() - before.cachedBytes();
    long wantedBytes = held.discarded.get(from, to).cardinality() * BLOCK;
    boolean expected = live + externalBytes + wantedBytes <= supplies.budget.limitBytes();
    if (!supply.recommit(held.page.address + from * BLOCK, (to - from) * BLOCK)) {
      check(!expected || mayFail, "recommit refused for no reason: " + before);
      return;
    }
    check(expected || mayFail, "recommitted beyond the budget: " + before);
    for (int block = from; block < to; block++) {
      long word = held.discarded.get(block) ? 0 : held.stamp;
      check(held.word(block) == word, "wrong contents after recommit: block=" + block);
      held.stamp(block);
    }
    held.discarded.clear(from, to);
  }

  /** Another user of the budget, which has this much of it. */
  private void external(long sizeBytes) {
    Ledger.of(supplies.budget).uncommit(externalBytes);
    externalBytes = Ledger.of(supplies.budget).tryCommit(sizeBytes) ? sizeBytes : 0;
  }

  // ---- the end ----

  /** Gives everything back and checks that all of it can be had again. */
  void finish() {
    external(0);
    pages.forEach(held -> giveBack(held, 0));
    pages.clear();
    supply.verify();
    SupplyFigures end = supply.figures();
    check(end.usedBytes() == 0, "used at the end: " + end);
    long sizeBytes =
        Math.min(
            Math.min(end.capacityBytes(), end.largestPlaceBytes()),
            supplies.budget.limitBytes() & -PageSupply.GRANULE_BYTES);
    if (sizeBytes > 0) {
      PageMemory all = supply.tryTake(PageKind.LARGE, sizeBytes, 0);
      if (all == null && mayFail) {
        var _ = supply.trim(); // what the kernel would not take back fills the budget: now it does
        all = supply.tryTake(PageKind.LARGE, sizeBytes, 0);
      }
      if (all == null) {
        throw new AssertionError("not all can be had in the end: " + end);
      }
      supply.giveBack(all, 0);
    }
    var _ = supply.trim();
    check(supply.figures().committedBytes() == 0, "committed in the end: " + supply.figures());
  }

  private void checkFigures() {
    SupplyFigures figures = supply.figures();
    long usedBytes = 0;
    long discardedBytes = 0;
    for (Held held : pages) {
      usedBytes += held.page.sizeBytes;
      discardedBytes += held.discarded.cardinality() * BLOCK;
    }
    check(figures.usedBytes() == usedBytes, "used bytes differ: " + usedBytes + ", " + figures);
    long committedBytes = usedBytes - discardedBytes + figures.cachedBytes();
    // Memory that the kernel refuses to take back is committed, and cannot always be cached.
    check(
        figures.committedBytes() == committedBytes
            || (mayFail && figures.committedBytes() > committedBytes),
        "committed bytes differ: " + committedBytes + ", " + figures);
    check(
        supplies.budget.committedBytes() == figures.committedBytes() + externalBytes,
        "budget differs: " + supplies.budget + ", " + figures);
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
