package dev.arenal.bench.tables;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command behind {@code docs/benchmarks/update}. */
@Command(
    name = "docs/benchmarks/update",
    description = "Writes the tables of docs/benchmarks and README from the committed results.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  docs/benchmarks/update                                    all tables again",
      "  docs/benchmarks/update lab target/lab                     a run of ./arenal lab",
      "  docs/benchmarks/update jmh block-churn target/jmh.json    a run of JMH"
    })
public final class BenchTables implements Callable<Integer> {
  @Option(
      names = "--root",
      defaultValue = ".",
      description = "Folder of the repository; default: ${DEFAULT-VALUE}.")
  private Path root = Path.of(".");

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new BenchTables());
    return commandLine.setExecutionExceptionHandler((exception, failing, _) -> {
      if (exception instanceof IOException || exception instanceof IllegalArgumentException) {
        failing.getErr().println("update: " + exception.getMessage());
        return CommandLine.ExitCode.SOFTWARE;
      }
      throw exception;
    });
  }

  @Override
  public Integer call() throws IOException {
    update();
    return CommandLine.ExitCode.OK;
  }

  @Command(name = "jmh", description = "Takes results of JMH over, then writes the tables.")
  int jmh(
      @Parameters(paramLabel = "TOPIC", description = "Folder in docs/benchmarks.") String topic,
      @Parameters(arity = "1..*", paramLabel = "FILE", description = "A JSON file of JMH.")
          List<Path> files,
      @Option(names = "--commit", defaultValue = "unknown", description = "The measured commit.")
          String commit)
      throws IOException {
    ResultImport.jmh(files, new Results(root).folder(topic), commit);
    update();
    return CommandLine.ExitCode.OK;
  }

  @Command(name = "lab", description = "Takes a run of the lab over, then writes the tables.")
  int lab(
      @Parameters(paramLabel = "FOLDER", description = "The folder given to ./arenal lab --out.")
          Path folder,
      @Option(
              names = "--variant",
              defaultValue = "",
              description = "A name for other settings: to TOPIC-VARIANT instead of TOPIC.")
          String variant,
      @Option(names = "--commit", defaultValue = "", description = "The measured commit.")
          String commit)
      throws IOException {
    ResultImport.lab(folder, new Results(root), variant, commit);
    update();
    return CommandLine.ExitCode.OK;
  }

  private void update() throws IOException {
    List<String> written = new BenchmarkDocs(root).update();
    String line = written.isEmpty() ? "nothing to do" : "written: " + String.join(", ", written);
    spec.commandLine().getOut().println(line);
  }
}
