package dev.arenal.lab.replay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.Child;
import dev.arenal.lab.process.ChildFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Heaps in libraries: the one that was asked for answers, or the replay fails and says so. */
final class NativeHeapTest {
  private static final long MIB = 1024 * 1024;

  @TempDir Path temp;

  @ParameterizedTest
  @Tag("optional")
  @EnumSource(
      value = AllocatorKind.class,
      names = {"JEMALLOC", "MIMALLOC", "MIMALLOC_OWNER"})
  void installedHeap_replaysAndTellsWhoItIs(AllocatorKind kind)
      throws IOException, InterruptedException {
    assumeTrue(HeapLibraries.ofThisMachine().find(kind).isPresent(), kind + " is not installed");
    Path file =
        SyntheticTrace.file(temp.resolve("small.trace"), SyntheticTrace.generations(50, 60, 2));
    AllocatorReplay checked = replay(file, kind, true);
    assertThat(requireNonNull(checked.library()))
        .matches(requireNonNull(kind.heap()).label() + " [0-9]+\\.[0-9]+\\..*");

    AllocatorReplay result = replay(file, kind, false);
    long used = result.peak().usedBytes();
    long resident = requireNonNull(result.peak().residentBytes());
    boolean isOwners = kind == AllocatorKind.MIMALLOC_OWNER;
    assertThat(requireNonNull(result.headerBytes())).isEqualTo(isOwners ? 0 : 16L * 50 * 60 * 71);
    assertThat(resident).isBetween(used, 2 * used);
    // mimalloc commits in segments of 32 MiB; its heaps of owners share these, but not the pages.
    assertThat(requireNonNull(result.peak().committedBytes()))
        .isBetween(resident - 2 * MIB, resident + (isOwners ? 256 : 34) * MIB);
    assertThat(requireNonNull(result.peak().wallNanos()))
        .isBetween(1L, requireNonNull(result.end().wallNanos()));
    assertThat(result.end().wallNanos()).isEqualTo(result.wallNanos());
  }

  /** Blocks freed early, owners with one arena or two, and owners that outlive the trace. */
  @ParameterizedTest
  @Tag("optional")
  @EnumSource(
      value = AllocatorKind.class,
      names = {"JEMALLOC", "MIMALLOC", "MIMALLOC_OWNER"})
  void installedHeap_keepsAllContents(AllocatorKind kind) throws IOException, InterruptedException {
    assumeTrue(HeapLibraries.ofThisMachine().find(kind).isPresent(), kind + " is not installed");
    Path file = SyntheticTrace.file(temp.resolve("random.trace"), SyntheticTrace.random(5, 40_000));

    assertThat(replay(file, kind, true).runCount()).isEqualTo(1);
  }

  /** The JDK's own library for zip files opens, and is no heap. */
  @Test
  void libraryThatIsNoHeap_failsTheReplay() {
    Path library = Path.of(System.getProperty("java.home"), "lib", "libzip.so");

    assertThatThrownBy(() -> child(AllocatorKind.JEMALLOC, library))
        .isInstanceOf(ChildFailedException.class)
        .hasMessage(
            "replay died: trace=t, allocator=jemalloc, exitCode=1; its last lines:\n"
                + "    not the library it should be: library=%s, missingFunction=mallctl"
                    .formatted(library));
    assertThatThrownBy(() -> child(AllocatorKind.MIMALLOC, library))
        .isInstanceOf(ChildFailedException.class)
        .hasMessageEndingWith(
            "not the library it should be: library=%s, missingFunction=mi_malloc"
                .formatted(library));
  }

  @Test
  void fileThatIsNoLibrary_failsTheReplay() throws IOException {
    Path file = Files.writeString(temp.resolve("libjemalloc.so.2"), "text");

    assertThatThrownBy(() -> child(AllocatorKind.MIMALLOC, file))
        .isInstanceOf(ChildFailedException.class)
        .hasMessageEndingWith(
            "cannot open the library: library=%s (expected a shared library for this machine)"
                .formatted(file));
  }

  @Test
  void anotherHeapThanTheMeasuredOne_isRefused() {
    ReplayProgram program = SyntheticTrace.program(_ -> {});

    assertThatThrownBy(() -> ReplayAllocator.open(AllocatorKind.JEMALLOC, program))
        .hasMessage("this process measures another heap: heap=malloc (asked for jemalloc)");
    assertThatThrownBy(() -> ReplayAllocator.open(AllocatorKind.MIMALLOC_OWNER, program))
        .hasMessage("this process measures another heap: heap=malloc (asked for mimalloc)");
  }

  @Test
  void preloadedLibrary_standsBeforeTheUsersOwn() throws IOException {
    Path library = Files.writeString(temp.resolve("libjemalloc.so.2"), "");
    String users = System.getenv("LD_PRELOAD");

    assertThat(work(AllocatorKind.JEMALLOC, library).environment())
        .containsEntry("LD_PRELOAD", users == null ? "" + library : library + ":" + users);
    assertThat(work(AllocatorKind.MIMALLOC, library).environment().get("LD_PRELOAD"))
        .isEqualTo(users);
  }

  private static AllocatorReplay replay(Path file, AllocatorKind kind, boolean isVerifying)
      throws IOException, InterruptedException {
    ReplayOptions options =
        new ReplayOptions(List.of(kind), 1, ReplayOptions.NO_LIMIT_SECONDS, isVerifying);
    TraceReplay replay = new Replayer(options, (_, _, _) -> {}).replay(file.toString());
    assertThat(replay.failures()).isEmpty();
    return replay.results().getFirst();
  }

  private static void child(AllocatorKind kind, Path library)
      throws IOException, InterruptedException, ChildFailedException {
    Child child = work(kind, library);
    var _ = child.environment().remove("LD_PRELOAD");
    ReplayWork work = new ReplayWork(Path.of("no-program"), kind, false);
    var _ = child.run(work, ChildResult.class, _ -> {});
  }

  private static Child work(AllocatorKind kind, Path library) throws IOException {
    String variable = HeapLibraries.variable(kind);
    HeapLibraries libraries = new HeapLibraries(Map.of(variable, "" + library), List.of());
    return new ReplayWork(Path.of("no-program"), kind, false).child("t", 128 * MIB, libraries);
  }
}
