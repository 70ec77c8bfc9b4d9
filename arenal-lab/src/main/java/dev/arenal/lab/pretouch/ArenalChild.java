package dev.arenal.lab.pretouch;

import dev.arenal.lab.pretouch.PretouchSubject.Method;
import dev.arenal.lab.process.Program;
import dev.arenal.lab.process.TemporaryFolder;
import dev.arenal.lab.result.Json;
import java.io.IOException;
import java.nio.file.Path;

/** The program of one run of Arenal: memory is pretouched, once, as a program does at its start. */
public final class ArenalChild {
  private static final long MOST_SECONDS = 1800;

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
    int threadCount = Integer.parseInt(args[2]);
    boolean hugePages = Boolean.parseBoolean(args[3]);
    double firstUseSeconds = ArenalMemory.firstUse(method, threadCount, hugePages);
    if (!args[4].equals(NO_WARM_UP)) {
      warmUp(args[4], sizeBytes, threadCount);
    }
    ProcessFigures before = ProcessFigures.ofThisProcess();
    try (ArenalMemory memory = ArenalMemory.touched(sizeBytes, method, threadCount, hugePages)) {
      ProcessFigures after = ProcessFigures.ofThisProcess();
      double seconds = memory.report().seconds();
      // Only now is anything loaded that has nothing to do with it.
      Json.write(Path.of(args[5]), after.since(before, seconds, firstUseSeconds));
    }
  }

  /**
   * Right before what is measured, as for the program in C, which starts in no time: what is warm
   * cools down while a JVM starts.
   */
  private static void warmUp(String program, long sizeBytes, int threadCount)
      throws IOException, InterruptedException {
    String bytes = String.valueOf(PretouchPlan.warmUpBytes(sizeBytes));
    try (TemporaryFolder folder = TemporaryFolder.create("arenal-lab")) {
      String ignored = folder.file("warm-up").toString();
      ProcessBuilder builder =
          new ProcessBuilder(program, "touch", bytes, "" + threadCount, "1", ignored);
      var _ = Program.run(builder, MOST_SECONDS);
    }
  }
}
