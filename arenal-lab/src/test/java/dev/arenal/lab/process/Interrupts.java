package dev.arenal.lab.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Stops programs as a terminal does at Ctrl-C. */
public final class Interrupts {
  /** The exit code that a shell gives a program that has ended so. */
  public static final int EXIT_CODE = 130;

  private static final long SIGINT_BIT = 1L << 1;

  private Interrupts() {}

  /** Skips the test where programs are started so that they ignore it, as in the background. */
  public static void assumeHeard() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("SigIgn:")) {
        long ignored = Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16);
        assumeTrue((ignored & SIGINT_BIT) == 0, "SIGINT is not ignored here");
      }
    }
  }

  /** Not by {@link Process#destroy}, which sends another signal. */
  public static void interrupt(Process process) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("sh", "-c", "kill -s INT " + process.pid()).start();
    assertThat(kill.waitFor()).isZero();
  }
}
