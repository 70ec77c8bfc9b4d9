package dev.arenal.lab.pretouch;

import dev.arenal.lab.heap.TemporaryFiles;
import dev.arenal.lab.pretouch.PretouchSubject.Method;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The program of one run of Arenal: memory is pretouched, once, as a program does at its start. */
public final class ArenalChild {
  /** In place of the program that warms up, where there is none. */
  static final String NO_WARM_UP = "-";

  private ArenalChild() {}

  /**
   * Takes method, bytes, threads, whether with huge pages, the program that warms up, and the file
   * for the figures.
   *
   * @param args the six, in this order
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Method method = Method.valueOf(args[0]);
    long sizeBytes = Long.parseLong(args[1]);
    int countThreads = Integer.parseInt(args[2]);
    boolean hugePages = Boolean.parseBoolean(args[3]);
    double firstUseSeconds = ArenalMemory.firstUse(method, countThreads, hugePages);
    warmUp(args[4], sizeBytes, countThreads);
    ProcessFigures before = ProcessFigures.ofThisProcess();
    try (ArenalMemory memory = ArenalMemory.touched(sizeBytes, method, countThreads, hugePages)) {
      ProcessFigures after = ProcessFigures.ofThisProcess();
      FigureLine.write(
          Path.of(args[5]),
          memory.report().seconds(),
          firstUseSeconds,
          before,
          after,
          memory.report().toString());
    }
  }

  /**
   * Right before what is measured, as for the program in C, which starts in no time: what is warm
   * cools down while a JVM starts.
   */
  private static void warmUp(String program, long sizeBytes, int countThreads)
      throws IOException, InterruptedException {
    if (!program.equals(NO_WARM_UP)) {
      Path ignored = TemporaryFiles.create(".warm-up");
      String bytes = String.valueOf(PretouchPlan.warmUpBytes(sizeBytes));
      var _ =
          new ProcessBuilder(
                  program, "touch", bytes, String.valueOf(countThreads), "1", ignored.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      Files.deleteIfExists(ignored);
    }
  }
}
