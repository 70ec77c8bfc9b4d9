package dev.arenal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class DamageTest {
  private final Damage damage = new Damage("space", "tenants");

  @Test
  void withoutDamage_everythingIsServed() {
    damage.check();

    assertThat(damage.isNoted()).isFalse();
  }

  @Test
  void notedDamage_isRefusedWithItsCause() {
    StackOverflowError cause = new StackOverflowError();

    damage.note(cause);

    assertThat(damage.isNoted()).isTrue();
    assertThatThrownBy(damage::check)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "space is damaged: space=tenants, cause=java.lang.StackOverflowError (an operation"
                + " ended in the middle; close what is open, then the space, and build another"
                + " one)")
        .hasCause(cause);
  }

  @Test
  void furtherDamage_doesNotHideTheFirstOne() {
    StackOverflowError first = new StackOverflowError();

    damage.note(first);
    damage.note(new AssertionError());

    assertThatThrownBy(damage::check).hasCause(first);
  }
}
