package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static dev.arenal.page.Allocators.check;

import dev.arenal.page.BufferOracle.Held;
import dev.arenal.page.granule.SupplyFigures;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.reserve.Ledger;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program of buffers against an allocator and an oracle. Where its threads take turns, every
 * figure is compared after every step; where they run at the same time, those that hold always, and
 * all of them at the end.
 */
final class BufferRunner {
  /** A buffer that is closed or written again is looked at anyway. */
  private static final int STEPS_PER_CONTENTS = 4;

  private static final Duration SHORT = Duration.ofMillis(1);

  private final Allocators allocators;
  private final BufferProgram program;
  private final Target target;
  private final int stepsPerVerify;
  private final PageAllocator pages;
  private final BufferOracle oracle = new BufferOracle();
  private final BufferDemand demand = new BufferDemand();
  private final Object externalLock = new Object();
  private final long startNanos = System.nanoTime();
  private long externalBytes;
  private long tenths;

  /** The allocator as the program sees it; canaries break it. */
  interface Target {
    default @Nullable PageBuffer tryAllocate(
        PageAllocator pages, long sizeBytes, long alignmentBytes, PageAge age) {
      return alignmentBytes == 1
          ? pages.tryAllocate(sizeBytes, age)
          : pages.tryAllocate(sizeBytes, alignmentBytes, age);
    }

    default MemorySegment segment(PageBuffer buffer) {
      return buffer.segment();
    }

    default void close(PageBuffer buffer) {
      buffer.close();
    }

    default long trim(PageAllocator pages) {
      return pages.trim();
    }
  }

  /** Opens the allocator of the program, whose refusals begin with that. */
  BufferRunner(Allocators allocators, BufferProgram program, Target target, int stepsPerVerify) {
    this.allocators = allocators;
    this.program = program;
    this.target = target;
    this.stepsPerVerify = stepsPerVerify;
    program.config().apply(allocators);
    program.apply(allocators);
    this.pages = allocators.open();
  }

  /**
   * The whole life of an allocator, from its opening to its end.
   *
   * @throws AssertionError if anything is not as it must be; nothing is left then either
   */
  static void run(BufferProgram program, Allocators allocators, Target target, int stepsPerVerify) {
    try {
      BufferRunner runner = open(program, allocators, target, stepsPerVerify);
      if (runner == null) {
        check(allocators.budget.committedBytes() == 0, "in the budget: " + allocators.budget);
        allocators.abandon(); // what the kernel did not take back either
        return;
      }
      runner.run();
      runner.finish();
      allocators.finish();
    } catch (AssertionError | RuntimeException e) {
      allocators.abandon();
      throw e instanceof AssertionError known ? known : new AssertionError(e.toString(), e);
    }
  }

  /** Null where the kernel refuses even that, as it must say then. */
  private static @Nullable BufferRunner open(
      BufferProgram program, Allocators allocators, Target target, int stepsPerVerify) {
    try {
      return new BufferRunner(allocators, program, target, stepsPerVerify);
    } catch (OutOfMemoryError e) {
      String message = String.valueOf(e.getMessage());
      check(program.mayFail(), "not opened: " + message);
      boolean isTold =
          message.startsWith("address space refused: allocator=test, ")
              || message.startsWith("pretouch failed: allocator=test")
              || message.startsWith("pretouch refused");
      check(isTold, "other message: " + message);
      return null;
    }
  }

  PageAllocator pages() {
    return pages;
  }

  void run() {
    if (program.isConcurrent()) {
      BufferThreads.runAll(program.ops(), this::runNoting);
      verify();
      oracle.open().forEach(Held::checkContents);
      return;
    }
    for (int i = 0; i < program.ops().size(); i++) {
      BufferOp op = program.ops().get(i);
      try {
        BufferThreads.run(op.threadIndex(), () -> run(op));
        check(
            pages.usedBytes() == oracle.usedBytes(),
            "used bytes differ: expected=" + oracle.usedBytes() + ", found=" + pages.usedBytes());
        if (i % stepsPerVerify == 0) {
          verify();
        }
        if (i % (STEPS_PER_CONTENTS * stepsPerVerify) == 0) {
          oracle.open().forEach(Held::checkContents);
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("step " + i + ", " + op.text() + ": " + e.getMessage(), e);
      }
    }
  }

  private void runNoting(BufferOp op) {
    try {
      run(op);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(op.text() + ": " + e, e);
    }
  }

  private void run(BufferOp op) {
    if (mayObstruct(op.kind())) {
      demand.beginObstacle();
    }
    try {
      runNow(op);
    } finally {
      if (mayObstruct(op.kind())) {
        demand.endObstacle();
      }
    }
  }

  /**
   * Whether other threads may be refused for it: where one waits, no other thread grows; where one
   * asks for much or touches it, it claims that for a moment; and where one closes the allocator,
   * it is shut for a moment.
   */
  private static boolean mayObstruct(BufferOp.Kind kind) {
    return switch (kind) {
      case ALLOCATE_OR_WAIT, PRETOUCH, CLOSE_TOO_EARLY -> true;
      default -> false;
    };
  }

  private void runNow(BufferOp op) {
    switch (op.kind()) {
      case ALLOCATE -> allocate(op.sizeBytes(pages.capacityBytes()), op.alignmentBytes(), op.age());
      case ALLOCATE_OR_WAIT ->
          allocateOrWait(op.sizeBytes(pages.capacityBytes()), op.alignmentBytes(), op.age());
      case CLOSE -> close(oracle.take(op.b()));
      case CLOSE_TWICE -> closeTwice(oracle.take(op.b()));
      case CLOSE_BY_TWO -> closeByTwo(oracle.take(op.b()));
      case CLOSE_MANY -> oracle.takeEach(1 + op.b() % 4).forEach(this::close);
      case WRITE -> rewrite(oracle.take(op.b()));
      case TICK -> tick(op.b() % 40);
      case TRIM -> {
        var _ = target.trim(pages);
        boolean mayBeLeft = program.mayFail() || program.isConcurrent();
        check(mayBeLeft || figures().cachedBytes() == 0, "cached after trim: " + pages.report());
      }
      case CLOSE_TOO_EARLY -> closeTooEarly(oracle.take(op.b()));
      case REPORT -> report();
      case EXTERNAL -> external(op.b() * MIB / 10);
      case PRETOUCH -> pretouch(op.pretouch());
    }
  }

  // ---- taking ----

  private void allocate(long sizeBytes, long alignmentBytes, PageAge age) {
    boolean isRoom = isRoom(sizeBytes);
    BufferDemand.Request request = demand.begin(pinnedBytes(sizeBytes));
    PageBuffer buffer = target.tryAllocate(pages, sizeBytes, alignmentBytes, age);
    isRoom |= request.end(buffer != null, pages.capacityBytes() / 2) && isRoomSomewhere(sizeBytes);
    check(buffer != null || !isRoom, () -> "refused for no reason: sizeBytes=" + sizeBytes);
    if (buffer != null) {
      hold(buffer, sizeBytes, alignmentBytes);
    }
  }

  private void allocateOrWait(long sizeBytes, long alignmentBytes, PageAge age) {
    boolean isRoom = isRoom(sizeBytes);
    BufferDemand.Request request = demand.begin(pinnedBytes(sizeBytes));
    PageBuffer buffer;
    try {
      buffer =
          alignmentBytes == 1
              ? pages.allocate(sizeBytes, age, program.mayFail() ? Duration.ZERO : SHORT)
              : pages.allocate(sizeBytes, alignmentBytes, age);
      var _ = request.end(true, 0);
    } catch (OutOfMemoryError e) {
      var _ = request.end(false, 0);
      check(!isRoom, "refused for no reason: " + e.getMessage());
      checkFigures(String.valueOf(e.getMessage()), sizeBytes, age);
      return;
    }
    hold(buffer, sizeBytes, alignmentBytes);
  }

  private void checkFigures(String message, long sizeBytes, PageAge age) {
    String request = "no room: allocator=test, requestedBytes=" + sizeBytes + ", age=" + age;
    check(message.startsWith(request + ", usedBytes="), "error without the request: " + message);
    if (!program.isConcurrent()) {
      SupplyFigures figures = figures();
      String text =
          request
              + ", usedBytes="
              + oracle.usedBytes()
              + ", pageBytes="
              + figures.usedBytes()
              + ", capacityBytes="
              + pages.capacityBytes()
              + ", committedBytes="
              + figures.committedBytes()
              + ", budget="
              + allocators.budget
              + ", maxWaitMillis=";
      check(message.startsWith(text), "error with other figures: " + message + ", not " + text);
    }
  }

  /**
   * Whether a granule is enough for it and only this program can have it, so that it is refused for
   * no reason where all pages together are half of the capacity: kept pages are a quarter at most,
   * a fifth in small heaps and a sixteenth in two medium ones.
   */
  private boolean isRoomSomewhere(long sizeBytes) {
    return !program.mayFail()
        && sizeBytes <= SmallHeap.LARGEST_BYTES
        && program.config().budgetMib() == BufferConfig.UNLIMITED;
  }

  /** The most that one buffer may keep from others: a page. */
  private long pinnedBytes(long sizeBytes) {
    long largestMedium = MediumHeap.pageBytes(pages.capacityBytes());
    boolean isMedium = sizeBytes > SmallHeap.LARGEST_BYTES && sizeBytes <= largestMedium / 8;
    return isMedium ? largestMedium : pageBytes(sizeBytes);
  }

  /** Whether a page of its own can be had for it for certain, whatever holes there are. */
  private boolean isRoom(long sizeBytes) {
    if (program.mayFail() || program.isConcurrent()) {
      return false;
    }
    SupplyFigures figures = figures();
    long pageBytes = pageBytes(sizeBytes);
    long pinnedBytes = figures.committedBytes() - figures.cachedBytes();
    return figures.usedBytes() + pageBytes <= figures.capacityBytes()
        && figures.largestPlaceBytes() >= pageBytes
        && pinnedBytes + externalBytes + pageBytes <= allocators.budget.limitBytes();
  }

  private long pageBytes(long sizeBytes) {
    long largestMedium = MediumHeap.largestBytes(MediumHeap.pageBytes(pages.capacityBytes()));
    if (sizeBytes > SmallHeap.LARGEST_BYTES && sizeBytes <= largestMedium) {
      return Math.max(2 * MIB, 2 * Long.highestOneBit(sizeBytes - 1));
    }
    return Math.max(1, (sizeBytes + 2 * MIB - 1) / (2 * MIB)) * 2 * MIB;
  }

  private void hold(PageBuffer buffer, long sizeBytes, long alignmentBytes) {
    MemorySegment segment = target.segment(buffer);
    Held held = oracle.claim(buffer, segment);
    check(segment.byteSize() == sizeBytes, () -> "size differs: " + buffer);
    check(buffer.sizeBytes() == sizeBytes, () -> "size differs: " + buffer);
    long aligned = Math.max(alignmentBytes, sizeBytes > 8192 ? 1024 : 16);
    check((segment.address() & (aligned - 1)) == 0, () -> "misaligned: " + buffer);
    if (allocators.isZeroed) {
      long at = Noise.firstNonZero(segment);
      check(at < 0, () -> "not zero: at=" + at + ", " + buffer);
    }
    Noise.write(segment, held.mark());
    oracle.publish(held);
  }

  private void rewrite(@Nullable Held held) {
    if (held != null) {
      held.checkContents();
      MemorySegment segment = target.segment(held.buffer());
      check(segment.address() == held.segment().address(), "it has moved: " + held);
      oracle.forget(held);
      Held claimed = oracle.claim(held.buffer(), segment);
      Noise.write(claimed.segment(), claimed.mark());
      oracle.publish(claimed);
    }
  }

  // ---- giving back ----

  private void close(@Nullable Held held) {
    if (held != null) {
      held.checkContents();
      oracle.forget(held);
      target.close(held.buffer());
      demand.closed(pinnedBytes(held.buffer().sizeBytes()));
    }
  }

  private void closeTwice(@Nullable Held held) {
    if (held == null) {
      return;
    }
    close(held);
    PageBuffer buffer = held.buffer();
    refused(() -> target.close(buffer), "buffer is already closed: allocator=test, address=0x");
    refused(() -> target.segment(buffer), "buffer is closed: allocator=test, address=0x");
    if (allocators.isChecked && buffer.sizeBytes() > 0) {
      refused(() -> held.segment().asByteBuffer().put(0, (byte) 1), "Already closed");
    }
  }

  private static void refused(Runnable misuse, String message) {
    try {
      misuse.run();
    } catch (IllegalStateException e) {
      check(String.valueOf(e.getMessage()).startsWith(message), "other message: " + e);
      return;
    }
    throw new AssertionError("not refused: " + message);
  }

  private void closeByTwo(@Nullable Held held) {
    if (held == null) {
      return;
    }
    held.checkContents();
    oracle.forget(held);
    AtomicInteger closedCount = new AtomicInteger();
    BufferThreads.runTwice(() -> {
      try {
        target.close(held.buffer());
        var _ = closedCount.incrementAndGet();
      } catch (IllegalStateException e) {
        String message = String.valueOf(e.getMessage());
        check(message.startsWith("buffer is already closed: "), "other message: " + e);
      }
    });
    check(closedCount.get() == 1, "closed by so many: " + closedCount + ", " + held);
    demand.closed(pinnedBytes(held.buffer().sizeBytes()));
  }

  /** It is taken, so that no other thread closes it meanwhile. */
  private void closeTooEarly(@Nullable Held held) {
    if (held != null) {
      // A buffer of no bytes is noticed when all has been shut: others would see that.
      if (held.buffer().sizeBytes() > 0 || !program.isConcurrent()) {
        closeRefused();
      }
      oracle.publish(held);
    }
  }

  private void closeRefused() {
    try {
      pages.close();
    } catch (IllegalStateException e) {
      String message = String.valueOf(e.getMessage());
      boolean isPretouch = message.startsWith("pretouch is running: allocator=test (cancel it,");
      check(
          message.startsWith("allocator has open buffers or arenas: allocator=test, usedBytes=")
              || (isPretouch && program.isConcurrent()),
          "other message: " + e);
      return;
    }
    throw new AssertionError("closed with open buffers");
  }

  private synchronized void tick(int tenthCount) {
    tenths += tenthCount;
    pages.state().tick(startNanos + tenths * Allocators.SECOND / 10);
  }

  private void pretouch(Pretouch wanted) {
    boolean isRoom = !program.mayFail() && !program.isConcurrent();
    long before = pages.committedBytes();
    try {
      var _ = pages.pretouch(wanted);
    } catch (OutOfMemoryError e) {
      String message = String.valueOf(e.getMessage());
      check(message.startsWith("pretouch ") && message.contains("allocator=test"), message);
      check(!isRoom || allocators.budget.isLimited(), "refused for no reason: " + message);
      // Memory reclaimed for it may have gone.
      check(!isRoom || pages.committedBytes() <= before, "not given back: " + message);
      return;
    } catch (IllegalStateException e) {
      String expected = "pretouch is running: allocator=test (expected one at a time)";
      check(program.isConcurrent() && expected.equals(e.getMessage()), "other message: " + e);
      return;
    }
    SupplyFigures figures = figures();
    boolean isFull = figures.usedBytes() + figures.cachedBytes() == figures.capacityBytes();
    check(
        !isRoom || isFull || figures.committedBytes() >= wanted.mostBytes(),
        "not pretouched: " + wanted.mostBytes() + ", " + figures);
  }

  /** Another user of the budget, which has this much of it. */
  private void external(long sizeBytes) {
    synchronized (externalLock) {
      Ledger.of(allocators.budget).uncommit(externalBytes);
      externalBytes = Ledger.of(allocators.budget).tryCommit(sizeBytes) ? sizeBytes : 0;
    }
  }

  // ---- what holds always ----

  private SupplyFigures figures() {
    return pages.state().supply.figures();
  }

  private void report() {
    pages.state().verify();
    SupplyFigures figures = figures();
    String text = figures + ", " + pages.report();
    check(figures.usedBytes() <= figures.capacityBytes(), "beyond the capacity: " + text);
    // Claimed memory, and what the kernel has not taken back, comes on top.
    boolean isExact = !program.isConcurrent() && !program.mayFail();
    check(
        !isExact || figures.committedBytes() <= figures.capacityBytes(),
        "committed beyond the capacity: " + text);
    check(figures.committedBytes() >= 0 && figures.cachedBytes() >= 0, "negative: " + text);
  }

  /** While nothing goes on. */
  private void verify() {
    report();
    SupplyFigures figures = figures();
    PageReport report = pages.report();
    check(
        report.usedBytes() == oracle.usedBytes(),
        "report of used bytes: " + oracle.usedBytes() + ", " + report);
    check(
        report.committedBytes() == figures.committedBytes()
            || (program.mayFail() && report.committedBytes() < figures.committedBytes()),
        "report of committed bytes: " + figures + ", " + report);
    check(
        allocators.budget.committedBytes() == figures.committedBytes() + externalBytes,
        "budget differs: " + allocators.budget + ", " + figures);
  }

  /** Frees all, and finds that nothing is left and that all of the capacity can be had again. */
  void finish() {
    allocators.os.succeed();
    external(0);
    try {
      oracle.takeEach(1).forEach(this::close);
      verify();
      check(oracle.usedBytes() == 0, "buffers lost: " + oracle.usedBytes());
      takeAll();
      coolDown();
      var _ = target.trim(pages);
      check(pages.committedBytes() == 0, "committed in the end: " + pages.report());
      check(allocators.budget.committedBytes() == 0, "in the budget: " + allocators.budget);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("at the end: " + e.getMessage(), e);
    }
  }

  /** Where the address space is not in pieces, as it is where the kernel refused to reserve it. */
  private void takeAll() {
    long most = Math.min(pages.capacityBytes(), allocators.budget.limitBytes()) & -(2 * MIB);
    boolean isInPieces = allocators.largestReservationBytes <= pages.capacityBytes();
    if (isInPieces || (program.mayFail() && figures().largestPlaceBytes() < most)) {
      return;
    }
    PageBuffer all = pages.tryAllocate(most, PageAge.LONG_LIVED);
    check(all != null, "not all can be had in the end: " + pages.report());
    if (all != null) {
      all.close();
    }
  }

  /** Unused memory goes by itself, down to the floor. */
  private void coolDown() {
    if (program.config().delaySeconds() > 10) {
      return;
    }
    for (int i = 0; i < 40; i++) {
      tick(10);
    }
    long committedBytes = pages.committedBytes();
    check(
        committedBytes < pages.state().supply.floorBytes() + 2 * MIB,
        "committed after the delay: " + pages.report());
  }
}
