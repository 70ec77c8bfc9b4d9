package dev.arenal.lab.jmh;

import java.util.Map;

/** One thing that is measured: a benchmark with its parameters, on threads of some kind. */
public interface JmhCell {
  /** The name of the benchmark: its class and method. */
  String benchmark();

  /** Further parameters for JMH, by the names of the benchmark's parameters. */
  Map<String, String> params();

  /** The threads that run it. */
  default JmhThreads threads() {
    return JmhThreads.PLATFORM;
  }

  /** How many of them. */
  default int threadCount() {
    return 1;
  }

  /**
   * From the start of its JVM until JMH measures, and from then to its end, in milliseconds: for
   * estimates.
   */
  default int startMillis() {
    return 500;
  }

  /** The time of JMH around its iterations, in milliseconds: for estimates. */
  default int aroundMillis() {
    return 0;
  }

  /**
   * Whether all cells of a round that differ from it only in parameters are measured in one JVM,
   * one after the other; otherwise it has one of its own.
   */
  default boolean isJvmShared() {
    return false;
  }

  /** The variable with the library that its processes have preloaded; empty for none. */
  default String preload() {
    return "";
  }

  /** In {@code name=value} pairs, for messages. */
  String describe();

  /** In as few words as possible, for progress. */
  String step();

  /** As the program that runs it wants it. */
  default String line() {
    StringBuilder line = new StringBuilder("cell ");
    line.append(threads().label()).append(' ').append(threadCount());
    line.append(' ').append(benchmark());
    params().forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    if (!preload().isEmpty()) {
      line.append(" preload=").append(preload());
    }
    return isJvmShared() ? line + " jvm=shared" : line.toString();
  }
}
