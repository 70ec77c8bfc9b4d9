package dev.arenal.lab;

import dev.arenal.lab.process.OurProgram;
import dev.arenal.lab.process.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code arenal workload}: runs a program made to be recorded, in its own JVM. */
@Command(
    name = "workload",
    header = "Runs one of the programs behind the embedded traces.",
    description = {
      "",
      "@|bold interleaved-loaders|@ loads generations of classes and releases them one by one;"
          + " @|bold arenal workload interleaved-loaders --help|@ lists its options. It runs in"
          + " a separate JVM, which may be an older one (Java 11 and later).",
      "",
      "To record it, pass its jar to record, as in the last example.",
      ""
    },
    footer = {
      "  arenal workload interleaved-loaders",
      "  arenal workload interleaved-loaders --interleave class --loaders 230",
      "  arenal workload --java /opt/jdk-17/bin/java interleaved-loaders --cycles 1",
      "  arenal record -o my.trace -- java -XX:+UseSerialGC -Xmx512m \\",
      "      -jar arenal-lab/target/programs/arenal-workload.jar --interleave class"
    },
    exitCodeList = {
      "  0:the program ran to its end",
      "  2:the command line, or an option of the program, is wrong",
      "  125:the program could not be started"
    })
final class WorkloadCommand extends ArenalCommand {
  private static final String INTERLEAVED_LOADERS = "interleaved-loaders";
  private static final int EXIT_NOT_STARTED = 125;

  /** Metaspace is what is looked at: the heap need not be large, and one thread collects it. */
  private static final List<String> JVM_OPTIONS = List.of("-XX:+UseSerialGC", "-Xmx512m");

  @Option(
      names = "--java",
      paramLabel = "JAVA",
      description = "The java command to run it with (default: the one that runs arenal).")
  private Path java = Path.of(System.getProperty("java.home"), "bin", "java");

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "The name of the program, and its options.")
  private List<String> words = List.of();

  @Override
  public Integer call() throws InterruptedException {
    if (!words.getFirst().equals(INTERLEAVED_LOADERS)) {
      say("unknown workload: name=" + words.getFirst() + " (expected " + INTERLEAVED_LOADERS + ")");
      return spec().exitCodeOnInvalidInput();
    }
    try {
      List<String> commandLine = new ArrayList<>();
      commandLine.add(java.toString());
      commandLine.addAll(JVM_OPTIONS);
      commandLine.addAll(OurProgram.workload("InterleavedLoaders"));
      commandLine.addAll(words.subList(1, words.size()));
      Process workload = Program.ofUser(commandLine).inheritIO().start();
      Thread end = new Thread(workload::destroy, "arenal-workload-end");
      try {
        Runtime.getRuntime().addShutdownHook(end); // it must not outlive the command
        int exitCode = workload.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        return exitCode;
      } catch (IllegalStateException e) { // this JVM is ending
        workload.destroy();
        return workload.waitFor();
      }
    } catch (IOException e) {
      say("cannot start the workload: java=" + java + ", cause=" + e.getMessage());
      return EXIT_NOT_STARTED;
    }
  }
}
