package dev.arenal.soak;

import static dev.arenal.soak.Stamp.mismatch;

import dev.arenal.confined.PooledArena;
import dev.arenal.conformance.Contents;
import dev.arenal.elastic.ElasticArena;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageBuffer;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import dev.arenal.soak.Caller.Outcome;
import dev.arenal.soak.PagesOwner.Held;
import dev.arenal.soak.SpaceOwner.Block;
import dev.arenal.soak.SpaceOwner.Shared;
import dev.arenal.stats.recorder.StatisticsRecorder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The work of one thread of a soak, turn by turn. */
final class SoakWorker {
  private static final int MOST_SHARED = 4;
  private static final int MOST_BLOCKS = 1500;
  private static final int CHILD_COUNT = 8;
  private static final long MOST_BLOCK_BYTES = 1 << 21;
  private static final long EXTERNAL_PIECE_BYTES = 1 << 20;

  /** Another thread, to tell shared arenas from confined ones. */
  private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});

  /** Callbacks run in the threads that call the library. */
  private static final ThreadLocal<@Nullable SoakWorker> CURRENT = new ThreadLocal<>();

  final Caller caller;
  final SplittableRandom random;
  private final SoakRound round;
  private final Callbacks callbacks;
  private long markCount;

  /** Blocks that reclaimers have taken from the arena that was asking, and its bytes. */
  private final List<Block> gotMeanwhile = new ArrayList<>();

  private long gotMeanwhileBytes;

  /** The arena whose life is going on. */
  private @Nullable ElasticArena confined;

  /** The arena that memory is being asked for, which a reclaimer must not use. */
  @Nullable Arena asking;

  SoakWorker(SoakRound round, long seed, boolean dives) {
    this.round = round;
    this.random = new SplittableRandom(seed);
    this.caller = new Caller(round, random, dives);
    this.callbacks = new Callbacks(round, this);
    this.markCount = seed << 20;
  }

  /** That of the calling thread, or null if it is not one of a soak. */
  static @Nullable SoakWorker current() {
    return CURRENT.get();
  }

  Callbacks callbacks() {
    return callbacks;
  }

  /** Something, drawn. */
  void turn() {
    CURRENT.set(this);
    int drawn = random.nextInt(200);
    if (drawn < 30) {
      confined(round.space(random));
    } else if (drawn < 70) {
      shared(round.space(random));
    } else if (drawn < 130) {
      allocateBuffer(round.pages(random));
    } else if (drawn < 170) {
      freeBuffer(round.pages(random));
    } else if (drawn < 182) {
      pooled(1 + random.nextInt(5));
    } else if (drawn < 190) {
      pageArena(round.pages(random));
    } else if (drawn < 192 && !round.hasProgramLock()) { // they might wait for it
      virtualThreads();
    } else if (drawn < 196) {
      upkeep();
    } else if (drawn == 196) {
      pretouch();
    } else if (round.has(SoakFault.MACHINE)) {
      external();
    }
  }

  // ---- owners ----

  /** A life of a confined arena. */
  void confined(SpaceOwner owner) {
    ElasticArena arena =
        caller.call(
            owner,
            null,
            () ->
                random.nextInt(8) == 0
                    ? owner.space.openShared("own", SpaceOwner.growth(random))
                    : owner.space.openConfined("own", SpaceOwner.growth(random)));
    if (arena == null) {
      return;
    }
    List<Block> blocks = new ArrayList<>();
    long usedBytes = 0;
    List<Block> outer = List.copyOf(gotMeanwhile); // of an arena around, if this is a callback
    long outerBytes = gotMeanwhileBytes;
    gotMeanwhile.clear();
    gotMeanwhileBytes = 0;
    ElasticArena outerArena = confined;
    confined = arena;
    int stepCount = 1 + random.nextInt(40);
    for (int i = 0; i < stepCount && caller.outcome() != Outcome.DAMAGED; i++) {
      if (random.nextInt(16) == 0) {
        reset(owner, arena, blocks);
        usedBytes = arena.usedBytes();
      }
      if (blocks.isEmpty() || random.nextInt(3) > 0) {
        Block block = allocate(owner, arena);
        if (block != null) {
          blocks.add(block);
        }
      } else {
        deallocate(owner, arena, blocks.remove(random.nextInt(blocks.size())));
      }
      // A call that is refused changes nothing. At the end of stack or heap a block may have been
      // given back, or be lost until the arena is closed.
      long nowBytes = arena.usedBytes();
      check(
          caller.outcome() != Outcome.REFUSED || nowBytes <= usedBytes + gotMeanwhileBytes,
          "a refusal takes memory: before=" + usedBytes + ", now=" + nowBytes);
      check(nowBytes >= 0 && nowBytes <= usedBytes + MOST_BLOCK_BYTES, "used: bytes=" + nowBytes);
      usedBytes = nowBytes;
      gotMeanwhileBytes = 0;
    }
    blocks.forEach(Block::check);
    gotMeanwhile.forEach(Block::check);
    gotMeanwhile.clear();
    gotMeanwhile.addAll(outer);
    gotMeanwhileBytes = outerBytes;
    confined = outerArena;
    close(owner, arena, blocks);
  }

  /** Ends a round of an arena that only this thread has. */
  @SuppressWarnings("restricted") // to ask whose it is
  private void reset(SpaceOwner owner, ElasticArena arena, List<Block> blocks) {
    blocks.forEach(Block::check);
    gotMeanwhile.forEach(Block::check);
    MemorySegment.Scope scope = arena.scope();
    // The close of another thread would wait for the end of a reset, and be no misuse then.
    boolean isConfined = !MemorySegment.NULL.reinterpret(8, arena, null).isAccessibleBy(NOBODY);
    if (isConfined && round.has(SoakFault.CALLBACKS) && random.nextInt(6) == 0) {
      callbacks.onClose(owner, arena, blocks);
    }
    // Until it is done: cleanup actions are for these blocks, and no later ones.
    for (int i = 0; i < 10 && scope.isAlive() && caller.outcome() != Outcome.DAMAGED; i++) {
      var _ = caller.run(owner, arena, arena::reset);
    }
    callbacks.joinHelpers();
    check(
        !scope.isAlive() || caller.outcome() == Outcome.DAMAGED,
        "an arena that cannot be reset: " + caller.outcome());
    if (!scope.isAlive()) {
      blocks.clear();
      gotMeanwhile.clear();
      gotMeanwhileBytes = 0;
      check(arena.usedBytes() == 0, "used after a reset: bytes=" + arena.usedBytes());
    }
  }

  /** A block that a reclaimer has got of the arena that was asking: it is the reclaimer's own. */
  void keep(Arena asked, @Nullable MemorySegment segment) {
    if (segment != null && asked == confined) {
      checkZero(segment);
      Block block = new Block(segment, markCount++);
      Stamp.write(segment, block.mark());
      gotMeanwhile.add(block);
      gotMeanwhileBytes += segment.byteSize();
    }
  }

  private void shared(SpaceOwner owner) {
    int drawn = random.nextInt(100);
    Shared any = owner.any(random);
    if (any == null || (drawn < 4 && owner.sharedCount() < MOST_SHARED)) {
      ElasticArena arena =
          caller.call(
              owner, null, () -> owner.space.openShared("shared", SpaceOwner.growth(random)));
      if (arena != null) {
        owner.add(new Shared(arena));
      }
    } else if (drawn < 6) {
      resetShared(owner, any);
    } else if (drawn < 10 || any.blocks.size() > MOST_BLOCKS) {
      closeShared(owner);
    } else if (drawn < 60) {
      Block block = allocate(owner, any.arena);
      if (block != null) {
        any.blocks.add(block);
      }
    } else {
      Block block = any.blocks.poll();
      if (block != null) {
        deallocate(owner, any.arena, block);
      }
    }
  }

  /** While others use it; but not while one closes it, for whom it looks closed meanwhile. */
  private void resetShared(SpaceOwner owner, Shared any) {
    if (any.isTaken.compareAndSet(false, true)) {
      try {
        var _ = caller.run(owner, any.arena, any.arena::reset);
      } finally {
        any.isTaken.set(false);
      }
    }
  }

  /** Closes one that others use. */
  void closeShared(SpaceOwner owner) {
    Shared taken = owner.take(random);
    if (taken == null) {
      return;
    }
    Block own = allocate(owner, taken.arena);
    close(owner, taken.arena, own == null ? List.of() : List.of(own));
    taken.blocks.clear();
  }

  @Nullable Block allocate(SpaceOwner owner, ElasticArena arena) {
    long sizeBytes = random.nextInt(1 << random.nextInt(1, random.nextInt(60) == 0 ? 20 : 12));
    long alignmentBytes = 1L << random.nextInt(7);
    Arena before = asking;
    asking = arena;
    MemorySegment segment =
        caller.call(owner, arena, () -> arena.allocate(sizeBytes, alignmentBytes));
    asking = before;
    if (segment == null) {
      return null;
    }
    check(segment.byteSize() == sizeBytes, "size of " + segment);
    check((segment.address() & (alignmentBytes - 1)) == 0, "alignment of " + segment);
    Block block = new Block(segment, markCount++);
    var _ = caller.run(null, arena, () -> stampIfAlive(segment, block.mark()));
    return caller.outcome() == Outcome.DONE ? block : null;
  }

  private static void stamp(MemorySegment segment, long mark) {
    checkZero(segment);
    Stamp.write(segment, mark);
  }

  /** As {@link Block#checkIfAlive}. */
  private static void stampIfAlive(MemorySegment segment, long mark) {
    try {
      stamp(segment, mark);
    } catch (IllegalStateException e) {
      if (segment.scope().isAlive()) {
        throw e;
      }
      var _ = Thread.interrupted();
    }
  }

  private void deallocate(SpaceOwner owner, ElasticArena arena, Block block) {
    boolean isThere = caller.run(null, arena, block::checkIfAlive);
    if (isThere) {
      var _ = caller.run(owner, arena, () -> deallocateIfAlive(arena, block.segment()));
    }
  }

  private static void deallocateIfAlive(ElasticArena arena, MemorySegment segment) {
    try {
      arena.deallocate(segment);
    } catch (IllegalArgumentException e) {
      if (segment.scope().isAlive()) {
        throw e;
      }
    }
  }

  /** Closes an arena, with cleanup actions now and then, until it is closed. */
  private void close(Owner owner, Arena arena, List<Block> blocks) {
    // A reset that has damaged the space has closed it.
    if (arena.scope().isAlive() && round.has(SoakFault.CALLBACKS) && random.nextInt(6) == 0) {
      callbacks.onClose(owner, arena, blocks);
    }
    for (int i = 0; i < 10 && arena.scope().isAlive(); i++) {
      var _ = caller.run(owner, arena, arena::close);
    }
    check(!arena.scope().isAlive(), "an arena that cannot be closed: " + caller.outcome());
    callbacks.joinHelpers();
  }

  // ---- buffers ----

  void allocateBuffer(PagesOwner owner) {
    if (owner.isFilled()) {
      freeBuffer(owner);
    }
    long sizeBytes = random.nextInt(1 << random.nextInt(1, random.nextInt(40) == 0 ? 24 : 16));
    PageAge age = random.nextInt(3) == 0 ? PageAge.LONG_LIVED : PageAge.SHORT_LIVED;
    Duration wait = Duration.ofMillis(random.nextInt(20) == 0 ? 2 : 0);
    PageBuffer buffer =
        caller.call(
            owner,
            null,
            () ->
                sizeBytes % 2 == 0
                    ? owner.pages.tryAllocate(sizeBytes, age)
                    : owner.pages.allocate(sizeBytes, age, wait));
    if (buffer == null) {
      return;
    }
    MemorySegment segment = buffer.segment();
    check(segment.byteSize() == sizeBytes, "size of " + buffer);
    if (owner.isZeroed) {
      checkZero(segment);
    }
    Held held = new Held(buffer, markCount++);
    Stamp.write(segment, held.mark());
    owner.add(held);
  }

  void freeBuffer(PagesOwner owner) {
    Held held = owner.take(random);
    if (held == null) {
      return;
    }
    held.check();
    if (random.nextInt(4) == 0) {
      owner.add(held); // only looked at
      return;
    }
    for (int i = 0; i < 10; i++) {
      if (caller.run(owner, null, () -> closeOnce(held.buffer()))) {
        return;
      }
    }
    throw new AssertionError("a buffer that cannot be closed: " + held + caller.outcome());
  }

  /** A close that has ended before may have been complete. */
  private static void closeOnce(PageBuffer buffer) {
    try {
      buffer.close();
    } catch (IllegalStateException e) {
      if (!String.valueOf(e.getMessage()).startsWith("buffer is already closed: ")) {
        throw e;
      }
    }
  }

  /** A life of an arena of pages; those that wait for memory have it to themselves. */
  void pageArena(PagesOwner owner) {
    Arena arena =
        caller.call(
            owner,
            null,
            () ->
                random.nextBoolean()
                    ? owner.pages.openConfinedArena()
                    : owner.pages.openSharedArena());
    if (arena == null) {
      return;
    }
    List<Block> blocks = new ArrayList<>();
    int count = 1 + random.nextInt(30);
    for (int i = 0; i < count && caller.outcome() != Outcome.DAMAGED; i++) {
      long sizeBytes = random.nextInt(1 << random.nextInt(1, random.nextInt(30) == 0 ? 20 : 13));
      long alignmentBytes = 1L << random.nextInt(random.nextInt(30) == 0 ? 22 : 13);
      MemorySegment segment =
          caller.call(owner, arena, () -> arena.allocate(sizeBytes, alignmentBytes));
      if (segment != null) {
        check(segment.byteSize() == sizeBytes, "size of " + segment);
        check((segment.address() & (alignmentBytes - 1)) == 0, "alignment of " + segment);
        Block block = new Block(segment, markCount++);
        stamp(segment, block.mark());
        blocks.add(block);
      }
    }
    blocks.forEach(Block::check);
    close(owner, arena, blocks);
  }

  // ---- calls ----

  /** Pooled arenas, one inside the other. */
  void pooled(int depth) {
    Arena arena = caller.call(null, null, PooledArena::ofConfined);
    if (arena == null) {
      return;
    }
    List<Block> blocks = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      long sizeBytes = random.nextInt(1 << random.nextInt(1, 14));
      MemorySegment segment = caller.call(null, null, () -> arena.allocate(sizeBytes, 8));
      if (segment != null) {
        checkZero(segment);
        Block block = new Block(segment, markCount++);
        Stamp.write(segment, block.mark());
        blocks.add(block);
      }
    }
    if (depth > 1) {
      pooled(depth - 1);
    }
    blocks.forEach(Block::check);
    for (int i = 0; i < 10 && arena.scope().isAlive(); i++) {
      var _ = caller.run(null, null, arena::close);
    }
    check(!arena.scope().isAlive(), "a pooled arena that cannot be closed");
  }

  /** Each with arenas and buffers of its own; without the lock of the round, which this has. */
  private void virtualThreads() {
    List<Thread> children = new ArrayList<>();
    for (int i = 0; i < CHILD_COUNT; i++) {
      SoakWorker child = new SoakWorker(round, random.nextLong(), false);
      children.add(
          Thread.ofVirtual()
              .start(() ->
                  round.note(() -> {
                    CURRENT.set(child);
                    child.pooled(2);
                    child.confined(round.space(child.random));
                    child.allocateBuffer(round.pages(child.random));
                    child.freeBuffer(round.pages(child.random));
                    child.pooled(1);
                  })));
    }
    children.forEach(SoakRound::join);
  }

  // ---- everything else ----

  void upkeep() {
    SpaceOwner space = round.space(random);
    PagesOwner pages = round.pages(random);
    switch (random.nextInt(8)) {
      case 0 -> caller.run(space, null, () -> space.space.trim());
      case 1 -> caller.run(pages, null, () -> pages.pages.trim());
      case 2 -> caller.run(space, null, () -> checkReport(space));
      case 3 -> caller.run(pages, null, () -> checkReport(pages));
      case 4 -> caller.run(space, null, space::verify);
      case 5 -> caller.run(pages, null, pages::verify);
      case 6 -> caller.run(pages, null, () -> pages.pages.statistics());
      default -> caller.run(space, null, StatisticsRecorder::tables);
    }
  }

  private static void checkReport(SpaceOwner owner) {
    var report = owner.space.report();
    check(report.usedBytes() <= report.committedBytes(), "report: " + report);
    check(!report.toString().isEmpty(), "report without text");
  }

  private static void checkReport(PagesOwner owner) {
    var report = owner.pages.report();
    check(report.usedBytes() >= 0 && report.committedBytes() >= 0, "report: " + report);
  }

  private void pretouch() {
    Pretouch wanted = Pretouch.upTo((long) random.nextInt(6) << 20).threads(1 + random.nextInt(2));
    wanted = random.nextBoolean() ? wanted.withHugePages() : wanted;
    wanted = random.nextBoolean() ? wanted.method(PretouchMethod.TOUCH) : wanted;
    if (round.has(SoakFault.CALLBACKS)) {
      wanted = wanted.onProgress((_, _) -> callbacks.act()).cancelWhen(callbacks::cancels);
    }
    Pretouch last = wanted;
    if (random.nextBoolean()) {
      SpaceOwner owner = round.space(random);
      var _ = caller.run(owner, null, () -> owner.space.pretouch(last));
    } else {
      PagesOwner owner = round.pages(random);
      var _ = caller.run(owner, null, () -> owner.pages.pretouch(last));
    }
  }

  /** Others take much of the budget, for a moment; or the kernel begins or ends to refuse. */
  private void external() {
    if (random.nextInt(4) == 0) {
      round.kernel.refuse(random.nextInt(3) == 0 ? 1 << random.nextInt(9) : 0);
    } else if (random.nextBoolean()) {
      round.takeExternal(random.nextLong(1 + round.budget.availableBytes()), EXTERNAL_PIECE_BYTES);
    } else {
      round.returnExternal();
    }
  }

  private static void checkZero(MemorySegment segment) {
    long at = Contents.mismatchZero(segment);
    check(at < 0, "not zero: at=" + at + ", " + segment);
  }

  static void check(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }

  /** Whether memory that is known by its address only has what was written. */
  @SuppressWarnings("restricted") // its scope is closed
  static boolean isRawIntact(long address, long sizeBytes, long mark) {
    return mismatch(MemorySegment.ofAddress(address).reinterpret(sizeBytes), mark) < 0;
  }
}
