package dev.arenal.lab.pretouch;

import dev.arenal.lab.pretouch.PretouchSubject.Method;
import java.io.IOException;
import java.nio.file.Path;

/** The program of one run of Arenal: memory is pretouched, once, as a program does at its start. */
public final class ArenalChild {
  private ArenalChild() {}

  /**
   * Takes method, bytes, threads, whether with huge pages, and the file for the figures.
   *
   * @param args the five, in this order
   */
  public static void main(String[] args) throws IOException {
    Method method = Method.valueOf(args[0]);
    long sizeBytes = Long.parseLong(args[1]);
    int countThreads = Integer.parseInt(args[2]);
    boolean hugePages = Boolean.parseBoolean(args[3]);
    double firstUseSeconds = ArenalMemory.firstUse(method, countThreads, hugePages);
    ProcessFigures before = ProcessFigures.ofThisProcess();
    try (ArenalMemory memory = ArenalMemory.touched(sizeBytes, method, countThreads, hugePages)) {
      ProcessFigures after = ProcessFigures.ofThisProcess();
      FigureLine.write(
          Path.of(args[4]),
          memory.report().seconds(),
          firstUseSeconds,
          before,
          after,
          memory.report().toString());
    }
  }
}
