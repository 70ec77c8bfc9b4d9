package dev.arenal.lab.replay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.heap.HeapLibraries;
import dev.arenal.lab.process.ChildFailedException;
import dev.arenal.lab.trace.TraceFormatException;
import dev.arenal.lab.trace.TraceSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole replays in child processes. */
final class ReplayerTest {
  private static final long MIB = 1024 * 1024;

  @TempDir Path folder;

  @Test
  void figures_areThoseOfTheTraceAndTheProcess() throws IOException, InterruptedException {
    Path file = generations("small.trace");
    TraceReplay replay = replay(file, AllocatorKind.MALLOC, AllocatorKind.JDK_CONFINED);

    assertThat(replay.failures()).isEmpty();
    assertThat(replay.trace()).isEqualTo("small");
    assertThat(replay.arenaCount()).isEqualTo(200);
    assertThat(replay.allocationCount()).isEqualTo(100 * 60 * 71);
    for (AllocatorReplay result : replay.results()) {
      assertThat(requireNonNull(result.wallNanos())).isPositive();
      assertThat(requireNonNull(result.nanosPerAllocation())).isPositive();
      long used = result.peak().usedBytes();
      assertThat(requireNonNull(result.peak().residentBytes())).isBetween(used, 2 * used);
      assertThat(requireNonNull(result.secondPeak()).usedBytes()).isGreaterThan(used);
      assertThat(result.timeline().getLast()).isEqualTo(result.end());
    }
    AllocatorReplay malloc = replay.results().getFirst();
    assertThat(requireNonNull(malloc.headerBytes())).isEqualTo(16L * 50 * 60 * 71);
    long committed = requireNonNull(malloc.peak().committedBytes());
    long resident = requireNonNull(malloc.peak().residentBytes());
    assertThat(Math.abs(resident - committed)).isLessThan(2 * MIB);
  }

  @Test
  void hotspot_isReadFromTheTrace() throws IOException, InterruptedException {
    Path file =
        SyntheticTrace.file(
            folder.resolve("hotspot.trace"),
            trace -> {
              int arena = trace.birth(TraceSpace.NON_CLASS, 0);
              trace.committed(TraceSpace.NON_CLASS, 65_536);
              trace.allocate(arena, 100);
              trace.death(arena);
              trace.committed(TraceSpace.NON_CLASS, 0);
            });
    AllocatorReplay result = replay(file, AllocatorKind.HOTSPOT).results().getFirst();

    assertThat(result.granuleBytes()).isEqualTo(65_536);
    assertThat(result.wallNanos()).isNull();
    assertThat(result.nanosPerAllocation()).isNull();
    assertThat(result.headerBytes()).isNull();
    assertThat(result.peak()).isEqualTo(new Sample(2, 800, 65_536L, null));
    assertThat(result.valley()).isEqualTo(new Sample(3, 0, 0L, null));
    assertThat(result.secondPeak()).isNull();
    assertThat(result.end()).isEqualTo(new Sample(3, 0, 0L, null));
  }

  @Test
  void furtherRuns_areLeftOutWhereTimeIsShort() throws IOException, InterruptedException {
    Path file = SyntheticTrace.file(folder.resolve("short.trace"), _ -> {});
    ReplayOptions options = new ReplayOptions(List.of(AllocatorKind.MALLOC), 50, 0, false);
    TraceReplay replay = new Replayer(options, (_, _, _) -> {}).replay(file.toString());

    assertThat(replay.runCount()).isBetween(1, 8);
  }

  @Test
  void emptyTrace_isReplayed() throws IOException, InterruptedException {
    Path file = SyntheticTrace.file(folder.resolve("empty.trace"), _ -> {});
    AllocatorReplay result = replay(file, AllocatorKind.MALLOC).results().getFirst();

    assertThat(result.nanosPerAllocation()).isNull();
    assertThat(result.valley()).isNull();
    assertThat(result.timeline()).hasSize(1);
  }

  @Test
  void truncatedTrace_isRefusedBeforeAnythingRuns() throws IOException {
    Path file = generations("cut.trace");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));

    assertThatThrownBy(() -> replay(file, AllocatorKind.MALLOC))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("cut");
  }

  @Test
  void childThatDies_isReportedWithItsLastWords() {
    ReplayWork work = new ReplayWork(Path.of("no-such-program"), AllocatorKind.MALLOC, false);

    assertThatThrownBy(() ->
            work.child("t", 128 * MIB, HeapLibraries.ofThisMachine())
                .run(work, ChildResult.class, _ -> {}))
        .isInstanceOf(ChildFailedException.class)
        .hasMessage(
            "replay died: trace=t, allocator=malloc, exitCode=1; its last lines:\n"
                + "    java.nio.file.NoSuchFileException: "
                + Path.of("no-such-program").toAbsolutePath());
  }

  /** A Java that dies where malloc is asked for stands in for a crash. */
  @Test
  void allocatorThatFails_doesNotStopTheOthers() throws IOException, InterruptedException {
    Path file = SyntheticTrace.file(folder.resolve("one.trace"), _ -> {});
    String realHome = System.getProperty("java.home");
    Path java = Files.createDirectories(folder.resolve("home/bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/bin/sh
        case "$*" in *" malloc "*) echo broken >&2; exit 7;; esac
        exec "%s/bin/java" "$@"
        """
            .formatted(realHome));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
    TraceReplay replay;
    System.setProperty("java.home", folder.resolve("home").toString());
    try {
      replay = replay(file, AllocatorKind.MALLOC, AllocatorKind.JDK_CONFINED);
    } finally {
      System.setProperty("java.home", realHome);
    }

    assertThat(replay.failures())
        .containsExactly(
            "replay died: trace=one, allocator=malloc, exitCode=7; its last lines:\n    broken");
    assertThat(replay.results())
        .extracting(AllocatorReplay::kind)
        .containsExactly(AllocatorKind.JDK_CONFINED);
  }

  @Test
  void programFile_givesBackWhatWasWritten() throws IOException {
    ReplayProgram program = SyntheticTrace.program(SyntheticTrace.random(11, 5_000));
    Path file = folder.resolve("program");
    ProgramFile.write(program, file);
    ReplayProgram read = ProgramFile.read(file);

    assertThat(read.operationCount()).isEqualTo(program.operationCount());
    assertThat(read.allocationCount()).isEqualTo(program.allocationCount());
    assertThat(read.keptCount()).isEqualTo(program.keptCount());
    assertThat(read.arenas().loaderCount()).isEqualTo(program.arenas().loaderCount());
    assertThat(TracePlan.of(read).phases()).isEqualTo(TracePlan.of(program).phases());
    for (int arena = 0; arena < program.arenas().arenaCount(); arena++) {
      assertThat(read.arenas().space(arena)).isEqualTo(program.arenas().space(arena));
      assertThat(read.arenas().loader(arena)).isEqualTo(program.arenas().loader(arena));
    }
  }

  private Path generations(String name) throws IOException {
    return SyntheticTrace.file(folder.resolve(name), SyntheticTrace.generations(50, 60, 2));
  }

  private static TraceReplay replay(Path file, AllocatorKind... kinds)
      throws IOException, InterruptedException {
    ReplayOptions options =
        new ReplayOptions(List.of(kinds), 1, ReplayOptions.NO_LIMIT_SECONDS, false);
    return new Replayer(options, (_, _, _) -> {}).replay(file.toString());
  }
}
