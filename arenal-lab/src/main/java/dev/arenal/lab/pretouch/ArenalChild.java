package dev.arenal.lab.pretouch;

import dev.arenal.lab.process.Program;
import dev.arenal.lab.process.TemporaryFolder;
import dev.arenal.lab.result.Json;
import dev.arenal.memory.Budget;
import dev.arenal.memory.ReservedMemory;
import dev.arenal.pretouch.Pretouch;
import dev.arenal.pretouch.PretouchMethod;
import java.io.IOException;
import java.nio.file.Path;

/** The program of one run of Arenal: memory is pretouched, once, as a program does at its start. */
public final class ArenalChild {
  private static final String NAME = "lab";
  private static final long FIRST_BYTES = 8 * PretouchPlan.MIB;
  private static final long MOST_SECONDS = 1800;
  private static final double NANOS_PER_SECOND = 1e9;

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
    long sizeBytes = Long.parseLong(args[1]);
    int threadCount = Integer.parseInt(args[2]);
    boolean hugePages = Boolean.parseBoolean(args[3]);
    // The price that a program pays once, with a little memory, which goes back.
    long startNanos = System.nanoTime();
    try (ReservedMemory first = reserve(FIRST_BYTES)) {
      double _ = touch(first, args[0], threadCount, hugePages);
    }
    double firstUseSeconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    if (!args[4].equals(NO_WARM_UP)) {
      warmUp(args[4], sizeBytes, threadCount);
    }
    ProcessFigures before = ProcessFigures.ofThisProcess();
    try (ReservedMemory memory = reserve(sizeBytes)) {
      double seconds = touch(memory, args[0], threadCount, hugePages);
      ProcessFigures after = ProcessFigures.ofThisProcess();
      // Only now is anything loaded that has nothing to do with it.
      Json.write(Path.of(args[5]), after.since(before, seconds, firstUseSeconds));
    }
  }

  private static ReservedMemory reserve(long sizeBytes) {
    return ReservedMemory.reserve(NAME, sizeBytes, Budget.unlimited(NAME));
  }

  /** Returns the seconds that it took. */
  private static double touch(
      ReservedMemory memory, String method, int threadCount, boolean hugePages) {
    Pretouch settings = Pretouch.all().threads(threadCount).method(PretouchMethod.valueOf(method));
    return memory.pretouch(hugePages ? settings.withHugePages() : settings).seconds();
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
