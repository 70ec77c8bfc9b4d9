package dev.arenal.lab.pretouch;

import dev.arenal.lab.result.Json;
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

  private static final double NANOS_PER_MILLI = 1e6;

  private RefusalChild() {}

  /**
   * Takes bytes, threads, and the file for the figures.
   *
   * @param args the three, in this order
   */
  public static void main(String[] args) throws IOException {
    Files.writeString(FIRST_TO_BE_KILLED, MOST_LIKELY);
    long askedBytes = Long.parseLong(args[0]);
    int threadCount = Integer.parseInt(args[1]);
    long beginNanos = System.nanoTime();
    ReservedMemory memory = ReservedMemory.reserve("lab", askedBytes, Budget.unlimited("lab"));
    double firstUseMillis = (System.nanoTime() - beginNanos) / NANOS_PER_MILLI;
    String message = "";
    long startNanos = System.nanoTime();
    try {
      var _ = memory.pretouch(Pretouch.all().threads(threadCount));
    } catch (OutOfMemoryError e) {
      message = String.valueOf(e.getMessage());
    }
    double millis = (System.nanoTime() - startNanos) / NANOS_PER_MILLI;
    long residentBytes = ProcessFigures.ofThisProcess().residentBytes();
    Json.write(
        Path.of(args[2]),
        new Refusal(askedBytes, millis, firstUseMillis, message, residentBytes, null));
    memory.close();
  }
}
