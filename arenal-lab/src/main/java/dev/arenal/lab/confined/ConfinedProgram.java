package dev.arenal.lab.confined;

import dev.arenal.lab.process.OurProgram;
import java.io.IOException;
import java.util.List;

/** The benchmarks as words for the java launcher: they run in a JVM of their own. */
public final class ConfinedProgram {
  private ConfinedProgram() {}

  /** The words that come behind the options of the JVM. */
  public static List<String> words() throws IOException {
    return OurProgram.words(
        "dev.arenal.bench.confined.Rounds", "confined/arenal-bench-confined.jar", true);
  }
}
