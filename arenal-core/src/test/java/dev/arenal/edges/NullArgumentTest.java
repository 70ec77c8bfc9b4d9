package dev.arenal.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.elastic.ArenaGrowth;
import dev.arenal.elastic.ElasticSpace;
import dev.arenal.elastic.ReportDetail;
import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.page.PageAge;
import dev.arenal.page.PageAllocator;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** A null argument is refused by the name of its parameter, and nothing has changed. */
@NullUnmarked
final class NullArgumentTest {
  private static void assertRefused(String name, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(name);
  }

  @Test
  void budget_refusesNull() {
    Budget budget = Budget.limitedTo("b", 100);
    assertRefused("name", () -> Budget.limitedTo(null, 1));
    assertRefused("reclaimer", () -> budget.addReclaimer(null));
    assertThat(budget.reclaim()).isZero();
  }

  @Test
  void reservedMemory_refusesNull() {
    Budget budget = Budget.unlimited("b");
    assertRefused("budget", () -> ReservedMemory.reserve("m", 4096, null));
    try (ReservedMemory memory = ReservedMemory.reserve("m", 4096, budget)) {
      assertRefused("settings", () -> memory.pretouch(null));
    }
  }

  @Test
  void space_refusesNull() {
    assertRefused("delay", () -> ElasticSpace.builder("s").uncommitDelay(null));
    assertRefused("sharedBudget", () -> ElasticSpace.builder("s").budget(null));
    try (ElasticSpace space = ElasticSpace.builder("s").fixedSizeBytes(1 << 20).build()) {
      ArenaGrowth none = null;
      assertRefused("growth", () -> space.openConfined("a", none));
      assertRefused("growth", () -> space.openShared("a", none));
      assertThat(space.arenaCount()).isZero();
      assertRefused("settings", () -> space.pretouch(null));
      assertRefused("block", () -> space.reference(null));
      assertRefused("details", () -> space.report((ReportDetail[]) null));
      assertRefused("detail", () -> space.report((ReportDetail) null));
    }
  }

  @Test
  void pages_refuseNull() {
    assertRefused("delay", () -> PageAllocator.builder("p").uncommitDelay(null));
    assertRefused("sharedBudget", () -> PageAllocator.builder("p").budget(null));
    try (PageAllocator pages = PageAllocator.builder("p").capacityBytes(64 << 20).build()) {
      assertRefused("age", () -> pages.allocate(1, (PageAge) null));
      assertRefused("duration", () -> pages.allocate(1, (Duration) null));
      assertRefused("duration", () -> pages.allocate(1, PageAge.SHORT_LIVED, null));
      assertRefused("settings", () -> pages.pretouch(null));
      assertThat(pages.usedBytes()).isZero();
    }
  }
}
