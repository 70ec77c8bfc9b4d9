package dev.arenal.lab.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.arenal.lab.heap.Choice;
import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.ChildFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every allocator that this machine has, in processes of their own: a churn of a moment. */
final class PeersTest {
  private static final long MIB = 1 << 20;
  private static final BufferSizes SIZES = new BufferSizes(64, 1 << 20, 4 << 10, 1.8, 1);

  private static final List<PeerKind> ALL = List.of(PeerKind.values());

  @TempDir Path folder;

  @Test
  void everyAllocator_standsAChurn() throws IOException, InterruptedException {
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    List<PeerKind> kinds = new ArrayList<>(usual(libraries).kinds());
    kinds.add(PeerKind.ARENAL_ZEROED);
    ChurnPlan plan = new ChurnPlan(kinds, List.of(2), 4_000, 1, 48 * MIB, SIZES, List.of());
    List<String> steps = new ArrayList<>();

    ChurnMeasurement measurement = ChurnRun.run(plan, libraries, (_, step, _) -> steps.add(step));

    assertThat(measurement.failures()).isEmpty();
    assertThat(measurement.results()).extracting(ChurnResult::kind).isEqualTo(kinds);
    assertThat(measurement.results())
        .allSatisfy(result -> {
          assertThat(result.end().operation()).isEqualTo(4_000);
          assertThat(result.end().liveBytes()).isBetween(44 * MIB, 52 * MIB);
          // All of it is written; what the JVM itself gave back meanwhile is some MiB, and more
          // where the machine is busy and its compilers have just come to rest.
          assertThat(result.end().residentBytes())
              .isBetween(result.end().liveBytes() - 20 * MIB, 40 * result.end().liveBytes());
        });
    assertThat(measurement.results())
        .allSatisfy(result -> assertThat(result.p999AllocationNanos()).isPositive())
        .filteredOn(result -> result.kind().label().matches(".*-(short|trim|decay)"))
        .allSatisfy(result -> assertThat(result.delay()).isEqualTo(PeerSettings.SHORT_DELAY));
    assertThat(measurement.find(PeerKind.ARENAL, 2).orElseThrow().delay())
        .isEqualTo(Duration.ofMinutes(5));
    assertThat(measurement.control(2)).isPresent();
    assertThat(steps.getFirst())
        .isEqualTo("arenal, 2 threads (1 of %d)".formatted(kinds.size() + 1));
  }

  @Test
  void runs_takeTurns() throws IOException, InterruptedException {
    ChurnPlan plan =
        new ChurnPlan(List.of(PeerKind.MALLOC), List.of(1), 1_000, 2, 4 * MIB, SIZES, List.of());
    List<String> steps = new ArrayList<>();

    ChurnMeasurement measurement =
        ChurnRun.run(plan, HeapLibraries.ofThisMachine(), (_, step, _) -> steps.add(step));

    assertThat(measurement.failures()).isEmpty();
    assertThat(steps.stream().distinct())
        .containsExactly(
            "malloc, 1 threads (1 of 4)",
            "none, 1 threads (2 of 4)",
            "malloc, 1 threads (3 of 4)",
            "none, 1 threads (4 of 4)");
    assertThat(measurement.results()).extracting(ChurnResult::kind).isEqualTo(plan.kinds());
    assertThat(measurement.results())
        .allSatisfy(result -> {
          assertThat(result.runs()).hasSize(2);
          assertThat(result.nanosPerOperation()).isEqualTo(result.leastNanosPerOperation());
        });
    assertThat(measurement.control(1).orElseThrow().runs()).hasSize(2);
  }

  @Test
  void libraryThatIsNoHeap_failsOneRowAndNotTheOthers() throws IOException, InterruptedException {
    Path library = Path.of(System.getProperty("java.home"), "lib", "libzip.so");
    HeapLibraries libraries =
        new HeapLibraries(Map.of("ARENAL_MIMALLOC", library.toString()), List.of());
    ChurnPlan plan =
        new ChurnPlan(
            List.of(PeerKind.MIMALLOC, PeerKind.MALLOC),
            List.of(1),
            1_000,
            1,
            4 * MIB,
            SIZES,
            List.of());

    ChurnMeasurement measurement = ChurnRun.run(plan, libraries, (_, _, _) -> {});

    assertThat(measurement.failures())
        .containsExactly(
            ("churn died: allocator=mimalloc, threads=1, round=1, exitCode=1; its last lines:\n"
                    + "    not the library it should be: library=%s, missingFunction=mi_malloc")
                .formatted(library));
    assertThat(measurement.results())
        .extracting(ChurnResult::kind)
        .containsExactly(PeerKind.MALLOC);
  }

  @Test
  void choice_isWhatIsInstalledOrAnError() throws IOException {
    HeapLibraries nothing = new HeapLibraries(Map.of(), List.of(folder));

    Choice<PeerKind> all = usual(nothing);
    assertThat(all.kinds())
        .containsExactly(
            PeerKind.ARENAL,
            PeerKind.ARENAL_SHORT,
            PeerKind.NETTY_ADAPTIVE,
            PeerKind.NETTY_POOLED,
            PeerKind.MALLOC,
            PeerKind.MALLOC_TRIM);
    assertThat(all.notes()).hasSize(3).allMatch(note -> note.contains(" is left out: "));
    assertThat(Choice.named(nothing, ALL, List.of("malloc", " arenal-zeroed", "malloc")).kinds())
        .containsExactly(PeerKind.MALLOC, PeerKind.ARENAL_ZEROED);
    assertThatThrownBy(() -> Choice.named(nothing, ALL, List.of("jemalloc")))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("allocator is not installed: allocator=jemalloc, ");
    assertThatThrownBy(() -> Choice.named(nothing, ALL, List.of("tcmalloc")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown allocator: name=tcmalloc (expected one of arenal, arenal-short,"
                + " arenal-zeroed, netty-adaptive, netty-pooled, malloc, malloc-trim, jemalloc,"
                + " jemalloc-decay, mimalloc, none)");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void settingThatIsNotTaken_failsTheRow() throws IOException, InterruptedException {
    HeapLibraries libraries = HeapLibraries.ofThisMachine();
    assumeThat(libraries.installed(List.of(PeerKind.JEMALLOC_DECAY))).isNotEmpty();
    ChurnWork work = new ChurnWork(PeerKind.JEMALLOC_DECAY, 1, 1_000, 4 * MIB, SIZES);

    // The process of the same heap with its defaults.
    assertThatThrownBy(() ->
            PeerProcess.child(
                    "churn", "a=b", PeerKind.JEMALLOC, PeerSettings.SHORT_DELAY, libraries)
                .run(work, ChurnResult.class, _ -> {}))
        .isInstanceOf(ChildFailedException.class)
        .hasMessageContaining("heap has not taken its settings: library=jemalloc ")
        .hasMessageContaining("thread=false (expected PT1S and a thread, as MALLOC_CONF says;");
  }

  @Test
  void processSettles_untilHotSpotHasFreedWhatItsCompilersKept() {
    assertThat(PeerProcess.untilCleanedMillis(1_000)).isEqualTo(4_800);
    assertThat(PeerProcess.untilCleanedMillis(5_790)).isEqualTo(10);
    assertThat(PeerProcess.untilCleanedMillis(5_810)).isEqualTo(4_990);
    assertThat(PeerProcess.untilCleanedMillis(12_000)).isEqualTo(3_800);
  }

  @Test
  void quickForms_haveAsManyRowsAsThereWereAndOneFormOfEachAllocator() {
    assertThat(List.of(ChurnPlan.NOT_QUICK, ChurnPlan.NOT_IN_LAB, BurstPlan.NOT_QUICK))
        .allSatisfy(leftOut -> assertThat(without(leftOut)).hasSize(6).contains(PeerKind.ARENAL));
    assertThat(without(BurstPlan.NOT_QUICK))
        .contains(PeerKind.ARENAL_SHORT, PeerKind.MALLOC_TRIM, PeerKind.JEMALLOC_DECAY);
    // Claims need both of Netty's.
    assertThat(without(ChurnPlan.NOT_QUICK))
        .contains(PeerKind.NETTY_ADAPTIVE, PeerKind.NETTY_POOLED, PeerKind.MALLOC_TRIM);
  }

  @Test
  void plans_checkWhatTheyAreGiven() {
    assertThatThrownBy(() -> churn(List.of(0), 16 * MIB))
        .hasMessage("number of threads is out of range: threads=0 (expected 1 to 1024)");
    assertThatThrownBy(() -> churn(List.of(1, 32), 16 * MIB))
        .hasMessage(
            "live set is too small: liveBytes=16777216, threads=32, mostBytes=1048576 (expected"
                + " room for the largest buffer in each thread's share)");
    assertThatThrownBy(() -> churn(List.of(), 16 * MIB))
        .hasMessage(
            "nothing to churn: operations=1, allocators=1, threads=[] (expected at least one)");
    assertThatThrownBy(() -> ChurnRun.checkMemory(churn(List.of(1), 16 * MIB), 100 * MIB))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "not enough memory to churn: liveBytes=16777216, neededBytes=536870912,"
                + " availableBytes=104857600 (expected 7 times what is live and a JVM; stop other"
                + " programs or ask for less with --live)");
  }

  private static ChurnPlan churn(List<Integer> threads, long liveBytes) {
    return new ChurnPlan(List.of(PeerKind.ARENAL), threads, 1, 1, liveBytes, SIZES, List.of());
  }

  private static List<PeerKind> without(List<PeerKind> leftOut) {
    return PeerKind.USUAL.stream().filter(kind -> !leftOut.contains(kind)).toList();
  }

  private static Choice<PeerKind> usual(HeapLibraries libraries) throws IOException {
    return Choice.installed(libraries, PeerKind.USUAL, List.of());
  }
}
