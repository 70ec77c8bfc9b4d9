package dev.arenal.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Variants that take turns. */
final class RoundsTest {
  private final List<String> calls = new ArrayList<>();

  @Test
  void variants_takeTurnsWhileTheyAreDue() throws Exception {
    Rounds<String, Integer> rounds =
        Rounds.of(
            List.of("a", "b", "c"),
            3,
            (variant, round) -> !variant.equals("b") || round == 1,
            (variant, round) -> {
              calls.add(variant + round);
              return round;
            });
    assertThat(calls).containsExactly("a1", "b1", "c1", "a2", "c2", "a3", "c3");
    assertThat(rounds.of("a")).containsExactly(1, 2, 3);
    assertThat(rounds.of("b")).containsExactly(1);
    assertThat(rounds.of("d")).isEmpty();
    assertThat(rounds.all()).containsExactly(1, 2, 3, 1, 1, 2, 3);
    assertThat(rounds.failures()).isEmpty();
  }

  @Test
  void variantThatFails_failsOnceAndTheOthersGoOn() throws Exception {
    Rounds<String, Integer> rounds =
        Rounds.of(
            List.of("a", "b"),
            2,
            (variant, round) -> {
              calls.add(variant + round);
              if (variant.equals("a")) {
                throw new ChildFailedException("a died");
              }
              return round;
            });
    assertThat(calls).containsExactly("a1", "b1", "b2");
    assertThat(rounds.failures()).containsExactly(Map.entry("a", "a died"));
    assertThat(rounds.all()).containsExactly(1, 2);
  }

  @Test
  void variants_runSideBySideAndThoseThatFailedAreNotTrusted() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    Rounds<String, Integer> rounds =
        Rounds.sideBySide(
            2,
            List.of("a", "b"),
            2,
            (variant, round) -> {
              both.countDown();
              both.await(); // one at a time would wait for ever
              if (variant.equals("a") && round == 2) {
                throw new ChildFailedException("a died");
              }
              return round;
            });
    assertThat(rounds.all()).containsExactly(1, 1, 2);
    assertThat(rounds.trusted()).containsExactly(List.of(1, 2));
    assertThat(rounds.failures()).containsExactly(Map.entry("a", "a died"));
  }
}
