package dev.arenal.lab.confined;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.jmh.BenchmarkList;
import dev.arenal.lab.jmh.JmhPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How much each length of the experiment measures, and that it keeps to its time. */
final class ConfinedPlanTest {
  @Test
  void quick_isThePairInLessThanTwoMinutes() {
    JmhPlan<ConfinedCell> plan = ConfinedPlan.quick();
    assertThat(plan.cells())
        .extracting(ConfinedCell::factory)
        .containsOnly(Factory.JDK, Factory.POOLED);
    assertThat(plan.estimatedSeconds()).isLessThan(100);
    // On a machine half as fast: one round fits, and no second one is begun.
    assertThat(plan.mostSeconds()).isLessThan(100);
    assertThat(plan.estimatedSeconds() / plan.roundCount() * 2).isLessThan(120);
    assertThat(plan.cells())
        .extracting(cell -> cell.shape().label())
        .contains("one", "three", "four", "none", "nested", "escaping", "string", "strlen");
  }

  @Test
  void partsOfTheLab_keepToTheirTime() {
    assertThat(ConfinedPlan.lab(true).estimatedSeconds()).isLessThanOrEqualTo(20);
    assertThat(ConfinedPlan.lab(false).estimatedSeconds()).isLessThanOrEqualTo(45);
    assertThat(ConfinedPlan.lab(true).mostSeconds()).isZero();
    assertThat(ConfinedPlan.lab(false).mostSeconds()).isLessThan(45);
  }

  @Test
  void usual_hasAllFactoriesAndTheShapesOfTheContract() {
    JmhPlan<ConfinedCell> plan = ConfinedPlan.usual();
    assertThat(plan.cells()).extracting(ConfinedCell::factory).contains(Factory.values());
    assertThat(plan.cells().stream().map(cell -> cell.shape().label()).distinct())
        .containsExactly("one", "three", "four", "none", "nested", "escaping", "string", "strlen");
    assertThat(plan.estimatedSeconds()).isLessThan(9 * 60);
  }

  @Test
  void thorough_hasEverySizeAndEveryShape() {
    JmhPlan<ConfinedCell> plan = ConfinedPlan.thorough();
    for (Factory factory : Factory.PAIR) {
      List<Integer> sizes =
          plan.cells().stream()
              .filter(cell -> cell.factory() == factory && cell.shape() == Shape.ONE)
              .filter(cell -> !cell.isVirtual())
              .map(ConfinedCell::sizeBytes)
              .distinct()
              .toList();
      assertThat(sizes)
          .containsAll(IntStream.rangeClosed(0, 64).boxed().toList())
          .contains(100, 500, 2000, 8000);
    }
    assertThat(plan.cells()).extracting(ConfinedCell::shape).contains(Shape.values());
    assertThat(plan.estimatedSeconds()).isLessThan(20 * 60);
  }

  /** Other load of the machine affects all contenders alike. */
  @Test
  void contenders_standBesideEachOther() {
    for (JmhPlan<ConfinedCell> plan : List.of(ConfinedPlan.quick(), ConfinedPlan.thorough())) {
      List<ConfinedCell> pair =
          plan.cells().stream().filter(cell -> Factory.PAIR.contains(cell.factory())).toList();
      for (int i = 0; i < pair.size(); i += 2) {
        ConfinedCell jdk = pair.get(i);
        assertThat(pair.get(i + 1))
            .isEqualTo(
                new ConfinedCell(jdk.shape(), jdk.sizeBytes(), jdk.isVirtual(), Factory.POOLED));
      }
    }
  }

  @Test
  void everyCell_isABenchmark() throws IOException {
    for (JmhPlan<ConfinedCell> plan : List.of(ConfinedPlan.usual(), ConfinedPlan.thorough())) {
      for (ConfinedCell cell : plan.cells()) {
        assertThat(BenchmarkList.contains(cell)).as(cell.describe()).isTrue();
      }
    }
  }

  @Test
  void lines_sayWhatToRun() {
    List<ConfinedCell> cells = new ArrayList<>();
    cells.add(new ConfinedCell(Shape.ONE, 5, true, Factory.JDK));
    cells.add(new ConfinedCell(Shape.NONE, 0, false, Factory.LWJGL));
    cells.add(new ConfinedCell(Shape.CROWD, 20, true, Factory.POOLED));
    assertThat(new JmhPlan<>(2, 30, 3, 150, 4, 80, cells, List.of()).lines())
        .containsExactly(
            "rounds 2",
            "seconds 30",
            "warmup 3 150",
            "measure 4 80",
            "cell virtual 1 dev.arenal.bench.confined.ArenaAllocation.one factory=jdk sizeBytes=5",
            "cell platform 1 dev.arenal.bench.confined.MemoryStackOpening.none factory=lwjgl",
            "cell platform 1 dev.arenal.bench.confined.ArenaCrowd.crowd factory=pooled"
                + " sizeBytes=20");
  }
}
