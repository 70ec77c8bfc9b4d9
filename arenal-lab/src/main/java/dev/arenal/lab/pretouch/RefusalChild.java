package dev.arenal.lab.pretouch;

import dev.arenal.lab.pretouch.PretouchSubject.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The program that asks for more than there is. Should it be let, the kernel is to end this one and
 * no neighbour.
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
    double firstUseSeconds = ArenalMemory.firstUse(Method.POPULATE, countThreads, false);
    ProcessFigures before = ProcessFigures.ofThisProcess();
    String message = "";
    long startNanos = System.nanoTime();
    double seconds;
    try (ArenalMemory _ = ArenalMemory.touched(sizeBytes, Method.POPULATE, countThreads, false)) {
      seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    } catch (OutOfMemoryError e) {
      seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
      message = String.valueOf(e.getMessage());
    }
    FigureLine.write(
        Path.of(args[2]),
        seconds,
        firstUseSeconds,
        before,
        ProcessFigures.ofThisProcess(),
        message);
  }
}
