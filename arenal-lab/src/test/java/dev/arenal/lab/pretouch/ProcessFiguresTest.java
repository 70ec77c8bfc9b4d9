package dev.arenal.lab.pretouch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's figures of a process. */
final class ProcessFiguresTest {
  private static final String STAT =
      "17 (a ) (b) S 1 17 17 0 -1 4194304 100 0 0 0 123 456 7 8 20 0 1 0 99 1000 50";

  @TempDir Path folder;

  @Test
  void figures_areReadWhateverTheNameOfTheProcess() throws IOException {
    write("stat", STAT);
    write("status", "Name:\ta\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n");
    write("smaps_rollup", "Rss: 1 kB\nAnonHugePages:      4096 kB\nShmemPmdMapped:   2048 kB\n");
    assertThat(ProcessFigures.of(folder))
        .isEqualTo(new ProcessFigures(1.23, 4.56, 2 << 20, 6 << 20));
  }

  @Test
  void hugePagesThatTheKernelHides_areNotKnown() throws IOException {
    write("stat", STAT);
    write("status", "VmHWM:\t2048 kB\n");
    assertThat(ProcessFigures.of(folder).hugeBytes()).isEqualTo(-1);
  }

  @Test
  void otherFiles_areRefused() throws IOException {
    write("stat", "17 (a) S 1");
    assertThatThrownBy(() -> ProcessFigures.of(folder))
        .isInstanceOf(IOException.class)
        .hasMessage("not what the kernel says of a process: file=" + folder + "/stat");
    write("stat", STAT);
    write("status", "Name: a\n");
    assertThatThrownBy(() -> ProcessFigures.of(folder))
        .isInstanceOf(IOException.class)
        .hasMessage("no such line: file=" + folder + "/status, line=VmHWM:");
  }

  @Test
  void thisProcess_hasFigures() throws IOException {
    ProcessFigures figures = ProcessFigures.ofThisProcess();
    assertThat(figures.userSeconds()).isPositive();
    assertThat(figures.residentBytes()).isGreaterThan(10 << 20);
  }

  @Test
  void run_tookWhatCameBetween() {
    ProcessFigures before = new ProcessFigures(1, 2, 10, 0);
    ProcessFigures after = new ProcessFigures(1.5, 2.25, 20, -1);
    assertThat(after.since(before, 0.125, 0.5))
        .isEqualTo(new PretouchSample(0.125, 0.5, 0.25, 20, -1, 0.5, null));
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }
}
