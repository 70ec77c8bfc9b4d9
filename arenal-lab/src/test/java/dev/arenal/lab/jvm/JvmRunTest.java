package dev.arenal.lab.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One JVM from start to end: the JDK of this test, and scripts that misbehave as it does not. */
final class JvmRunTest {
  private static final WorkloadShape TINY = new WorkloadShape(3, 20, 5, 2, "class", 2, 150);
  private static final JvmRun.Limits LIMITS = new JvmRun.Limits(30, 60);

  @TempDir Path folder;

  @Test
  void realJvm_isMeasuredAtEveryPhaseAndTenTimesASecond() throws Exception {
    JvmMeasurement measurement = runRealOnTime();

    assertThat(measurement.failure()).isNull();
    assertThat(measurement.phases())
        .extracting(JvmPhase::label)
        .containsExactly(
            "start",
            "cycle 1: loaded",
            "cycle 1: generations left: 2",
            "cycle 1: generations left: 1",
            "cycle 2: loaded",
            "cycle 2: generations left: 3",
            "cycle 2: generations left: 2",
            "cycle 2: generations left: 1",
            "end: all released");
    for (JvmPhase phase : measurement.phases()) {
      assertThat(phase.usedBytes()).isPositive();
      assertThat(phase.committedBytes()).isGreaterThanOrEqualTo(phase.usedBytes());
    }
    JvmPhase start = measurement.phases().getFirst();
    JvmPhase loaded = measurement.phase("cycle 1: loaded").orElseThrow();
    JvmPhase valley = measurement.valleyPhase().orElseThrow();
    assertThat(loaded.usedBytes()).isGreaterThan(start.usedBytes() + 300_000);
    assertThat(valley.usedBytes()).isLessThan(loaded.usedBytes());

    // Eight rests of 150 ms.
    assertThat(measurement.seconds()).isGreaterThan(1.2);
    // Ten a second at most; on a busy machine many of them come late, but not most.
    assertThat(measurement.timeline().size())
        .isBetween((int) (measurement.seconds() * 2), (int) (measurement.seconds() * 10) + 5);
    assertThat(measurement.timeline())
        .isSortedAccordingTo((a, b) -> Double.compare(a.seconds(), b.seconds()));
    assertThat(measurement.timeline().getLast().usedBytes()).isPositive();
  }

  @Test
  void realJvm_hasTheHeapResidentFromTheStart() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "the system tells resident sizes");
    JvmMeasurement measurement = runRealOnTime();
    assertThat(measurement.heapBytes()).isEqualTo(80L << 20);
    for (JvmPhase phase : measurement.phases()) {
      assertThat(phase.residentBytes()).isGreaterThan(measurement.heapBytes());
    }
    assertThat(measurement.timeline())
        .isNotEmpty()
        .allSatisfy(
            point -> assertThat(point.residentBytes()).isGreaterThan(measurement.heapBytes()));
  }

  @Test
  void realJvm_saysWhereItsMemoryIsAtTheValley() throws Exception {
    JvmMeasurement measurement = runReal();
    Valley valley = Objects.requireNonNull(measurement.valley());
    JvmPhase phase = measurement.valleyPhase().orElseThrow();
    // Between the phase and its report the JVM loads at most a class or two.
    assertThat(valley.usedBytes()).isBetween(phase.usedBytes(), phase.usedBytes() + 100_000);
    assertThat(valley.committedBytes())
        .isBetween(phase.committedBytes(), phase.committedBytes() + 3 * 65_536);
    long knownBytes =
        valley.usedBytes()
            + valley.freeChunksBytes()
            + valley.freeInChunksBytes()
            + valley.wasteBytes();
    // The report explains all bytes: none twice, hardly any missing.
    assertThat(knownBytes)
        .isBetween(valley.committedBytes() * 9 / 10, valley.committedBytes() + 65_536);
    assertThat(measurement.reportText()).contains("Total Usage", "Waste");
  }

  @Test
  void jvmThatDiesHalfWay_leavesWhatItMeasuredAndItsLastLines() throws Exception {
    StringBuilder script = new StringBuilder("echo '@arenal started '$$\n");
    script.append("echo '@arenal phase 1000 2000 10 20 30000 start'\n");
    script.append("echo '@arenal phase 5000 6000 10 20 - cycle 1: loaded'\n");
    for (int i = 1; i <= 14; i++) {
      script.append("echo 'line %d'\n".formatted(i));
    }
    script.append("printf '@arenal phase 12'\nexit 134");
    JvmMeasurement measurement = runScript(script.toString(), LIMITS);

    assertThat(measurement.phases())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("seconds")
        .containsExactly(
            new JvmPhase("start", 0, 1000, 2000, 30_000L),
            new JvmPhase("cycle 1: loaded", 0, 5000, 6000, null));
    assertThat(measurement.valley()).isNull();
    assertThat(measurement.failure())
        .isEqualTo(
            """
            JVM died: jvm=JDK 17, at=after cycle 1: loaded, exitCode=134; its last lines:
                line 4
                line 5
                line 6
                line 7
                line 8
                line 9
                line 10
                line 11
                line 12
                line 13
                line 14
                @arenal phase 12\
            """);
  }

  @Test
  void jvmThatPrintsSomethingElse_isNotTakenForOneThatCameToItsEnd() throws Exception {
    JvmMeasurement garbage =
        runScript("head -c 300 /dev/zero; echo; echo '@arenal what 1'; echo hello", LIMITS);
    assertThat(garbage.failure())
        .startsWith("JVM died: jvm=JDK 17, at=starting, exitCode=0; its last lines:\n")
        .endsWith("\n    what 1\n    hello");
    assertThat(garbage.phases()).isEmpty();
    assertThat(runScript("exit 0", LIMITS).failure())
        .isEqualTo("JVM died: jvm=JDK 17, at=starting, exitCode=0 (it printed nothing)");
  }

  @Test
  void warnings_areNotes() throws Exception {
    JvmMeasurement measurement =
        runScript(
            "echo 'VM warning: Ignoring option X'; echo 'VM warning: Ignoring option X';"
                + " echo '@arenal started 1'; echo '@arenal ended'",
            LIMITS);
    assertThat(measurement.failure()).isNull();
    assertThat(measurement.notes()).containsExactly("VM warning: Ignoring option X");
  }

  @Test
  void jvmThatFallsSilent_isEndedWithAllItStarted() throws Exception {
    Path pid = folder.resolve("pid");
    int seconds = 1;
    JvmMeasurement measurement;
    while (true) { // until the script comes to its sleep in time
      long start = System.nanoTime();
      measurement =
          runScript(
              "echo booting; sleep 300 & echo $! >'" + pid + "'; wait",
              new JvmRun.Limits(seconds, 60));
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(100);
      if (seconds > 20 || (Files.exists(pid) && Files.size(pid) > 0)) {
        break;
      }
      seconds *= 3;
    }
    assertThat(measurement.failure())
        .isEqualTo(
            "JVM hangs and was ended: jvm=JDK 17, at=starting, silentSeconds="
                + seconds
                + "; its last lines:\n"
                + "    booting");
    assertGone(pid);
  }

  @Test
  void jvmThatTalksButGetsNowhere_isEndedToo() throws Exception {
    String script =
        "echo '@arenal started 1'; while :; do echo '@arenal sample 5 6'; sleep 0.1; done";
    int seconds = 1;
    JvmMeasurement measurement = runScript(script, new JvmRun.Limits(60, seconds));
    while (measurement.timeline().isEmpty() && seconds < 20) { // it did not come to a sample
      seconds *= 3;
      measurement = runScript(script, new JvmRun.Limits(60, seconds));
    }
    assertThat(measurement.failure())
        .isEqualTo(
            "JVM hangs and was ended: jvm=JDK 17, at=starting, secondsInPhase="
                + seconds
                + " (it printed nothing)");
    assertThat(measurement.timeline()).isNotEmpty();
    assertThat(measurement.timeline().getLast().usedBytes()).isEqualTo(5);
    assertThat(measurement.timeline().getLast().committedBytes()).isEqualTo(6);
  }

  @Test
  void launcherThatIsGoneMeanwhile_isAFailure() throws Exception {
    JvmSpec spec = spec(folder.resolve("gone"));
    JvmMeasurement measurement =
        JvmRun.run(spec, JvmFlags.of(spec, TINY), List.of(), LIMITS, (_, _, _) -> {});
    assertThat(measurement.failure()).startsWith("JVM could not be started: jvm=JDK 17, cause=");
  }

  /** Once more where this process was held up: it takes times and samples itself. */
  private JvmMeasurement runRealOnTime() throws InterruptedException {
    JvmMeasurement measurement = runReal();
    for (int i = 0; i < 5 && !isOnTime(measurement); i++) {
      measurement = runReal();
    }
    return measurement;
  }

  private static boolean isOnTime(JvmMeasurement measurement) {
    return measurement.seconds() > 1.2 && measurement.timeline().size() > measurement.seconds() * 2;
  }

  private JvmMeasurement runReal() throws InterruptedException {
    List<String> program = new ArrayList<>();
    program.add("-cp");
    program.add(System.getProperty("java.class.path"));
    program.add("dev.arenal.workload.InterleavedLoaders");
    program.addAll(TINY.arguments());
    JvmSpec spec = spec(Path.of(System.getProperty("java.home"), "bin", "java"));
    return JvmRun.run(spec, JvmFlags.of(spec, TINY), program, LIMITS, (_, _, _) -> {});
  }

  private JvmMeasurement runScript(String text, JvmRun.Limits limits)
      throws IOException, InterruptedException {
    JvmSpec spec = spec(Scripts.create(folder.resolve("java"), text));
    return JvmRun.run(spec, JvmFlags.of(spec, TINY), List.of(), limits, (_, _, _) -> {});
  }

  private static JvmSpec spec(Path launcher) {
    return new JvmSpec("JDK 17", launcher, "17.0.9+9", 17, List.of());
  }

  private static void assertGone(Path pidFile) throws Exception {
    long pid = Long.parseLong(Files.readString(pidFile).strip());
    ProcessHandle handle = ProcessHandle.of(pid).orElse(null);
    if (handle != null) {
      handle.onExit().get(60, TimeUnit.SECONDS);
    }
  }
}
