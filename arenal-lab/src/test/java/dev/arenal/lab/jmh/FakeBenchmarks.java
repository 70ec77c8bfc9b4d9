package dev.arenal.lab.jmh;

import dev.arenal.lab.confined.ConfinedPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Stands in for the program with JMH, and misbehaves as the real one does not when asked. */
final class FakeBenchmarks {
  private FakeBenchmarks() {}

  /**
   * Does what the first argument says.
   *
   * @param args behaviour, file for its process id, plan, results
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path results = Path.of(args[3]);
    System.out.println("# JMH version");
    System.out.println("@arenal at 0 0");
    System.out.println("a line of JMH");
    switch (args[0]) {
      case "dies" -> System.exit(6);
      case "endsHalfWay" -> Files.writeString(results, "[]");
      case "losesACell" -> {
        System.out.println("@arenal at 0");
        System.out.println("@arenal something new");
        Files.writeString(results, "[]");
        System.out.println("@arenal done");
      }
      case "sleeps" -> {
        Files.writeString(Path.of(args[1]), ProcessHandle.current().pid() + "\n");
        Thread.sleep(300_000);
      }
      default -> throw new IllegalArgumentException(args[0]);
    }
  }

  /** A lab that runs the one that sleeps. */
  static final class Lab {
    private Lab() {}

    /**
     * Waits for it.
     *
     * @param args the words of the program
     */
    public static void main(String[] args) throws IOException, InterruptedException {
      var _ =
          JmhRun.run(
              "confined", ConfinedPlan.lab(true), JmhRun.program(List.of(args)), (_, _, _) -> {});
    }
  }
}
