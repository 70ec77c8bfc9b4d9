package dev.arenal.bench;

import dev.arenal.memory.Budget;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A load of 32 buffers of 2 MiB that moves from one allocator to another one of the same budget and
 * back, every page written: the time of one such phase.
 *
 * <p>Apart, each allocator keeps the memory of its last phase: twice the memory. With a budget that
 * has room for one load only, what one keeps goes back to the kernel before the other one commits.
 * Where they share, it moves. The control is one allocator for both.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(3)
@State(Scope.Benchmark)
public class MovingLoad {
  private static final long MIB = 1 << 20;
  private static final long OS_PAGE_BYTES = 4096;
  private static final int BUFFER_COUNT = 32;

  /** How the two allocators are set up. */
  public enum Owners {
    /** One allocator for both loads. */
    ONE(1, 128, false),
    /** Each keeps its own. */
    APART(2, 256, false),
    /** Each keeps its own until the other one needs it. */
    APART_IN_A_SMALL_BUDGET(2, 72, false),
    /** Free memory moves. */
    SHARING(2, 256, true),
    /** The same where there is room for one load only. */
    SHARING_IN_A_SMALL_BUDGET(2, 72, true);

    private final int count;
    private final long budgetMib;
    private final boolean isSharing;

    Owners(int count, long budgetMib, boolean isSharing) {
      this.count = count;
      this.budgetMib = budgetMib;
      this.isSharing = isSharing;
    }
  }

  /** The contenders. */
  @Param public Owners owners = Owners.ONE;

  private final PageBuffer[] buffers = new PageBuffer[BUFFER_COUNT];
  private PageAllocator[] allocators = {};
  private int phase;

  /** Opens the allocators. */
  @Setup(Level.Trial)
  public void open() {
    Budget budget = Budget.limitedTo("loads", owners.budgetMib * MIB);
    allocators = new PageAllocator[owners.count];
    for (int i = 0; i < owners.count; i++) {
      allocators[i] =
          PageAllocator.builder("load " + i)
              .budget(budget)
              .capacityBytes(128 * MIB)
              .zeroed(false)
              .shareFree(owners.isSharing)
              .build();
    }
  }

  /** Closes them. */
  @TearDown(Level.Trial)
  public void close() {
    for (PageAllocator allocator : allocators) {
      allocator.close();
    }
  }

  /** A phase of one owner; the next one is that of the other. */
  @Benchmark
  public void phase() {
    PageAllocator allocator = allocators[phase];
    phase = (phase + 1) % allocators.length;
    for (int i = 0; i < BUFFER_COUNT; i++) {
      buffers[i] = allocator.allocate(2 * MIB, PageAge.SHORT_LIVED);
      touch(buffers[i].segment());
    }
    for (PageBuffer buffer : buffers) {
      buffer.close();
    }
  }

  private static void touch(MemorySegment segment) {
    for (long at = 0; at < segment.byteSize(); at += OS_PAGE_BYTES) {
      segment.set(ValueLayout.JAVA_LONG, at, at);
    }
  }
}
