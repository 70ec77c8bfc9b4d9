package dev.arenal.lab.buffers;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LongSummaryStatistics;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Batches that threads leave for each other. */
final class ExchangeTest {
  @Test
  void swap_givesTheBatchOfAnotherThread() {
    Exchange exchange = new Exchange(2, 0);
    Batch ofFirst = batch(0);
    Batch ofSecond = batch(1);
    exchange.put(0, ofFirst);
    exchange.put(1, ofSecond);

    Batch mine = batch(0);
    assertThat(exchange.swap(mine, 0)).isSameAs(ofSecond);
    // Now both are of thread 0, which gets back its own; thread 1 may have either.
    Batch next = batch(0);
    assertThat(exchange.swap(next, 0)).isSameAs(next);
    assertThat(exchange.swap(ofSecond, 0)).isIn(ofFirst, mine);
  }

  @Test
  void clear_emptiesAPlaceOnce() {
    Exchange exchange = new Exchange(1, 0);
    Batch batch = batch(0);
    exchange.put(0, batch);

    assertThat(exchange.clear(0)).isSameAs(batch);
    assertThat(exchange.clear(0)).isNull();
    batch.seal(1);
    assertThat(exchange.swap(batch, -1)).isSameAs(batch);
  }

  @Test
  void swap_keepsTheSumNearTheTarget() {
    int[] sizes = BufferSizes.USUAL.draw(1 << 14);
    int placeCount = 512;
    double meanBytes = Arrays.stream(sizes).average().orElseThrow() * Batch.BUFFER_COUNT;
    long targetBytes = (long) (placeCount * meanBytes);
    Exchange exchange = new Exchange(placeCount, targetBytes);
    Random random = new Random(16);
    for (int place = 0; place < placeCount; place++) {
      Batch batch = new Batch(false);
      fill(batch, place % 4, sizes, random);
      exchange.put(place, batch);
    }
    Batch mine = new Batch(false);
    LongSummaryStatistics errors = new LongSummaryStatistics();
    for (int i = 0; i < 20_000; i++) {
      fill(mine, i % 4, sizes, random);
      mine = exchange.swap(mine, random.nextLong());
      errors.accept(Math.abs(exchange.sizeBytes() - targetBytes));
    }
    // By chance alone it is several times as much.
    assertThat(errors.getAverage()).isLessThan(0.02 * targetBytes);
    long sumBytes = 0;
    for (int place = 0; place < placeCount; place++) {
      sumBytes += requireNonNull(exchange.clear(place)).sizeBytes();
    }
    assertThat(exchange.sizeBytes()).isEqualTo(sumBytes);
  }

  private static void fill(Batch batch, int sender, int[] sizes, Random random) {
    Slots slots = batch.slots();
    while (slots.count() > 0) {
      slots.remove(0);
    }
    while (slots.count() < Batch.BUFFER_COUNT) {
      int _ = slots.next();
      slots.add(0, Slots.tag(0, sizes[random.nextInt(sizes.length)]));
    }
    batch.seal(sender);
  }

  private static Batch batch(int sender) {
    Batch batch = new Batch(true);
    batch.seal(sender);
    return batch;
  }
}
