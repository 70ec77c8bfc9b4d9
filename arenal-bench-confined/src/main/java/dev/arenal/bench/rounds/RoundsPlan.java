package dev.arenal.bench.rounds;

import dev.arenal.bench.buffers.NettyThreads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.profile.Profiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The things to measure, how often and how long.
 *
 * <p>As a file it has a line for each: {@code rounds 3}, {@code seconds 100}, {@code warmup 3 200}
 * and {@code measure 3 100} (iterations and their milliseconds), and {@code cell platform 1
 * CLASS.METHOD name=value...} for each thing to measure: the kind of threads and how many, the
 * benchmark, and its parameters. Two of them are no benchmark's: {@code preload} names the variable
 * with the library that is preloaded into the forks; with {@code jvm=shared} all cells that differ
 * in nothing but the benchmark's parameters are measured in one JVM, one after the other.
 *
 * @param roundCount how often each cell is measured, in another JVM each time
 * @param mostSeconds no round is begun that would end later; 0 for no limit
 */
record RoundsPlan(
    int roundCount, int mostSeconds, Iterations warmup, Iterations measure, List<Cell> cells) {

  private static final int FORK_TIMEOUT_SECONDS = 60;

  /** Flags of the measured JVM. */
  private static final List<String> JVM_FLAGS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          // Where cores are busy, compiled code would otherwise come after the warm-up.
          "-XX:-BackgroundCompilation");

  private static final String PRELOAD = "preload";
  private static final String JVM = "jvm";
  private static final String SHARED = "shared";

  /** Keeps a copy. */
  RoundsPlan {
    cells = List.copyOf(cells);
  }

  /** A number of iterations of one length. */
  record Iterations(int count, int millis) {
    private static Iterations parse(String[] words) {
      return new Iterations(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
    }
  }

  /** The threads that run a benchmark, by the flags that JMH is told of them. */
  enum Executor {
    PLATFORM,
    VIRTUAL,
    NETTY;

    private List<String> flags() {
      return switch (this) {
        case PLATFORM -> List.of();
        case VIRTUAL -> List.of("-Djmh.executor=VIRTUAL");
        case NETTY -> NettyThreads.FLAGS;
      };
    }
  }

  /**
   * One benchmark with its parameters.
   *
   * @param preload the variable with the library that its forks have preloaded; empty for none
   * @param isJvmShared whether the JVM is that of all cells with other parameters
   */
  record Cell(
      String benchmark,
      Executor executor,
      int threadCount,
      Map<String, String> params,
      String preload,
      boolean isJvmShared) {
    Cell {
      params = Map.copyOf(params);
    }

    private Cell withoutParams() {
      return new Cell(benchmark, executor, threadCount, Map.of(), preload, isJvmShared);
    }

    private static Cell parse(String[] words) {
      Map<String, String> params = new LinkedHashMap<>();
      for (int i = 4; i < words.length; i++) {
        String[] param = words[i].split("=", 2);
        params.put(param[0], param[1]);
      }
      String preload = params.remove(PRELOAD);
      String jvm = params.remove(JVM);
      if (jvm != null && !jvm.equals(SHARED)) {
        throw new IllegalArgumentException(jvm);
      }
      return new Cell(
          words[3],
          Executor.valueOf(words[1].toUpperCase(Locale.ROOT)),
          Integer.parseInt(words[2]),
          params,
          preload == null ? "" : preload,
          jvm != null);
    }
  }

  static RoundsPlan parse(List<String> lines) {
    int roundCount = 1;
    int mostSeconds = 0;
    Iterations warmup = new Iterations(3, 200);
    Iterations measure = new Iterations(3, 100);
    List<Cell> cells = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      try {
        switch (words[0]) {
          case "rounds" -> roundCount = Integer.parseInt(words[1]);
          case "seconds" -> mostSeconds = Integer.parseInt(words[1]);
          case "warmup" -> warmup = Iterations.parse(words);
          case "measure" -> measure = Iterations.parse(words);
          case "cell" -> cells.add(Cell.parse(words));
          default -> throw new IllegalArgumentException(words[0]);
        }
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
        throw refusal(line, e);
      }
    }
    return new RoundsPlan(roundCount, mostSeconds, warmup, measure, cells);
  }

  /** The indices of cells that are measured in one JVM, in the order of the first of each. */
  List<List<Integer>> groups() {
    Map<Object, List<Integer>> groups = new LinkedHashMap<>();
    for (int index = 0; index < cells.size(); index++) {
      Cell cell = cells.get(index);
      Object group = cell.isJvmShared() ? cell.withoutParams() : index;
      groups.computeIfAbsent(group, _ -> new ArrayList<>()).add(index);
    }
    return List.copyOf(groups.values());
  }

  /** The flags of a JVM that measures a cell. */
  static List<String> flags(Cell cell) {
    List<String> flags = new ArrayList<>(JVM_FLAGS);
    flags.addAll(cell.executor().flags());
    return flags;
  }

  /** The options of JMH for one fork of a cell. */
  Options options(int index, Class<? extends Profiler> profiler) {
    Cell cell = cells.get(index);
    ChainedOptionsBuilder builder =
        common(cell)
            .forks(1)
            .jvmArgs()
            .jvmArgsAppend(flags(cell).toArray(String[]::new))
            .addProfiler(profiler);
    if (!cell.preload().isEmpty()) {
      builder.addProfiler(Preload.class, cell.preload());
    }
    return builder.build();
  }

  /** The options of JMH for a cell in the JVM that asks, which has the flags of the cell. */
  Options optionsHere(int index, Class<? extends Profiler> profiler) {
    return common(cells.get(index)).forks(0).addProfiler(profiler).build();
  }

  private ChainedOptionsBuilder common(Cell cell) {
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .include("^" + cell.benchmark().replace(".", "\\.") + "$")
            .threads(cell.threadCount())
            .warmupIterations(warmup.count())
            .warmupTime(TimeValue.milliseconds(warmup.millis()))
            .measurementIterations(measure.count())
            .measurementTime(TimeValue.milliseconds(measure.millis()))
            .timeout(TimeValue.seconds(FORK_TIMEOUT_SECONDS))
            .shouldFailOnError(true);
    cell.params().forEach((name, value) -> builder.param(name, value));
    return builder;
  }

  private static IllegalArgumentException refusal(String line, Exception cause) {
    return new IllegalArgumentException(
        "plan has a line that cannot be read: line="
            + line
            + " (expected rounds, seconds, warmup, measure or cell with what belongs to it)",
        cause);
  }
}
