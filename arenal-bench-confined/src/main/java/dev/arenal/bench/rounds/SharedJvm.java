package dev.arenal.bench.rounds;

import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.runner.CompilerHints;

/**
 * A JVM that measures several cells, one after the other, as a program that uses all sizes is one
 * JVM. JMH has no such forks; in this one it runs without forking, under the flags and with the
 * hints for the compiler that it gives to its own.
 */
public final class SharedJvm {
  private SharedJvm() {}

  /**
   * The measurements of such a JVM.
   *
   * @param results by the index of the cell
   * @param exitCode 0 if it came to its end, and has told of the cells that failed
   */
  record Measured(Map<Integer, List<BenchmarkResult>> results, int exitCode) {}

  /** Starts one and waits for its end. */
  static Measured run(Path planFile, RoundsPlan plan, int round, List<Integer> group)
      throws IOException, InterruptedException {
    Path file = Files.createTempFile(planFile.toAbsolutePath().getParent(), "shared", ".results");
    try {
      Process process =
          new ProcessBuilder(command(planFile, file, plan, round, group)).inheritIO().start();
      int exitCode = process.waitFor();
      return new Measured(read(file), exitCode);
    } finally {
      Files.delete(file);
    }
  }

  /** The words of its command. */
  private static List<String> command(
      Path planFile, Path file, RoundsPlan plan, int round, List<Integer> group) {
    RoundsPlan.Cell cell = plan.cells().get(group.getFirst());
    List<String> command = new ArrayList<>();
    if (!cell.preload().isEmpty()) {
      command.addAll(new Preload(cell.preload()).command());
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(RoundsPlan.flags(cell));
    CompilerHints.addCompilerHints(command);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(SharedJvm.class.getName());
    command.addAll(List.of(planFile.toString(), file.toString(), String.valueOf(round)));
    group.forEach(index -> command.add(String.valueOf(index)));
    return command;
  }

  /** As many as there are: a JVM that died was perhaps in the middle of one. */
  private static Map<Integer, List<BenchmarkResult>> read(Path file) throws IOException {
    Map<Integer, List<BenchmarkResult>> results = new LinkedHashMap<>();
    try (ObjectInputStream input = new ObjectInputStream(Files.newInputStream(file))) {
      while (true) {
        int cell = input.readInt();
        int count = input.readInt();
        List<BenchmarkResult> forks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          forks.add((BenchmarkResult) input.readObject());
        }
        results.put(cell, forks);
      }
    } catch (EOFException e) {
      return results;
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  /**
   * Measures cells in this JVM.
   *
   * @param args the file with the plan, the file for the results, the round, and the indices of the
   *     cells
   */
  public static void main(String[] args) throws IOException {
    System.setProperty("jmh.ignoreLock", "true");
    RoundsPlan plan = RoundsPlan.parse(Files.readAllLines(Path.of(args[0])));
    try (ObjectOutputStream output =
        new ObjectOutputStream(Files.newOutputStream(Path.of(args[1])))) {
      for (int i = 3; i < args.length; i++) {
        int cell = Integer.parseInt(args[i]);
        Rounds.tellPlace(Integer.parseInt(args[2]), cell);
        List<BenchmarkResult> forks = Rounds.result(cell, plan.optionsHere(cell, GCProfiler.class));
        output.writeInt(cell);
        output.writeInt(forks.size());
        for (BenchmarkResult fork : forks) {
          output.writeObject(fork);
        }
        output.flush();
      }
    }
    // Of what it measured, threads may be left.
    System.exit(0);
  }
}
