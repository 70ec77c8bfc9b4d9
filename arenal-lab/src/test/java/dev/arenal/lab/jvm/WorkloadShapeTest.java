package dev.arenal.lab.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes of the workload: their limits, the memory they need, and their flags. */
final class WorkloadShapeTest {
  private static final long MIB = 1024 * 1024;
  private static final WorkloadShape SMALL = new WorkloadShape(5, 100, 10, 10, "class", 1, 0);

  @Test
  void arguments_sayEverything() {
    assertThat(String.join(" ", new WorkloadShape(5, 80, 20, 4, "0.25", 2, 50).arguments()))
        .isEqualTo(
            "--events --generations 5 --loaders 80 --classes 20 --size 4 --interleave 0.25"
                + " --cycles 2 --pause 50");
    assertThat(SMALL.arguments()).doesNotContain("--pause");
  }

  @Test
  void description_isForPeople() {
    assertThat(SMALL.description())
        .isEqualTo(
            "5 generations of 100 loaders with 10 classes of size 10 each, one class per turn;"
                + " loaded once");
    assertThat(new WorkloadShape(3, 8000, 20, 4, "loader", 2, 0).description())
        .isEqualTo(
            "3 generations of 8,000 loaders with 20 classes of size 4 each, all its classes per"
                + " turn; loaded 2 times");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 1, 1, 0, '--generations, value=1 (expected a whole number, 2..1000000)'",
    "5, 0, 1, 1, 1, 0, '--loaders, value=0 (expected a whole number, 1..1000000)'",
    "5, 1, 1000001, 1, 1, 0, '--classes, value=1000001 (expected a whole number, 1..1000000)'",
    "5, 1, 1, 1001, 1, 0, '--size, value=1001 (expected a whole number, 1..1000)'",
    "5, 1, 1, 1, 0, 0, '--cycles, value=0 (expected a whole number, 1..1000000)'",
    "5, 1, 1, 1, 1, -1, '--pause, value=-1 (expected a whole number, 0..60000)'",
  })
  void figuresOutOfRange_areRefused(
      int generations, int loaders, int classes, int size, int cycles, int pause, String message) {
    assertThatThrownBy(
            () -> new WorkloadShape(generations, loaders, classes, size, "class", cycles, pause))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("option out of range: option=" + message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "0", "-0.5", "NaN", "often", "", "0x1"})
  void interleavesThatAreNone_areRefused(String interleave) {
    assertThatThrownBy(() -> new WorkloadShape(5, 1, 1, 1, interleave, 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "option out of range: option=--interleave, value="
                + interleave
                + " (expected loader, class or a fraction, 0 < f <= 1)");
  }

  @Test
  void need_isEnoughForWhatWasMeasured() {
    // Committed at the second peak, by the one that took most: Java 11.
    assertThat(WorkloadShape.DEFAULT.metaspaceBytes()).isBetween(542_000_000L, 600_000_000L);
    // 40,000 loaders of one class: 577 MB committed, and 214 MB that malloc had.
    assertThat(new WorkloadShape(5, 8000, 1, 10, "class", 1, 0).metaspaceBytes())
        .isBetween(790_000_000L, 900_000_000L);
    assertThat(new WorkloadShape(5, 100, 50, 50, "loader", 1, 0).metaspaceBytes())
        .isBetween(1_250_000_000L * 9 / 10, 1_400_000_000L);
  }

  @Test
  void workloadThatDoesNotFit_isRefusedWithTheSum() {
    List<JvmSpec> specs = List.of(spec(), spec("-Xmx1g"));
    // 5 * 100 * 10 classes, 5 * 100 loaders; the second one has the larger heap.
    long metaspaceBytes = 5000 * (1536 + 10 * 976) + 500 * 10_240;
    long sumBytes = 1024 * MIB + metaspaceBytes + 128 * MIB;
    assertThatCode(() -> JvmLab.check(specs, SMALL, sumBytes)).doesNotThrowAnyException();
    assertThatThrownBy(() -> JvmLab.check(specs, SMALL, sumBytes - 1))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "not enough memory for the workload: jvm=JDK 25, heapBytes=1073741824,"
                + " metaspaceBytes="
                + metaspaceBytes
                + ", jvmBytes=134217728, sumBytes="
                + sumBytes
                + ", availableBytes="
                + (sumBytes - 1)
                + " (expected the sum to be available; load less with --loaders, --classes or"
                + " --size, stop other programs or raise the limit of the container)");
  }

  @Test
  void workloadBeyondAllNumbers_isRefusedToo() {
    WorkloadShape shape =
        new WorkloadShape(1_000_000, 1_000_000, 1_000_000, 1000, "class", 1_000_000, 0);
    assertThatThrownBy(() -> JvmLab.check(List.of(spec()), shape, Long.MAX_VALUE - 1))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("not enough memory for the workload: jvm=JDK 25, heapBytes=");
  }

  @Test
  void heap_hasAFixedSizeAndACollectorThatIsTheUsers() {
    assertThat(JvmFlags.of(spec(), SMALL).words())
        .containsExactly("-XX:+AlwaysPreTouch", "-Xms80m", "-Xmx80m", "-XX:+UseSerialGC");
    assertThat(JvmFlags.of(spec("-XX:+UseG1GC", "-Xmx1g", "-Xint"), SMALL))
        .isEqualTo(
            new JvmFlags(
                List.of("-XX:+AlwaysPreTouch", "-Xms1024m", "-Xmx1024m", "-XX:+UseG1GC", "-Xint"),
                1024 * MIB));
    assertThat(JvmFlags.of(spec("-Xms70000k"), SMALL).words())
        .contains("-Xms71680000", "-Xmx71680000");
    // More than a number can be: refused as one that no machine has.
    assertThat(JvmFlags.of(spec("-Xmx99999999999g"), SMALL).heapBytes()).isEqualTo(Long.MAX_VALUE);
  }

  private static JvmSpec spec(String... flags) {
    return new JvmSpec("JDK 25", Path.of("java"), "25.0.3+9", 25, List.of(flags));
  }
}
