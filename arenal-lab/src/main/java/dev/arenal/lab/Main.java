package dev.arenal.lab;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.InvalidPathException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code arenal} with its subcommands. */
@Command(
    name = "arenal",
    description = "Records, replays and compares native memory.",
    mixinStandardHelpOptions = true,
    version = "arenal 0.1.0-SNAPSHOT",
    footerHeading = "%nExamples:%n",
    footer = {
      "  arenal lab --quick                 all experiments, two to four minutes",
      "  arenal try -- java -jar app.jar    would Arenal help this program?",
      "  arenal replay --help               the options of a command",
    },
    subcommands = {
      LabCommand.class,
      TryCommand.class,
      RecordCommand.class,
      ReplayCommand.class,
      JvmCommand.class,
      ConfinedCommand.class,
      MediumCommand.class,
      BuffersCommand.class,
      ChurnCommand.class,
      BurstCommand.class,
      PretouchCommand.class,
      FirstUseCommand.class,
      ProxyCommand.class,
      ScanCommand.class,
      HistogramCommand.class,
      WorkloadCommand.class,
      HelpCommand.class
    })
public final class Main implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // files, flags and tables are the same
    int exitCode = commandLine().execute(args);
    if (System.out.checkError() && exitCode == 0) {
      System.err.println(
          "arenal: standard output could not be written (closed, or the disk full?)");
      exitCode = CommandLine.ExitCode.SOFTWARE;
    }
    System.exit(exitCode);
  }

  /** The command line with all commands, as {@link #main} runs it. */
  static CommandLine commandLine() {
    CommandLine commandLine = new CommandLine(new Main());
    // The words behind record, try and workload are for another program, @files included.
    commandLine.setExpandAtFiles(false);
    for (String name : List.of("record", "try", "workload")) {
      Objects.requireNonNull(commandLine.getSubcommands().get(name)).setStopAtPositional(true);
    }
    return commandLine
        .registerConverter(int.class, Main::wholeNumber)
        .registerConverter(Integer.class, Main::wholeNumber)
        .registerConverter(long.class, Main::longNumber)
        .registerConverter(double.class, Main::number)
        .registerConverter(Double.class, Main::number)
        .setExecutionExceptionHandler(Main::explain)
        .setParameterExceptionHandler(Main::refuse);
  }

  private static int wholeNumber(String text) {
    return parsed(text, Integer::valueOf, "a whole number up to " + Integer.MAX_VALUE);
  }

  private static long longNumber(String text) {
    return parsed(text, Long::valueOf, "a whole number up to " + Long.MAX_VALUE);
  }

  private static double number(String text) {
    return parsed(text, Double::valueOf, "a number such as 0.5");
  }

  /** The library's own words are the names of Java's types. */
  private static <N> N parsed(String text, Function<String, N> parser, String expected) {
    try {
      return parser.apply(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is not " + expected);
    }
  }

  /** An error that a person can mend is one message; anything else is a fault of the program. */
  private static int explain(Exception e, CommandLine command, ParseResult parsed)
      throws Exception {
    boolean isMendable =
        e instanceof IOException
            || e instanceof UncheckedIOException
            || e instanceof InvalidPathException; // the letters of this machine's locale are others
    if (!isMendable) {
      throw e;
    }
    command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + e.getMessage());
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** The whole help behind it would push the message off the screen. */
  private static int refuse(ParameterException e, String[] words) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(
        e instanceof UnmatchedArgumentException word && !word.isUnknownOption()
            ? unexpected(word)
            : e.getMessage());
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try: " + command.getCommandSpec().qualifiedName() + " --help");
    return CommandLine.ExitCode.USAGE;
  }

  /** The library's own words are an index into the command line. */
  private static String unexpected(UnmatchedArgumentException e) {
    boolean isCommand = !e.getCommandLine().getSubcommands().isEmpty();
    return (isCommand ? "unknown command: '" : "unexpected argument: '")
        + e.getUnmatched().getFirst()
        + "'";
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return CommandLine.ExitCode.OK;
  }
}
