package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Batches that threads leave for each other. */
final class ExchangeTest {
  @Test
  void swap_givesTheBatchOfAnotherThread() {
    Exchange exchange = new Exchange(2);
    Batch ofFirst = batch(0);
    Batch ofSecond = batch(1);
    exchange.put(0, ofFirst);
    exchange.put(1, ofSecond);

    Batch mine = batch(0);
    assertThat(exchange.swap(0, mine, 0)).isSameAs(ofSecond);
    // Now both are of thread 0, which gets back its own; thread 1 may have either.
    Batch next = batch(0);
    assertThat(exchange.swap(0, next, 0)).isSameAs(next);
    assertThat(exchange.swap(1, ofSecond, 0)).isIn(ofFirst, mine);
  }

  @Test
  void clear_emptiesAPlaceOnce() {
    Exchange exchange = new Exchange(1);
    Batch batch = batch(0);
    exchange.put(0, batch);

    assertThat(exchange.clear(0)).isSameAs(batch);
    assertThat(exchange.clear(0)).isNull();
    assertThat(exchange.swap(1, batch, -1)).isSameAs(batch);
  }

  private static Batch batch(int sender) {
    Batch batch = new Batch(true);
    batch.setSender(sender);
    return batch;
  }
}
