package dev.arenal.lab.pretouch;

import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.pretouch.Pretouch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The program that asks for more than there is, as the first thing that it does with the library
 * once its addresses are reserved. Should it be let, the kernel is to end this one and no
 * neighbour.
 */
public final class RefusalChild {
  private static final Path FIRST_TO_BE_KILLED = Path.of("/proc/self/oom_score_adj");
  private static final String MOST_LIKELY = "1000";
  private static final double NANOS_PER_SECOND = 1e9;

  private RefusalChild() {}

  /**
   * Takes bytes, threads, and the file for the figures.
   *
   * @param args the three, in this order
   */
  public static void main(String[] args) throws IOException {
    Files.writeString(FIRST_TO_BE_KILLED, MOST_LIKELY);
    long sizeBytes = Long.parseLong(args[0]);
    int countThreads = Integer.parseInt(args[1]);
    long beginNanos = System.nanoTime();
    ReservedMemory memory = ReservedMemory.reserve("lab", sizeBytes, Budget.unlimited("lab"));
    long startNanos = System.nanoTime();
    double firstUseSeconds = (startNanos - beginNanos) / NANOS_PER_SECOND;
    ProcessFigures before = ProcessFigures.ofThisProcess();
    String message = "";
    startNanos = System.nanoTime();
    try {
      var _ = memory.pretouch(Pretouch.all().threads(countThreads));
    } catch (OutOfMemoryError e) {
      message = String.valueOf(e.getMessage());
    }
    double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    FigureLine.write(
        Path.of(args[2]),
        seconds,
        firstUseSeconds,
        before,
        ProcessFigures.ofThisProcess(),
        message);
    memory.close();
  }
}
