package dev.arenal.lab;

import dev.arenal.lab.process.OurProgram;
import java.io.IOException;
import java.util.List;

/** Programs as words for the java launcher: they run in JVMs of their own. */
final class WorkloadProgram {
  private static final String PACKAGE = "dev.arenal.workload.";
  private static final String JAR = "arenal-workload.jar";

  private WorkloadProgram() {}

  /** The workload of class loaders. */
  static List<String> words() throws IOException {
    return OurProgram.words(PACKAGE + "InterleavedLoaders", JAR, false);
  }

  /** The program that starts, prints two lines and waits. */
  static List<String> startWords() throws IOException {
    return OurProgram.words(PACKAGE + "HeapAtStart", JAR, false);
  }
}
