package dev.arenal.elastic;

import dev.arenal.conformance.Contents;
import dev.arenal.elastic.chunk.Chunk;
import dev.arenal.memory.Budget;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import dev.arenal.pretouch.PretouchReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * Runs a {@link Program} and compares the library with a naive oracle at every step: blocks do not
 * overlap, are aligned, zero when handed out and keep what was written; used bytes are exact;
 * limits are never exceeded; what is refused changes nothing; at the end everything is returned.
 */
final class ProgramRunner {
  private static final List<ArenaGrowth> GROWTHS = List.of(ArenaGrowth.values());
  private static final long MAX_LIVE_BYTES = 256L << 20;

  private final Program program;
  private final Allocator allocator;
  private final int verifyEvery;

  /** With a kernel that refuses at will any allocation may fail. */
  private final boolean mayFail;

  final SimulatedOperatingSystem os;
  private final List<ElasticSpace> spaces;
  private final Budget budget;
  private final List<OracleArena> open = new ArrayList<>();
  private final TreeMap<Long, OracleArena.Block> live = new TreeMap<>();
  private long liveBytes;
  private int tagCount;
  private int step;

  /** Allocations that were refused so far. */
  int refusalCount;

  /** How blocks come from an arena: as they are, or damaged, for canaries. */
  @FunctionalInterface
  interface Allocator {
    MemorySegment allocate(ElasticArena arena, long sizeBytes, long alignmentBytes);
  }

  ProgramRunner(
      Program program,
      SimulatedOperatingSystem os,
      Allocator allocator,
      int verifyEvery,
      boolean mayFail) {
    this.program = program;
    this.os = os;
    this.allocator = allocator;
    this.verifyEvery = verifyEvery;
    this.mayFail = mayFail;
    this.spaces = program.config().build(os);
    this.budget = spaces.getFirst().budget();
  }

  /**
   * @throws AssertionError if the library and the oracle disagree
   */
  static void run(Program program, int verifyEvery) {
    SimulatedOperatingSystem os = new SimulatedOperatingSystem();
    new ProgramRunner(program, os, Arena::allocate, verifyEvery, false).runAll(step -> false);
  }

  /** Runs all; {@code thorough} says after which steps everything is checked. */
  void runAll(LongPredicate thorough) {
    try {
      for (step = 0; step < program.ops().size(); step++) {
        run(program.ops().get(step));
        checkLimits();
        if (step % verifyEvery == 0 || thorough.test(step)) {
          verifyAll();
        }
      }
      while (!open.isEmpty()) {
        close(open.size() - 1);
      }
      os.succeed();
      TestSpaces.closeAll(spaces, os);
    } catch (Throwable e) {
      abandon();
      String op = step < program.ops().size() ? program.ops().get(step).text() : "the end";
      throw new AssertionError("step " + step + " (" + op + "): " + e.getMessage(), e);
    }
  }

  private void abandon() {
    os.succeed();
    try {
      open.forEach(arena -> arena.arena.close());
      spaces.forEach(ElasticSpace::close);
      os.assertNothingMapped();
    } catch (Throwable e) {
      // A program has failed already; this would only hide why.
      open.clear();
    }
  }

  private void run(Op op) {
    ElasticSpace space = spaces.get(op.target() % spaces.size());
    OracleArena arena = open.isEmpty() ? null : open.get(op.target() % open.size());
    switch (op.kind()) {
      case OPEN -> open(space, (int) op.first(), op.second());
      case TRIM -> space.trim();
      case PRETOUCH -> pretouch(space, op.first(), op.second());
      case VERIFY -> verifyAll();
      default -> {
        if (arena != null) {
          run(op, arena);
          expect(arena.arena.usedBytes(), arena.usedBytes, "used bytes of the arena");
        }
      }
    }
  }

  private void run(Op op, OracleArena arena) {
    boolean hasBlocks = !arena.blocks.isEmpty();
    switch (op.kind()) {
      case ALLOCATE -> allocate(arena, op.first(), op.second());
      case ALLOCATE_BAD -> allocateBad(arena, op.first(), (int) op.second());
      case CLOSE -> close(op.target() % open.size());
      case RESET -> reset(arena);
      case FREE_FOREIGN -> freeForeign(arena, open.get((int) (op.first() % open.size())));
      case FREE_WRONG -> freeWrong(arena, op);
      default -> {
        if (hasBlocks) {
          runOnBlock(op, arena);
        }
      }
    }
  }

  private void runOnBlock(Op op, OracleArena arena) {
    switch (op.kind()) {
      case FREE -> free(arena, op.first(), false);
      case FREE_TWICE -> free(arena, op.first(), true);
      case FREE_PARTS -> freeParts(arena, op.first());
      case REFERENCE -> reference(arena, op.first());
      default -> throw new IllegalStateException(op.text());
    }
  }

  private void open(ElasticSpace space, int kind, long mostOpen) {
    if (mostOpen > 0 && open.size() >= mostOpen) {
      return;
    }
    ArenaGrowth growth = GROWTHS.get(kind & 3);
    String name = (kind & 8) != 0 ? null : "arena-" + step;
    ElasticArena arena =
        (kind & 4) != 0 ? space.openShared(name, growth) : space.openConfined(name, growth);
    open.add(new OracleArena(arena, space));
  }

  private void pretouch(ElasticSpace space, long sizeBytes, long how) {
    Pretouch pretouch = Pretouch.upTo(sizeBytes);
    pretouch = (how & 1) != 0 ? pretouch.withHugePages() : pretouch;
    pretouch = (how & 2) != 0 ? pretouch.method(PretouchMethod.TOUCH) : pretouch;
    long before = space.committedBytes();
    long floorBefore = space.floorBytes();
    long sizeOfSpace = program.config().fixedSizeBytes();
    try {
      PretouchReport report = space.pretouch(pretouch);
      long mostBytes = sizeBytes + program.config().granuleBytes() - 1;
      check(report.touchedBytes() <= mostBytes, "touched too much: " + report);
      check(space.committedBytes() <= Math.max(before, mostBytes), "committed too much: " + space);
      boolean enough = sizeOfSpace > 0 || space.committedBytes() >= sizeBytes;
      check(enough, "committed too little: " + space);
      long newBytes = space.committedBytes() - before;
      check(report.touchedBytes() >= newBytes, "touched too little: " + report);
    } catch (OutOfMemoryError e) {
      check(mayFail || program.config().isLimited(), "refused without a limit: " + e.getMessage());
      check(mayFail || space.committedBytes() <= before, "a refusal committed memory");
      expect(space.floorBytes(), floorBefore, "floor after a refusal");
      refusalCount++;
    }
  }

  private void allocate(OracleArena arena, long sizeBytes, long alignmentBytes) {
    if (liveBytes + sizeBytes > MAX_LIVE_BYTES && sizeBytes < MAX_LIVE_BYTES) {
      return;
    }
    long committedBefore = budget.committedBytes();
    MemorySegment segment;
    try {
      segment = allocator.allocate(arena.arena, sizeBytes, alignmentBytes);
    } catch (OutOfMemoryError e) {
      checkRefusal(arena, sizeBytes, alignmentBytes, committedBefore, e);
      return;
    }
    expect(segment.byteSize(), sizeBytes, "size");
    expect(segment.address() & (alignmentBytes - 1), 0, "misalignment");
    check(segment.scope().equals(arena.arena.scope()), "scope of another arena");
    byte tag = (byte) (1 + tagCount++ % 255);
    OracleArena.Block block = arena.add(segment, tag);
    liveBytes += block.sizeBytes();
    checkDisjoint(block);
    live.put(segment.address(), block);
    expect(Contents.mismatchZero(segment), -1, "offset of a byte that is not zero");
    Contents.write(segment, tag);
  }

  private void checkDisjoint(OracleArena.Block block) {
    long address = block.segment().address();
    Map.Entry<Long, OracleArena.Block> below = live.floorEntry(block.end() - 1);
    if (below != null && below.getValue().end() > address) {
      throw new AssertionError(
          "blocks overlap: " + block.segment() + " and " + below.getValue().segment());
    }
  }

  private void checkRefusal(
      OracleArena arena, long sizeBytes, long alignmentBytes, long before, OutOfMemoryError e) {
    expect(arena.arena.usedBytes(), arena.usedBytes, "used bytes after a refusal");
    check(budget.committedBytes() <= before, "a refusal committed memory");
    String start = "native memory refused: space=" + arena.space.name() + ", ";
    check(Objects.toString(e.getMessage()).startsWith(start), "message: " + e);
    refusalCount++;
    if (mayFail || sizeBytes > 1L << 46) {
      return;
    }
    check(program.config().isLimited(), "refused without a limit: " + e.getMessage());
    if (program.config().fixedSizeBytes() == 0) {
      // No other owner holds memory that could be had: the rest of the budget is too little.
      long granuleBytes = program.config().granuleBytes();
      long gapBytes = alignmentBytes > Chunk.ROOT_BYTES ? alignmentBytes : 0;
      long neededBytes = sizeBytes + 2 * granuleBytes + gapBytes;
      long leftBytes = budget.limitBytes() - budget.committedBytes();
      check(leftBytes < neededBytes, "refused with " + leftBytes + " left: " + e.getMessage());
    }
  }

  private void allocateBad(OracleArena arena, long number, int shape) {
    long sizeBytes = shape < 4 ? -1 - number : number;
    long alignmentBytes = shape < 4 ? 8 : shape == 4 ? 0 : shape == 5 ? -8 : 24;
    refuses(() -> arena.arena.allocate(sizeBytes, alignmentBytes));
  }

  private OracleArena.Block take(OracleArena arena, long index) {
    OracleArena.Block block = arena.remove(index);
    checkContents(block);
    live.remove(block.segment().address());
    liveBytes -= block.sizeBytes();
    return block;
  }

  private void free(OracleArena arena, long index, boolean twice) {
    MemorySegment segment = take(arena, index).segment();
    arena.arena.deallocate(segment);
    if (twice) {
      refuses(() -> arena.arena.deallocate(segment));
    }
  }

  private void freeParts(OracleArena arena, long index) {
    OracleArena.Block block = take(arena, index);
    MemorySegment whole = block.segment();
    long half = whole.byteSize() / 16 * 8;
    if (half == 0) {
      arena.arena.deallocate(whole);
      return;
    }
    arena.arena.deallocate(whole.asSlice(0, half));
    refuses(() -> arena.arena.deallocate(whole));
    refuses(() -> arena.arena.deallocate(whole.asSlice(half - 8, 16)));
    arena.arena.deallocate(whole.asSlice(half));
    refuses(() -> arena.arena.deallocate(whole));
  }

  private void freeForeign(OracleArena arena, OracleArena other) {
    if (arena != other && !other.blocks.isEmpty()) {
      refuses(() -> arena.arena.deallocate(other.blocks.getFirst().segment()));
    }
  }

  @SuppressWarnings("restricted") // wrong segments need restricted methods
  private void freeWrong(OracleArena arena, Op op) {
    MemorySegment block =
        arena.blocks.isEmpty()
            ? MemorySegment.ofAddress(4096).reinterpret(8, arena.arena, null)
            : arena.blocks.get((int) (op.first() % arena.blocks.size())).segment();
    MemorySegment wrong =
        switch ((int) op.second()) {
          case 0 -> MemorySegment.ofArray(new long[2]);
          case 1 -> MemorySegment.ofAddress(block.address());
          case 2 -> block.reinterpret(1L << 50);
          case 3 -> block.reinterpret(Long.MAX_VALUE);
          case 4 -> block.reinterpret(16).asSlice(1);
          case 5 -> MemorySegment.ofAddress(8).reinterpret(8, arena.arena, null);
          case 6 -> MemorySegment.ofAddress(Long.MAX_VALUE - 7).reinterpret(7, arena.arena, null);
          default -> MemorySegment.ofAddress(-8).reinterpret(8, arena.arena, null);
        };
    refuses(() -> arena.arena.deallocate(wrong));
  }

  private void reference(OracleArena arena, long index) {
    MemorySegment block =
        arena.blocks.get((int) Math.floorMod(index, (long) arena.blocks.size())).segment();
    if (program.config().fixedSizeBytes() == 0) {
      try {
        int reference = arena.space.reference(block);
        throw new AssertionError("reference in a growable space: " + reference);
      } catch (IllegalStateException expected) {
        return;
      }
    }
    int reference = arena.space.reference(block);
    check(reference != 0, "reference is 0");
    MemorySegment again = arena.space.segment(reference);
    expect(again.address(), block.address(), "address of the referenced block");
    expect(again.byteSize(), block.byteSize(), "size of the referenced block");
    check(again.scope().equals(block.scope()), "scope of the referenced block");
  }

  private void close(int index) {
    OracleArena arena = open.get(index);
    while (!arena.blocks.isEmpty()) {
      var _ = take(arena, arena.blocks.size() - 1);
    }
    OracleArena last = open.removeLast();
    if (last != arena) {
      open.set(index, last);
    }
    arena.arena.close();
    expect(arena.arena.usedBytes(), 0, "used bytes of a closed arena");
  }

  private void reset(OracleArena arena) {
    MemorySegment last = arena.blocks.isEmpty() ? null : arena.blocks.getLast().segment();
    while (!arena.blocks.isEmpty()) {
      var _ = take(arena, arena.blocks.size() - 1);
    }
    arena.arena.reset();
    check(last == null || !last.scope().isAlive(), "a segment that outlives the reset");
  }

  private void checkContents(OracleArena.Block block) {
    long at = Contents.mismatch(block.segment(), block.tag());
    expect(at, -1, "offset of a foreign byte, " + block.segment());
  }

  private void checkLimits() {
    check(budget.committedBytes() <= budget.limitBytes(), "budget exceeded: " + budget);
  }

  /** Everything, which takes a while: structures, all contents, all sums. */
  private void verifyAll() {
    for (OracleArena arena : open) {
      arena.blocks.forEach(this::checkContents);
      ChunkedArena inner = (ChunkedArena) arena.arena;
      TestSpaces.verifyStretch(inner);
      if (inner.earlyFrees != null) {
        inner.earlyFrees.blocks.verify();
      }
    }
    long committedBytes = 0;
    for (ElasticSpace space : spaces) {
      space.verify();
      long usedBytes = 0;
      for (OracleArena arena : open) {
        usedBytes += arena.space == space ? arena.usedBytes : 0;
      }
      expect(space.usedBytes(), usedBytes, "used bytes of " + space.name());
      check(usedBytes <= space.committedBytes(), "used more than committed: " + space);
      check(space.committedBytes() <= space.reservedBytes(), "committed more than reserved");
      committedBytes += space.committedBytes();
      checkReport(space.report(ReportDetail.values()), space, usedBytes);
    }
    expect(committedBytes, budget.committedBytes(), "committed bytes of all spaces");
  }

  private static void checkReport(SpaceReport report, ElasticSpace space, long usedBytes) {
    expect(report.committedBytes(), space.committedBytes(), "committed bytes of the report");
    expect(report.usedBytes(), usedBytes, "used bytes of the report");
    ReportAssertions.assertLaw(report);
    check(!report.toString().isEmpty(), "report without text");
  }

  private static void refuses(Runnable action) {
    try {
      action.run();
    } catch (IllegalArgumentException expected) {
      String message = Objects.toString(expected.getMessage());
      check(message.contains("(expected "), "message: " + message);
      return;
    }
    throw new AssertionError("not refused");
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  private static void expect(long actual, long expected, String what) {
    if (actual != expected) {
      throw new AssertionError(what + ": actual=" + actual + ", expected=" + expected);
    }
  }
}
