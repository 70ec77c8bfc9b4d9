package dev.arenal.page.granule;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.supply.Claims;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Only what is cached during a whole delay goes back at its end. */
final class CacheCycleTest {
  private static final long GRANULE = PageSupply.GRANULE_BYTES;
  private static final long DELAY_NANOS = 8_000_000_000L;

  @RegisterExtension private final Supplies supplies = new Supplies();

  private PageSupply open() {
    supplies.uncommitDelay = Duration.ofNanos(DELAY_NANOS);
    return supplies.open();
  }

  private static PageMemory take(PageSupply supply, int count) {
    return requireNonNull(supply.tryTake(PageKind.LARGE, count * GRANULE, 0));
  }

  @Test
  void memoryThatWasInUseMeanwhile_staysForAnotherDelay() {
    PageSupply supply = open();
    supply.giveBack(take(supply, 8), 0);
    supply.tick(0);
    supply.giveBack(take(supply, 6), 0);
    supply.tick(DELAY_NANOS);
    supply.tick(2 * DELAY_NANOS - 1);
    assertThat(supply.figures().cachedBytes()).isEqualTo(6 * GRANULE);
    for (int i = 4; i <= 6; i++) { // a bit at a time
      supply.tick(i * DELAY_NANOS / 2);
    }
    assertThat(supply.figures().cachedBytes()).isZero();
  }

  @Test
  void memoryThatWasLentMeanwhile_isNotIdle() {
    supplies.sharesFree = true;
    PageSupply giver = open();
    PageSupply receiver = open();
    giver.giveBack(take(giver, 8), 0);
    PageMemory other = take(giver, 8); // the cache goes to it: nothing is committed later
    giver.giveBack(take(giver, 8), 0);
    giver.tick(0);
    PageMemory lent = take(receiver, 8);
    assertThat(giver.figures().cachedBytes()).isZero();
    giver.giveBack(other, 0);
    giver.tick(DELAY_NANOS);
    giver.tick(2 * DELAY_NANOS - 1);
    assertThat(giver.figures().cachedBytes()).isEqualTo(8 * GRANULE);
    receiver.giveBack(lent, 0);
  }

  /** Granules that a pretouch has in hand are part of the capacity, and waited for. */
  @Test
  void memoryOfAPretouch_isNeitherExceededNorMissed() throws InterruptedException {
    PageSupply supply = supplies.open(); // of 32 granules
    SupplyState state = supply.state;
    state.lock.lock();
    try {
      state.granules.prepare(0, 30);
      state.granules.claimFree(0, 30);
      state.granules.pretouchGranules += 30;
      state.claims.begin(Claims.Use.PRETOUCH);
    } finally {
      state.lock.unlock();
    }
    assertThat(supply.tryTake(PageKind.LARGE, 4 * GRANULE, 0)).isNull();
    Supplies.beForbearing(supply);
    Thread thread = Thread.ofPlatform().start(() -> endAfterAWhile(state));
    assertThat(supply.tryTakeHalving(PageKind.MEDIUM, 8 * GRANULE, 4 * GRANULE, 0)).isNotNull();
    thread.join();
  }

  private static void endAfterAWhile(SupplyState state) {
    LockSupport.parkNanos(50_000_000);
    state.lock.lock();
    try {
      state.granules.pretouchGranules -= 30;
      state.granules.putFree(0, 30);
      state.claims.end(Claims.Use.PRETOUCH);
    } finally {
      state.lock.unlock();
    }
  }
}
