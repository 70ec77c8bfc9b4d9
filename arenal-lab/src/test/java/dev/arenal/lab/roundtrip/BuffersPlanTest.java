package dev.arenal.lab.roundtrip;

import static org.assertj.core.api.Assertions.assertThat;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.jmh.BenchmarkList;
import dev.arenal.lab.jmh.JmhPlan;
import dev.arenal.lab.result.MedianError;
import dev.arenal.lab.roundtrip.BuffersPlan.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans by machine and by length: their cells, their processes, and their time. */
final class BuffersPlanTest {
  private static final Part WHOLE = new Part(List.of(), List.of());
  private static final Choice<BufferAllocator> ALL =
      new Choice<>(List.of(BufferAllocator.values()), List.of());

  @TempDir Path folder;

  @Test
  void bareMachine_goesWithoutLibrariesAndSaysWhy() throws IOException {
    Choice<BufferAllocator> choice = choice(new HeapLibraries(Map.of(), List.of()));
    JmhPlan<BufferCell> plan = BuffersPlan.quick(choice, WHOLE);
    Set<BufferAllocator> expected = EnumSet.allOf(BufferAllocator.class);
    expected.removeAll(List.of(BufferAllocator.JEMALLOC, BufferAllocator.MIMALLOC));
    assertThat(plan.cells())
        .extracting(BufferCell::allocator)
        .isSubsetOf(expected)
        .containsAll(expected);
    assertThat(plan.notes()).hasSize(2);
    assertThat(plan.notes().getFirst())
        .startsWith("jemalloc is left out: no libjemalloc.so.2 or libjemalloc.so in the usual");
    assertThat(plan.notes().getLast()).startsWith("mimalloc is left out: no libmimalloc.so.3 or");
    assertThat(plan.lines()).noneMatch(line -> line.contains("preload="));
  }

  @Test
  void machineWithLibraries_hasJemallocPreloadedAndNothingElse() throws IOException {
    Files.createFile(folder.resolve("libjemalloc.so.2"));
    Files.createFile(folder.resolve("libmimalloc.so.2"));
    HeapLibraries libraries = new HeapLibraries(Map.of(), List.of(folder));
    JmhPlan<BufferCell> plan = BuffersPlan.quick(choice(libraries), WHOLE);
    assertThat(plan.notes()).isEmpty();
    assertThat(plan.cells())
        .extracting(BufferCell::allocator)
        .containsAll(EnumSet.allOf(BufferAllocator.class));
    assertThat(plan.cells())
        .allSatisfy(cell -> {
          boolean isJemalloc = cell.allocator() == BufferAllocator.JEMALLOC;
          assertThat(cell.preload()).isEqualTo(isJemalloc ? "ARENAL_JEMALLOC" : "");
        });
    assertThat(libraries.variables(List.of(BufferAllocator.values())))
        .isEqualTo(
            Map.of(
                "ARENAL_JEMALLOC", folder.resolve("libjemalloc.so.2").toString(),
                "ARENAL_MIMALLOC", folder.resolve("libmimalloc.so.2").toString()));
  }

  @Test
  void lines_sayWhatToRun() {
    List<BufferCell> cells =
        List.of(
            new BufferCell(BufferAllocator.ARENAL_ZEROED, 64, 1, false),
            new BufferCell(BufferAllocator.JEMALLOC, 4096, 16, true));
    assertThat(new JmhPlan<>(3, 0, 3, 150, 3, 100, cells, List.of()).lines())
        .containsExactly(
            "rounds 3",
            "seconds 0",
            "warmup 3 150",
            "measure 3 100",
            "cell netty 1 dev.arenal.bench.buffers.Buffers.arenalZeroed sizeBytes=64"
                + " jvm=shared",
            "cell netty 16 dev.arenal.bench.buffers.BuffersHandedOver.jemalloc sizeBytes=4096"
                + " preload=ARENAL_JEMALLOC jvm=shared");
  }

  @Test
  void usual_hasEverySizeAndNumberOfThreads() {
    JmhPlan<BufferCell> plan = BuffersPlan.usual(ALL, WHOLE, 3);
    assertThat(plan.cells())
        .extracting(BufferCell::sizeBytes)
        .containsOnly(64, 256, 1024, 4096, 16_384, 65_536, 1_048_576, 4_194_304);
    assertThat(plan.cells())
        .filteredOn(cell -> !cell.isHandedOver())
        .extracting(BufferCell::threadCount)
        .containsOnly(1, 2, 4, 16);
    assertThat(plan.cells())
        .filteredOn(BufferCell::isHandedOver)
        .extracting(BufferCell::threadCount)
        .containsOnly(2, 4, 16);
    assertThat(plan.cells())
        .filteredOn(cell -> cell.allocator() == BufferAllocator.JDK_SHARED)
        .extracting(BufferCell::threadCount)
        .containsOnly(1, 2);
    assertThat(plan.cellCount()).isEqualTo(9 * 8 * 3 + 8 * 8 * 4);
    assertThat(plan.roundCount()).isEqualTo(3);
    assertThat(plan.roundCount() * plan.measurementCount()).isGreaterThanOrEqualTo(15);
    assertThat(plan.estimatedSeconds()).isBetween(20 * 60, 35 * 60);
  }

  @Test
  void shortForms_keepToTheirTime() {
    assertThat(BuffersPlan.quick(ALL, WHOLE).estimatedSeconds()).isLessThanOrEqualTo(180);
    assertThat(BuffersPlan.lab(true, ALL).estimatedSeconds()).isLessThanOrEqualTo(35);
    assertThat(BuffersPlan.lab(false, ALL).estimatedSeconds()).isLessThanOrEqualTo(100);
  }

  @Test
  void roughForms_haveAnError() {
    for (JmhPlan<BufferCell> plan :
        List.of(
            BuffersPlan.quick(ALL, WHOLE),
            BuffersPlan.lab(true, ALL),
            BuffersPlan.lab(false, ALL))) {
      assertThat(plan.roundCount() * plan.measurementCount())
          .isGreaterThanOrEqualTo(MedianError.FEWEST_SAMPLES);
    }
  }

  /** Other load of the machine affects all contenders alike; the sizes of each share a JVM. */
  @Test
  void contenders_standBesideEachOther() {
    Part few = new Part(List.of(1, 2), List.of());
    List<BufferCell> cells = BuffersPlan.usual(ALL, few, 3).cells();
    List<BufferAllocator> allocators = ALL.kinds();
    int sizeCount = 8;
    for (int i = 0; i < cells.size(); i++) {
      assertThat(cells.get(i).isJvmShared()).isTrue();
      int place = i / sizeCount % allocators.size();
      assertThat(cells.get(i))
          .isEqualTo(cells.get(i - place * sizeCount).with(allocators.get(place)));
    }
  }

  @Test
  void sharedArenas_areMeasuredOnManyThreadsIfNothingElseIs() {
    Choice<BufferAllocator> one = new Choice<>(List.of(BufferAllocator.JDK_SHARED), List.of());
    Part part = new Part(List.of(16), List.of(64L));
    assertThat(BuffersPlan.usual(one, part, 1).cells()).hasSize(2);
  }

  @Test
  void part_hasWhatIsAskedFor() {
    Choice<BufferAllocator> two =
        new Choice<>(List.of(BufferAllocator.ARENAL, BufferAllocator.CONTROL), List.of());
    Part part = new Part(List.of(1, 3, 3), List.of(4096L, 64L, 64L));
    List<BufferCell> expected = new ArrayList<>();
    for (int load = 0; load < 3; load++) {
      for (BufferAllocator allocator : two.kinds()) {
        for (int sizeBytes : new int[] {4096, 64}) {
          expected.add(new BufferCell(allocator, sizeBytes, load == 0 ? 1 : 3, load == 2));
        }
      }
    }
    assertThat(BuffersPlan.usual(two, part, 1).cells()).isEqualTo(expected);
    assertThat(BuffersPlan.quick(two, part).cells()).isEqualTo(expected);
    assertThat(BuffersPlan.usual(two, new Part(List.of(1), List.of()), 1).cellCount())
        .isEqualTo(16);
  }

  @Test
  void everyCell_isABenchmark() throws IOException {
    for (BufferCell cell : BuffersPlan.usual(ALL, WHOLE, 3).cells()) {
      assertThat(BenchmarkList.contains(cell)).as(cell.describe()).isTrue();
    }
  }

  private static Choice<BufferAllocator> choice(HeapLibraries libraries) throws IOException {
    return Choice.installed(libraries, ALL.kinds(), List.of());
  }
}
