package dev.arenal.bench.rounds;

import java.io.File;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.ExternalProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;

/**
 * Starts a fork with a library preloaded. JMH gives forks the variables that it has itself, and
 * lets only a profiler choose the program that starts them.
 */
public final class Preload implements ExternalProfiler {
  private static final String VARIABLE = "LD_PRELOAD";

  private final String libraryVariable;
  private final Map<String, String> environment;

  /**
   * As JMH asks for it.
   *
   * @param libraryVariable the variable with the path of the library
   */
  public Preload(String libraryVariable) {
    this(libraryVariable, System.getenv());
  }

  Preload(String libraryVariable, Map<String, String> environment) {
    this.libraryVariable = libraryVariable;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public Collection<String> addJVMInvokeOptions(BenchmarkParams params) {
    return command();
  }

  /** The words before the command of the fork. */
  List<String> command() {
    String library = environment.get(libraryVariable);
    if (library == null) {
      throw new IllegalStateException(
          "library is not named: variable=%s (expected the path of the library)"
              .formatted(libraryVariable));
    }
    String others = environment.getOrDefault(VARIABLE, "");
    return List.of(
        "env", VARIABLE + "=" + library + (others.isEmpty() ? "" : File.pathSeparator + others));
  }

  @Override
  public Collection<String> addJVMOptions(BenchmarkParams params) {
    return List.of();
  }

  @Override
  public void beforeTrial(BenchmarkParams params) {}

  @Override
  @SuppressWarnings("rawtypes") // JMH's own signature
  public Collection<? extends Result> afterTrial(
      BenchmarkResult result, long pid, File output, File errors) {
    return List.of();
  }

  @Override
  public boolean allowPrintOut() {
    return true;
  }

  @Override
  public boolean allowPrintErr() {
    return true;
  }

  @Override
  public String getDescription() {
    return "a library preloaded into the forks";
  }
}
