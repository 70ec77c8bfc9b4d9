package dev.arenal.lab.pretouch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.arenal.lab.jvm.JvmSpec;
import dev.arenal.lab.jvm.Scripts;
import dev.arenal.lab.pretouch.PretouchSample.Heap;
import dev.arenal.lab.process.ChildFailedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JVMs that start, and programs that pretend to. */
final class JvmStartTest {
  @TempDir Path folder;

  @Test
  void command_hasAHeapOfOneSize() {
    PretouchSubject touched = PretouchSubject.jvm("x", Collector.G1, true, true);
    JvmSpec spec = new JvmSpec("x", Path.of("java"), "25", 25, List.of("-Xlog:disable"));
    assertThat(JvmStart.command(spec, touched, 1 << 30, List.of("-cp", "a.jar", "Main")))
        .containsExactly(
            "java",
            "-XX:+UseG1GC",
            "-Xms1073741824",
            "-Xmx1073741824",
            "-XX:+AlwaysPreTouch",
            "-XX:+UseTransparentHugePages",
            "-Xlog:disable",
            "-cp",
            "a.jar",
            "Main");
    JvmSpec old = new JvmSpec("x", Path.of("java"), "11", 11, List.of());
    PretouchSubject zgc = PretouchSubject.jvm("x", Collector.ZGC, false, false);
    assertThat(JvmStart.command(old, zgc, 1 << 30, List.of()))
        .containsExactly(
            "java",
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+UseZGC",
            "-Xms1073741824",
            "-Xmx1073741824",
            "-XX:-AlwaysPreTouch");
  }

  @Test
  void twoLines_areReadAndTheRestIsKept() throws Exception {
    JvmStart.Outcome outcome =
        run(
            """
            echo '[0.003s][warning] huge pages are off'
            echo 'Free physical memory: 123'
            echo 'Heap size: 456'
            read line
            sleep 0.3
            """);
    assertThat(outcome.said()).containsExactly("[0.003s][warning] huge pages are off");
    PretouchSample sample = outcome.sample();
    Heap heap = Objects.requireNonNull(sample.heap());
    assertThat(heap.freeBytes()).isEqualTo(123);
    assertThat(heap.heapBytes()).isEqualTo(456);
    assertThat(sample.residentBytes()).isPositive();
    // Time after the lines belongs to the end, and not to the start.
    assertThat(heap.totalSeconds()).isGreaterThan(sample.wallSeconds() + 0.25);
  }

  @Test
  void programThatEndsBefore_isTold() {
    assertThatThrownBy(() -> run("echo 'Free physical memory: 123'; echo no; exit 3"))
        .isInstanceOf(ChildFailedException.class)
        .hasMessage("JVM did not start: jvm=x, exitCode=3; its last lines:\n    no");
    assertThatThrownBy(() -> run("exit 0"))
        .isInstanceOf(ChildFailedException.class)
        .hasMessage("JVM did not start: jvm=x, exitCode=0 (it printed nothing)");
  }

  @Test
  void programThatFailsAfterItsLines_isTold() {
    assertThatThrownBy(
            () -> run("echo 'Free physical memory: 1'; echo 'Heap size: 2'; read x; exit 134"))
        .isInstanceOf(ChildFailedException.class)
        .hasMessage("JVM did not start: jvm=x, exitCode=134 (it printed nothing)");
  }

  private JvmStart.Outcome run(String script) throws Exception {
    Path program = Scripts.create(folder.resolve("java"), script);
    return JvmStart.run("jvm=x", List.of(program.toString()));
  }
}
