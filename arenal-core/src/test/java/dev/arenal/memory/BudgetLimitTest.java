package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.OutOfNativeMemoryError;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import dev.arenal.page.PageBuffer;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.reserve.Ledger;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Limits that change, reclaimers that end, and the figures of refusals. */
final class BudgetLimitTest {
  private static final long MIB = 1 << 20;

  @Test
  void lowerLimit_refusesUntilEnoughHasGoneBack() {
    Budget budget = Budget.limitedTo("b", 100);
    Ledger ledger = Ledger.of(budget);
    assertThat(ledger.tryCommit(80)).isTrue();
    budget.setLimitBytes(50);
    assertThat(budget.committedBytes()).isEqualTo(80);
    assertThat(budget.availableBytes()).isZero();
    assertThat(ledger.tryCommit(1)).isFalse();
    ledger.uncommit(30);
    assertThat(ledger.tryCommit(1)).isFalse();
    ledger.uncommit(1);
    assertThat(ledger.tryCommit(1)).isTrue();
    assertThat(ledger.tryCommit(1)).isFalse();
    budget.setLimitBytes(Long.MAX_VALUE);
    assertThat(budget.isLimited()).isFalse();
    assertThat(ledger.tryCommit(1000)).isTrue();
  }

  @Test
  void negativeLimit_isRefusedAndChangesNothing() {
    Budget budget = Budget.limitedTo("b", 100);
    assertThatThrownBy(() -> budget.setLimitBytes(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("budget limit is negative: budget=b, limitBytes=-1 (expected 0 or more)");
    assertThat(budget.limitBytes()).isEqualTo(100);
  }

  /** It asks for nothing that the limit could refuse. */
  @Test
  void pretouchOfWhatIsThere_succeedsAtALoweredLimit() {
    Budget budget = Budget.limitedTo("b", 8 * MIB);
    try (ElasticSpace space = ElasticSpace.builder("s").budget(budget).build()) {
      assertThat(space.pretouch(Pretouch.upTo(8 * MIB)).touchedBytes()).isEqualTo(8 * MIB);
      budget.setLimitBytes(4 * MIB);
      var _ = space.pretouch(Pretouch.upTo(8 * MIB));
      assertThat(space.committedBytes()).isEqualTo(8 * MIB);
    }
  }

  @Test
  void refusalOfPages_hasItsFigures_andAHigherLimitServes() {
    Budget budget = Budget.limitedTo("b", 4 * MIB);
    try (PageAllocator pages =
        PageAllocator.builder("p").capacityBytes(64 * MIB).budget(budget).build()) {
      assertThatThrownBy(() -> pages.allocate(8 * MIB, PageAge.LONG_LIVED))
          .isInstanceOfSatisfying(
              OutOfNativeMemoryError.class,
              e -> {
                assertThat(e.name()).isEqualTo("p");
                assertThat(e.requestedBytes()).isEqualTo(8 * MIB);
                assertThat(e.budgetName()).isEqualTo("b");
                assertThat(e.limitBytes()).isEqualTo(4 * MIB);
                assertThat(e.committedBytes()).isEqualTo(pages.committedBytes());
                assertThat(e.budgetCommittedBytes()).isEqualTo(budget.committedBytes());
              });
      budget.setLimitBytes(64 * MIB);
      try (PageBuffer buffer = pages.allocate(8 * MIB, PageAge.LONG_LIVED)) {
        assertThat(buffer.segment().byteSize()).isEqualTo(8 * MIB);
      }
    }
    assertThat(budget.committedBytes()).isZero();
  }

  @Test
  void closedRegistration_isNotAsked_andOthersOfTheSameReclaimerAre() {
    Budget budget = Budget.limitedTo("b", 100);
    AtomicInteger asked = new AtomicInteger();
    Budget.Registration first = budget.addReclaimer(_ -> asked.incrementAndGet());
    try (Budget.Registration _ = budget.addReclaimer(_ -> asked.incrementAndGet())) {
      assertThat(budget.reclaim()).isEqualTo(1 + 2);
      first.close();
      first.close();
      assertThat(budget.reclaim()).isEqualTo(3);
    }
    assertThat(budget.reclaim()).isZero();
    assertThat(asked).hasValue(3);
  }

  @Test
  void registration_canBeClosedByItsReclaimer() {
    Budget budget = Budget.limitedTo("b", 100);
    AtomicReference<Budget.Registration> registration = new AtomicReference<>();
    registration.set(
        budget.addReclaimer(_ -> {
          registration.get().close();
          return 7;
        }));
    assertThat(budget.reclaim()).isEqualTo(7);
    assertThat(budget.reclaim()).isZero();
  }

  /** A thread that is about to ask all has a list of them, and comes to the second one later. */
  @Test
  void registrationThatIsClosedWhileOthersAreAsked_isNotAskedAnyMore() {
    Budget budget = Budget.limitedTo("b", 100);
    AtomicReference<Budget.Registration> second = new AtomicReference<>();
    try (Budget.Registration _ =
        budget.addReclaimer(_ -> {
          second.get().close();
          return 1;
        })) {
      second.set(budget.addReclaimer(_ -> 10));
      assertThat(budget.reclaim()).isEqualTo(1);
    }
  }
}
