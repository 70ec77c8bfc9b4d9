package dev.arenal.page;

import dev.arenal.guard.WatchMode;
import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.page.granule.PageSettings;
import dev.arenal.page.granule.PageSupply;
import dev.arenal.page.span.SpanTable;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.stats.recorder.StatisticsRecorder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Page allocators for one test, over a strict simulated kernel; after the test each is verified,
 * trimmed and closed, and nothing may be left: no buffer, no mapping, no byte in a budget. Nothing
 * ticks but the test, so that what happens is always the same.
 *
 * <p>A field with {@code @RegisterExtension}. A test closes its buffers itself, as programs do.
 */
final class Allocators implements AfterEachCallback {
  static final long MIB = 1 << 20;
  static final long SECOND = 1_000_000_000L;
  private static final int RACK_COUNT = 4;

  final SimulatedOperatingSystem os = new SimulatedOperatingSystem();

  /** Where memory comes from: simulated, unless a test says otherwise. */
  OperatingSystem kernel = os;

  String name = "test";
  Budget budget = Budget.unlimited("test");
  CommitMode mode = CommitMode.DISCARD;
  long capacityBytes = 256 * MIB;
  WatchMode watchMode = WatchMode.OFF;
  Duration uncommitDelay = Duration.ofSeconds(8);
  long floorBytes;
  long pretouchBytes;
  @Nullable Pretouch pretouch;
  int slackPercent = 1000;
  boolean isZeroed = true;
  boolean sharesFree;

  /** Tests of heaps see each buffer come back at once. */
  boolean hasMagazines;

  boolean isChecked;
  boolean isRefillSynchronized = true;
  long largestReservationBytes = Long.MAX_VALUE;

  /** Of tests that failed on purpose: there shall be no warning of them. */
  private static final List<PageAllocator> ABANDONED = new CopyOnWriteArrayList<>();

  private final List<PageAllocator> allocators = new CopyOnWriteArrayList<>();
  private final List<Budget> budgets = new CopyOnWriteArrayList<>();
  private long nowNanos = System.nanoTime();

  /** An allocator with the settings that the fields have now. */
  PageAllocator open() {
    PageAllocator allocator =
        new PageAllocator(new PageState(settings(), watchMode, isRefillSynchronized));
    allocator.state().beginCycleAt(nowNanos); // whatever time it is by now
    budgets.add(budget);
    allocators.add(allocator);
    return allocator;
  }

  private PageSettings settings() {
    return new PageSettings(
        name,
        kernel,
        mode,
        budget,
        capacityBytes,
        uncommitDelay,
        floorBytes,
        pretouchBytes == 0 ? pretouch : Pretouch.upTo(pretouchBytes),
        slackPercent,
        0,
        isZeroed,
        isChecked,
        sharesFree,
        hasMagazines ? RACK_COUNT : 0, // on any machine
        largestReservationBytes,
        PageAllocatorBuilder.LONGEST_CLOSE_WAIT_NANOS);
  }

  /** The surroundings of a heap, for tests of just one. */
  PageContext context() {
    PageSupply supply =
        new PageSupply(settings(), StatisticsRecorder.open(PageSupply.KIND, "heaps of " + name));
    return new PageContext(
        name,
        isZeroed,
        isChecked,
        isRefillSynchronized,
        os.pageSizeBytes(),
        supply,
        new StallQueue(StallQueue.LONGEST_PARK_NANOS),
        new SpanTable(),
        new Racks(new SpanTable(), isZeroed, new BufferSampler(WatchMode.OFF, 0, 0), 0, 0),
        new HoleDiscards());
  }

  /** The simulated time. */
  long nowNanos() {
    return nowNanos;
  }

  /** Lets simulated time pass, with a tick each second, from when this was made. */
  void pass(PageAllocator allocator, Duration time) {
    for (long i = 0; i < time.toSeconds(); i++) {
      nowNanos += SECOND;
      allocator.state().tick(nowNanos);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    finish();
  }

  /** Checks the end of every life of an allocator. */
  void finish() {
    os.succeed();
    os.beforeDiscard(null);
    os.beforeAllow(null);
    try {
      for (PageAllocator allocator : allocators) {
        close(allocator);
      }
      for (Budget used : budgets) {
        check(used.committedBytes() == 0, "budget not returned: " + used);
      }
      os.assertNoComplaints();
    } catch (AssertionError e) {
      try {
        os.assertNothingMapped();
      } catch (AssertionError left) {
        e.addSuppressed(left);
      }
      throw e;
    } finally {
      allocators.clear();
      budgets.clear();
    }
    os.assertNothingMapped();
  }

  /** After a failure: unmaps the memory of allocators that are no longer used. */
  void abandon() {
    ABANDONED.addAll(allocators);
    allocators.clear();
    budgets.clear();
    try {
      os.assertNothingMapped();
    } catch (AssertionError _) {
      // As it must be.
    }
  }

  private static void close(PageAllocator allocator) {
    allocator.state().verify();
    check(allocator.usedBytes() == 0, "buffers left open: " + allocator.report());
    var _ = allocator.trim();
    allocator.state().verify();
    check(allocator.committedBytes() == 0, "committed after trim: " + allocator.report());
    check(allocator.report().committedBytes() == 0, "report after trim: " + allocator.report());
    allocator.close();
  }

  /** The same where it is checked millions of times: what to say costs more than the check. */
  static void check(boolean condition, Supplier<String> what) {
    if (!condition) {
      throw new AssertionError(what.get());
    }
  }

  static void check(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
