package dev.arenal.page;

import static dev.arenal.page.Allocators.MIB;
import static dev.arenal.page.Allocators.check;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program of buffers against an allocator and a naive oracle: a list of open buffers, each
 * written whole with a mark of its own, and the sum of their sizes.
 */
final class BufferRunner {
  private static final Duration SHORT = Duration.ofMillis(1);

  private final Allocators allocators;
  private final PageAllocator pages;
  private final Target target;
  private final boolean mayFail;
  private final int stepsPerVerify;
  private final List<Held> open = new ArrayList<>();
  private final TreeMap<Long, Held> byAddress = new TreeMap<>();
  private long usedBytes;
  private long externalBytes;
  private int nextMark;

  /** Steps of time, so that ticks are in tenths of a second. */
  private final long startNanos = System.nanoTime();

  private long tenths;
  int countRefused;

  private record Held(PageBuffer buffer, MemorySegment segment, int mark) {}

  /** What the program sees of the allocator; canaries break it. */
  interface Target {
    default @Nullable PageBuffer tryAllocate(PageAllocator pages, long sizeBytes, PageAge age) {
      return pages.tryAllocate(sizeBytes, age);
    }

    default MemorySegment segment(PageBuffer buffer) {
      return buffer.segment();
    }

    default void close(PageBuffer buffer) {
      buffer.close();
    }
  }

  BufferRunner(Allocators allocators, BufferConfig config, boolean mayFail) {
    this(allocators, config, mayFail, new Target() {}, 8);
  }

  BufferRunner(
      Allocators allocators,
      BufferConfig config,
      boolean mayFail,
      Target target,
      int stepsPerVerify) {
    this.allocators = allocators;
    this.mayFail = mayFail;
    this.target = target;
    this.stepsPerVerify = stepsPerVerify;
    config.apply(allocators);
    this.pages = allocators.open();
  }

  void run(List<BufferOp> ops) {
    for (int i = 0; i < ops.size(); i++) {
      try {
        run(ops.get(i));
        check(
            pages.usedBytes() == usedBytes,
            "used bytes differ: expected=" + usedBytes + ", found=" + pages.usedBytes());
        if (i % stepsPerVerify == 0) {
          verify();
        }
      } catch (AssertionError | RuntimeException | InterruptedException e) {
        throw new AssertionError("step " + i + ", " + ops.get(i) + ": " + e, e);
      }
    }
  }

  private void run(BufferOp op) throws InterruptedException {
    switch (op.kind()) {
      case ALLOCATE -> allocate(op.sizeBytes(), op.age());
      case ALLOCATE_OR_WAIT -> allocateOrWait(op.sizeBytes(), op.age());
      case CLOSE -> {
        if (!open.isEmpty()) {
          target.close(take(op.b()).buffer);
        }
      }
      case CLOSE_ELSEWHERE -> {
        if (!open.isEmpty()) {
          closeElsewhere(take(op.b()).buffer);
        }
      }
      case CLOSE_TWICE -> closeTwice(op.b());
      case CLOSE_MANY -> {
        int every = 1 + op.b() % 4;
        for (int i = open.size() - 1; i >= 0; i--) {
          if (i % every == 0) {
            target.close(take(i).buffer);
          }
        }
      }
      case TICK -> {
        tenths += op.b() % 40;
        pages.state().tick(startNanos + tenths * Allocators.SECOND / 10);
      }
      case TRIM -> {
        var _ = pages.trim();
        check(mayFail || cachedBytes() == 0, "cached after trim: " + pages.report());
      }
      case EXTERNAL -> external(op.b() * MIB / 10);
    }
  }

  // ---- taking ----

  private void allocate(long sizeBytes, PageAge age) {
    boolean isRoom = isRoom(sizeBytes);
    PageBuffer buffer = target.tryAllocate(pages, sizeBytes, age);
    if (buffer == null) {
      countRefused++;
      check(!isRoom || mayFail, "refused for no reason: sizeBytes=" + sizeBytes + ", " + figures());
      return;
    }
    hold(buffer, sizeBytes);
  }

  private void allocateOrWait(long sizeBytes, PageAge age) {
    boolean isRoom = isRoom(sizeBytes);
    PageBuffer buffer;
    try {
      buffer = pages.allocate(sizeBytes, age, mayFail ? Duration.ZERO : SHORT);
    } catch (OutOfMemoryError e) {
      countRefused++;
      check(!isRoom || mayFail, "refused for no reason: " + e.getMessage());
      String message = String.valueOf(e.getMessage());
      check(
          message.startsWith("no room: allocator=test, requestedBytes=" + sizeBytes + ", age=" + age
              + ", usedBytes=" + usedBytes + ", pageBytes="),
          "error without the figures: " + message);
      return;
    }
    hold(buffer, sizeBytes);
  }

  /** Whether a page of its own could be had for it, whatever holes there are. */
  private boolean isRoom(long sizeBytes) {
    SupplyFigures figures = figures();
    long pageBytes = neededBytes(sizeBytes);
    long pinnedBytes = figures.committedBytes() - figures.cachedBytes();
    return figures.usedBytes() + pageBytes <= figures.capacityBytes()
        && figures.largestPlaceBytes() >= pageBytes
        && pinnedBytes + externalBytes + pageBytes <= allocators.budget.limitBytes();
  }

  private long neededBytes(long sizeBytes) {
    long largestMedium = MediumHeap.largestBytes(MediumHeap.pageBytes(allocators.capacityBytes));
    if (sizeBytes > 256 << 10 && sizeBytes <= largestMedium) {
      return Math.max(4 * MIB, 2 * Long.highestOneBit(sizeBytes));
    }
    return Math.max(1, (sizeBytes + 2 * MIB - 1) / (2 * MIB)) * 2 * MIB;
  }

  private void hold(PageBuffer buffer, long sizeBytes) {
    usedBytes += sizeBytes;
    MemorySegment segment = target.segment(buffer);
    Held held = new Held(buffer, segment, nextMark++);
    open.add(held);
    check(segment.byteSize() == sizeBytes, "size differs: " + buffer);
    check(buffer.sizeBytes() == sizeBytes, "size differs: " + buffer);
    long address = segment.address();
    check((address & (sizeBytes > 8192 ? 1023 : 15)) == 0, "misaligned: " + buffer);
    if (sizeBytes > 0) {
      Map.Entry<Long, Held> below = byAddress.lowerEntry(address + sizeBytes);
      boolean isApart =
          below == null || below.getKey() + below.getValue().segment.byteSize() <= address;
      check(isApart, "buffers overlap: " + buffer + ", " + below);
      byAddress.put(address, held);
    }
    if (allocators.isZeroed) {
      long at = Contents.firstNonZero(segment);
      check(at < 0, "not zero: at=" + at + ", " + buffer);
    }
    Contents.write(segment, held.mark);
  }

  // ---- giving back ----

  /** A buffer that the oracle has no more. */
  private Held take(int which) {
    Held held = open.remove(which % open.size());
    long at = Contents.mismatch(held.segment, held.mark);
    check(at < 0, "contents are gone: at=" + at + ", " + held.buffer);
    byAddress.remove(held.segment.address(), held);
    usedBytes -= held.buffer.sizeBytes();
    return held;
  }

  private void closeTwice(int which) {
    if (open.isEmpty()) {
      return;
    }
    Held held = take(which);
    target.close(held.buffer);
    refused(held.buffer::close, "buffer is closed already: allocator=test, address=0x");
    refused(held.buffer::segment, "buffer is closed: allocator=test, address=0x");
    if (allocators.isChecked) {
      refused(() -> held.segment.asByteBuffer().put(0, (byte) 1), "Already closed");
    }
  }

  private static void refused(Runnable misuse, String message) {
    try {
      misuse.run();
    } catch (IllegalStateException e) {
      check(String.valueOf(e.getMessage()).startsWith(message), "other message: " + e);
      return;
    } catch (IndexOutOfBoundsException e) {
      return; // a segment of no bytes
    }
    throw new AssertionError("not refused: " + message);
  }

  private void closeElsewhere(PageBuffer buffer) throws InterruptedException {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofVirtual()
            .start(() -> {
              try {
                target.close(buffer);
              } catch (Throwable e) {
                failure.set(e);
              }
            });
    thread.join();
    check(failure.get() == null, "closing failed: " + failure.get());
  }

  /** Somebody else who has this much in the budget. */
  private void external(long sizeBytes) {
    allocators.budget.uncommit(externalBytes);
    externalBytes = allocators.budget.tryCommit(sizeBytes) ? sizeBytes : 0;
  }

  // ---- what holds always ----

  private SupplyFigures figures() {
    return pages.state().figures();
  }

  private long cachedBytes() {
    return figures().cachedBytes();
  }

  private void verify() {
    pages.state().verify();
    SupplyFigures figures = figures();
    PageReport report = pages.report();
    check(report.usedBytes() == usedBytes, "report of used bytes: " + usedBytes + ", " + report);
    check(
        report.committedBytes() == figures.committedBytes()
            || (mayFail && report.committedBytes() < figures.committedBytes()),
        "report of committed bytes: " + figures + ", " + report);
    check(figures.usedBytes() <= figures.capacityBytes(), "beyond the capacity: " + figures);
    check(
        allocators.budget.committedBytes() == figures.committedBytes() + externalBytes,
        "budget differs: " + allocators.budget + ", " + figures);
    for (Held held : open) {
      long at = Contents.mismatch(held.segment, held.mark);
      check(at < 0, "contents are gone: at=" + at + ", " + held.buffer);
    }
  }

  /** Frees all, and finds that nothing is left and that all of the capacity can be had again. */
  void finish() {
    external(0);
    try {
      while (!open.isEmpty()) {
        target.close(take(0).buffer);
      }
      verify();
      if (allocators.largestReservationBytes > allocators.capacityBytes) {
        long most = Math.min(allocators.capacityBytes, allocators.budget.limitBytes());
        PageBuffer all = pages.tryAllocate(most & -(2 * MIB), PageAge.LONG_LIVED);
        check(all != null, "not all can be had in the end: " + pages.report());
        if (all != null) {
          all.close();
        }
      }
      var _ = pages.trim();
      check(pages.committedBytes() == 0, "committed in the end: " + pages.report());
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("at the end: " + e, e);
    }
  }
}
