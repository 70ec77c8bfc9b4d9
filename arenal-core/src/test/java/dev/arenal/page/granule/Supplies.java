package dev.arenal.page.granule;

import dev.arenal.memory.Budget;
import dev.arenal.memory.CommitMode;
import dev.arenal.os.OperatingSystem;
import dev.arenal.os.SimulatedOperatingSystem;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.stats.recorder.StatisticsRecorder;
import dev.arenal.supply.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Supplies for one test, over a strict simulated kernel; after the test each is verified and
 * closed, and nothing may be left: no mapping, no byte in a budget.
 *
 * <p>A field with {@code @RegisterExtension}. A test gives its pages back itself, or not at all.
 */
public final class Supplies implements AfterEachCallback {
  public static final long MIB = 1 << 20;

  public final SimulatedOperatingSystem os = new SimulatedOperatingSystem();
  public Budget budget = Budget.unlimited("test");
  public CommitMode mode = CommitMode.DISCARD;
  public long capacityBytes = 64 * MIB;
  public Duration uncommitDelay = Duration.ofMinutes(5);
  public long floorBytes;
  boolean sharesFree;
  long pretouchBytes;
  @Nullable Pretouch pretouch;
  public long largestReservationBytes = Long.MAX_VALUE;
  long longestCloseWaitNanos = 5_000_000_000L;

  private final List<PageSupply> supplies = new ArrayList<>();
  private final List<Budget> budgets = new ArrayList<>();

  /** A supply with the settings that the fields have now. */
  public PageSupply open() {
    return open(os);
  }

  PageSupply open(OperatingSystem kernel) {
    budgets.add(budget);
    PageSupply supply = new PageSupply(settings(kernel), recorder());
    supplies.add(supply);
    return supply;
  }

  /** Has its requests wait for others however busy the machine is. */
  public static void beForbearing(PageSupply supply) {
    Patience.forReturns(supply.state.claims);
  }

  static StatisticsRecorder recorder() {
    return StatisticsRecorder.open("PageAllocator", "test");
  }

  public PageSettings settings(OperatingSystem kernel) {
    return new PageSettings(
        "test",
        kernel,
        mode,
        budget,
        capacityBytes,
        uncommitDelay,
        floorBytes,
        pretouchBytes == 0 ? pretouch : Pretouch.upTo(pretouchBytes),
        15,
        0,
        false,
        false,
        sharesFree,
        0,
        largestReservationBytes,
        longestCloseWaitNanos);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    finish();
  }

  /** Checks the end of every life of a supply. */
  void finish() {
    os.succeed();
    os.beforeDiscard(null);
    try {
      for (PageSupply supply : supplies) {
        supply.verify();
        supply.close();
      }
      for (Budget used : budgets) {
        if (used.committedBytes() != 0) {
          throw new AssertionError("budget not returned: " + used);
        }
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
      supplies.clear();
      budgets.clear();
    }
    os.assertNothingMapped();
  }
}
