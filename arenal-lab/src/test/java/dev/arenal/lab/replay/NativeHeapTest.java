package dev.arenal.lab.replay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Heaps in libraries: the one that was asked for answers, or the replay fails and says so. */
final class NativeHeapTest {
  private static final long MIB = 1024 * 1024;

  @TempDir Path temp;

  @ParameterizedTest
  @EnumSource(
      value = AllocatorKind.class,
      names = {"JEMALLOC", "MIMALLOC"})
  void installedHeap_replaysAndTellsWhoItIs(AllocatorKind kind)
      throws IOException, InterruptedException {
    assumeTrue(HeapLibraries.ofThisMachine().find(kind).isPresent(), kind + " is not installed");
    Path file =
        SyntheticTrace.file(temp.resolve("small.trace"), SyntheticTrace.generations(50, 60, 2));
    AllocatorReplay checked = replay(file, kind, true);
    assertThat(requireNonNull(checked.library())).matches(kind.label() + " [0-9]+\\.[0-9]+\\..*");

    AllocatorReplay result = replay(file, kind, false);
    long used = result.peak().usedBytes();
    long resident = requireNonNull(result.peak().residentBytes());
    assertThat(requireNonNull(result.headerBytes())).isEqualTo(16L * 50 * 60 * 71);
    assertThat(resident).isBetween(used, 2 * used);
    // mimalloc commits in segments of 32 MiB.
    assertThat(requireNonNull(result.peak().committedBytes()))
        .isBetween(resident - 2 * MIB, resident + 34 * MIB);
    assertThat(requireNonNull(result.peak().wallNanos()))
        .isBetween(1L, requireNonNull(result.end().wallNanos()));
    assertThat(result.end().wallNanos()).isEqualTo(result.wallNanos());
  }

  /** The JDK's own library for zip files opens, and is no heap. */
  @Test
  void libraryThatIsNoHeap_failsTheReplay() {
    Path library = Path.of(System.getProperty("java.home"), "lib", "libzip.so");

    assertThatThrownBy(() -> child(AllocatorKind.JEMALLOC, library))
        .isInstanceOf(ReplayFailedException.class)
        .hasMessage(
            "replay died: trace=t, exitCode=1; its last lines:\n"
                + "    not the library it should be: library=%s, missingFunction=mallctl"
                    .formatted(library));
    assertThatThrownBy(() -> child(AllocatorKind.MIMALLOC, library))
        .isInstanceOf(ReplayFailedException.class)
        .hasMessageEndingWith(
            "not the library it should be: library=%s, missingFunction=mi_malloc"
                .formatted(library));
  }

  @Test
  void fileThatIsNoLibrary_failsTheReplay() throws IOException {
    Path file = Files.writeString(temp.resolve("libjemalloc.so.2"), "text");

    assertThatThrownBy(() -> child(AllocatorKind.MIMALLOC, file))
        .isInstanceOf(ReplayFailedException.class)
        .hasMessageEndingWith(
            "cannot open the library: library=%s (expected a shared library for this machine)"
                .formatted(file));
  }

  @Test
  void jemallocThatDoesNotCountTheBlock_isNotWhatWasMeasured() {
    Path file = Path.of("/lib/libjemalloc.so.2");

    assertThatCode(() -> JemallocHeap.checkProof(file, 1000, 1024)).doesNotThrowAnyException();
    assertThatThrownBy(() -> JemallocHeap.checkProof(file, 1000, 0))
        .isInstanceOf(WrongHeapException.class)
        .hasMessage(
            "another heap answered: allocator=jemalloc, library=/lib/libjemalloc.so.2,"
                + " askedBytes=1000, countedBytes=0 (expected thread.allocated of the library to"
                + " grow by what was asked for)");
    assertThatThrownBy(() -> JemallocHeap.checkProof(file, 1000, 2000))
        .isInstanceOf(WrongHeapException.class);
  }

  @Test
  void mimallocThatDoesNotKnowTheBlock_isNotWhatWasMeasured() {
    Path file = Path.of("/lib/libmimalloc.so.2");

    assertThatCode(() -> MimallocHeap.checkProof(file, true, false, 1024))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> MimallocHeap.checkProof(file, false, false, 0))
        .isInstanceOf(WrongHeapException.class)
        .hasMessage(
            "another heap answered: allocator=mimalloc, library=/lib/libmimalloc.so.2,"
                + " isInHeap=false, isCodeInHeap=false, askedBytes=1000, usableBytes=0 (expected"
                + " mi_is_in_heap_region to know its own blocks and nothing else)");
    assertThatThrownBy(() -> MimallocHeap.checkProof(file, true, true, 1024))
        .isInstanceOf(WrongHeapException.class);
    assertThatThrownBy(() -> MimallocHeap.checkProof(file, true, false, 999))
        .isInstanceOf(WrongHeapException.class);
  }

  @ParameterizedTest
  @CsvSource({"209, 2.0.9", "217, 2.1.7", "315, 3.1.5", "30203, 3.2.3"})
  void versionOfMimalloc_isRead(int version, String text) {
    assertThat(MimallocHeap.versionText(version)).isEqualTo(text);
  }

  @Test
  void anotherHeapThanTheMeasuredOne_isRefused() {
    ReplayProgram program = SyntheticTrace.program(_ -> {});

    assertThatThrownBy(() -> ReplayAllocators.open(AllocatorKind.JEMALLOC, program))
        .hasMessage("this process measures another heap: heap=malloc (asked for jemalloc)");
  }

  @Test
  void preloadedLibrary_standsBeforeTheUsersOwn() {
    Path library = Path.of("/lib/libjemalloc.so.2");
    ProcessBuilder jemalloc = builder(AllocatorKind.JEMALLOC, library, List.of());
    String users = System.getenv("LD_PRELOAD");

    assertThat(jemalloc.environment())
        .containsEntry("LD_PRELOAD", users == null ? "" + library : library + ":" + users);
    assertThat(builder(AllocatorKind.MIMALLOC, library, List.of()).environment().get("LD_PRELOAD"))
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
      throws IOException, InterruptedException, ReplayFailedException {
    ProcessBuilder builder =
        builder(kind, library, List.of("no-program", kind.label(), ReplayChild.MEASURE));
    var _ = builder.environment().remove("LD_PRELOAD");
    var _ = ChildProcess.run("trace=t", builder, _ -> {});
  }

  private static ProcessBuilder builder(AllocatorKind kind, Path library, List<String> arguments) {
    return ChildCommand.builder(ReplayChild.class, kind, library, 128 * MIB, arguments);
  }
}
