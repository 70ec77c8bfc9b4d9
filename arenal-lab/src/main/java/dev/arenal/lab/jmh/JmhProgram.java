package dev.arenal.lab.jmh;

import dev.arenal.lab.process.OurProgram;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The program with JMH and the benchmarks, which starts the JVMs that are measured.
 *
 * @param words for the java launcher, behind the options of the JVM
 * @param variables it has beside our own: where libraries are
 */
public record JmhProgram(List<String> words, Map<String, String> variables) {
  /**
   * The program as it is built.
   *
   * @throws IOException if it is missing
   */
  public static JmhProgram find(Map<String, String> variables) throws IOException {
    List<String> words =
        OurProgram.words(
            "dev.arenal.bench.rounds.Rounds", "confined/arenal-bench-confined.jar", true);
    return new JmhProgram(words, variables);
  }
}
