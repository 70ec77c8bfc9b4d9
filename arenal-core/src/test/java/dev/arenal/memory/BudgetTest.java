package dev.arenal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.reserve.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

final class BudgetTest {
  @Test
  void commit_stopsExactlyAtTheLimit() {
    Budget budget = Budget.limitedTo("b", 100);
    assertThat(Ledger.of(budget).tryCommit(99)).isTrue();
    assertThat(Ledger.of(budget).tryCommit(2)).isFalse();
    assertThat(budget.committedBytes()).isEqualTo(99);
    assertThat(Ledger.of(budget).tryCommit(1)).isTrue();
    assertThat(Ledger.of(budget).tryCommit(1)).isFalse();
    assertThat(Ledger.of(budget).tryCommit(0)).isTrue();
    assertThat(Ledger.of(budget).tryCommit(Long.MAX_VALUE)).isFalse();
    assertThat(budget.committedBytes()).isEqualTo(100);
  }

  @Test
  void unlimited_countsAndDoesNotOverflow() {
    Budget budget = Budget.unlimited("b");
    assertThat(budget.isLimited()).isFalse();
    assertThat(Ledger.of(budget).tryCommit(Long.MAX_VALUE)).isTrue();
    assertThat(Ledger.of(budget).tryCommit(1)).isFalse();
    Ledger.of(budget).uncommit(Long.MAX_VALUE);
    assertThat(budget.committedBytes()).isZero();
  }

  @Test
  void limitOfZero_refusesEverything() {
    assertThat(Ledger.of(Budget.limitedTo("b", 0)).tryCommit(1)).isFalse();
  }

  @Test
  void badFigures_areRefused() {
    assertThatThrownBy(() -> Budget.limitedTo("b", -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("budget limit is negative: budget=b, limitBytes=-1 (expected 0 or more)");
    Budget budget = Budget.limitedTo("b", 100);
    assertThatThrownBy(() -> Ledger.of(budget).tryCommit(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size is negative: budget=b, sizeBytes=-1");
    assertThatThrownBy(() -> Ledger.of(budget).uncommit(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("size is negative: budget=b, sizeBytes=-1");
    assertThat(Ledger.of(budget).tryCommit(5)).isTrue();
    assertThatThrownBy(() -> Ledger.of(budget).uncommit(6))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "uncommit exceeds what is committed: budget=b, committedBytes=5, requestedBytes=6");
    assertThat(budget.committedBytes()).isEqualTo(5);
  }

  @Test
  void toString_showsFigures() {
    Budget budget = Budget.limitedTo("b", 100);
    assertThat(Ledger.of(budget).tryCommit(40)).isTrue();
    assertThat(budget).hasToString("Budget[name=b, limitBytes=100, committedBytes=40]");
    assertThat(Budget.unlimited("u"))
        .hasToString("Budget[name=u, limitBytes=none, committedBytes=0]");
  }

  @Test
  void reclaim_asksAllAndSumsUp() {
    Budget budget = Budget.limitedTo("b", 100);
    LongSupplier three = () -> 3;
    LongSupplier four = () -> 4;
    Ledger.of(budget).addReclaimer(three);
    Ledger.of(budget).addReclaimer(four);
    assertThat(budget.reclaim()).isEqualTo(7);
    Ledger.of(budget).removeReclaimer(three);
    assertThat(budget.reclaim()).isEqualTo(4);
    Ledger.of(budget).removeReclaimer(three);
    assertThat(budget.reclaim()).isEqualTo(4);
    Ledger.of(budget).removeReclaimer(four);
    assertThat(budget.reclaim()).isZero();
  }

  @Test
  void commits_ofManyThreads_neverExceedTheLimit() throws Exception {
    Budget budget = Budget.limitedTo("b", 1000);
    AtomicInteger exceeded = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int size = 100 + 50 * i;
      threads.add(
          Thread.ofPlatform()
              .start(() -> {
                for (int round = 0; round < 20_000; round++) {
                  if (Ledger.of(budget).tryCommit(size)) {
                    if (budget.committedBytes() > 1000) {
                      exceeded.incrementAndGet();
                    }
                    Ledger.of(budget).uncommit(size);
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(exceeded).hasValue(0);
    assertThat(budget.committedBytes()).isZero();
  }
}
