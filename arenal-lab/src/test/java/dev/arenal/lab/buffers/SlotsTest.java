package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Buffers without gaps. */
final class SlotsTest {
  @Test
  void remove_closesTheGapAndForgetsTheHandle() {
    Slots slots = new Slots(1, true);
    for (int i = 0; i < 40; i++) {
      slots.setHandle(slots.next(), "handle " + i);
      slots.add(1000 + i, Slots.tag(i, 64 + i));
    }
    slots.remove(3);

    assertThat(slots.count()).isEqualTo(39);
    assertThat(slots.address(3)).isEqualTo(1039);
    assertThat(slots.sizeBytes(3)).isEqualTo(103);
    assertThat(slots.handle(3)).isEqualTo("handle 39");
    assertThat(slots.handle(39)).isNull();
  }

  @Test
  void moveTo_takesEverythingAlong() {
    for (boolean hasHandles : new boolean[] {true, false}) {
      Slots from = new Slots(2, hasHandles);
      Slots to = new Slots(0, hasHandles);
      int place = from.next();
      if (hasHandles) {
        from.setHandle(place, "handle");
      }
      from.add(8, Slots.tag(-1, Integer.MAX_VALUE));
      from.moveTo(to, 0);

      assertThat(from.count()).isZero();
      assertThat(to.address(0)).isEqualTo(8);
      assertThat(to.sizeBytes(0)).isEqualTo(Integer.MAX_VALUE);
      if (hasHandles) {
        assertThat(to.handle(0)).isEqualTo("handle");
      }
    }
  }
}
